import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ownThread } from './cores.js'
import { FrameReader, frame, nameOfError, nameOfSignal } from './frames.js'
import { HostError, hostError, hostErrorOf } from './host-error.js'
import { Input, Output } from './pipe.js'
import { ANSWERS, REQUESTS } from './protocol.js'

/*
 * Theory of operation.
 *
 * Node starts a program by forking itself: the kernel copies the page tables of all its memory, and the event loop stands still until the
 * other process has become the program. So each thread that needs sandboxes starts one small process, the launcher as a spawner,
 * which starts them on request. It opens the ends of their pipes in this process, through /proc, and reports how each has ended. It ends
 * when this thread does; where something else ends it, the sandboxes that it started end too, and the next one has a new spawner.
 */

/** What becomes of a program that was to be started. */
export interface SpawnEvents {
  /** It runs, and has its ends of the pipes. */
  started(pid: number): void
  /** It does not, for this reason. */
  failed(error: HostError): void
  /** It has ended: the code with which it exited, or the signal that killed it. */
  ended(code: number | null, signal: string | null): void
}

/** A program that was asked for. */
export interface Spawned {
  signal(name: 'SIGTERM' | 'SIGKILL'): void
}

/** The pipes that are a program's descriptors 0, 1 and 2. */
export interface SpawnPipes {
  readonly input: Input
  readonly output: Output
  readonly errors: Output
}

class Spawner {
  private readonly child: ChildProcess
  private readonly input = new Input()
  private readonly answers: Output
  private readonly errors: Output
  /** By id: what was started, or is about to be. */
  private readonly children = new Map<number, SpawnEvents & { runs?: boolean }>()
  private next = 1

  constructor(launcher: string, gone: () => void) {
    let lastWords = ''
    const reader = new FrameReader((kind, body) => this.take(kind, body))
    this.answers = new Output((bytes) => reader.read(bytes))
    this.errors = new Output((bytes) => {
      if (lastWords.length < 4096) lastWords += bytes.toString('utf8')
    })
    const { input, answers, errors } = this
    const pipes = [input, answers, errors] as const
    this.child = spawn(launcher, ['spawner', ownThread()], {
      cwd: '/',
      env: {},
      stdio: [input.theirs.fd, answers.theirs.fd, errors.theirs.fd],
      detached: true,
    })
    for (const { theirs } of pipes) theirs.handOver()
    const over = (why: HostError): void => {
      gone()
      for (const pipe of pipes) pipe.close()
      this.loseAll(why)
    }
    this.child.once('error', (error) => over(hostError("the sandboxes' spawner could not be started", error)))
    this.child.once('exit', () => {
      errors.drain()
      over(new HostError(`the sandboxes' spawner has ended: ${lastWords.trim()}`))
    })
    this.keepAlive(false)
  }

  /** Starts a program; its ends of the pipes are closed here as soon as it has them. */
  spawn(argv: readonly string[], { input, output, errors }: SpawnPipes, events: SpawnEvents): Spawned {
    const id = this.next++
    const head = Buffer.alloc(16)
    for (const [i, value] of [id, input.theirs.fd, output.theirs.fd, errors.theirs.fd].entries())
      head.writeUInt32LE(value, 4 * i)
    const handOver = (): void => {
      for (const { theirs } of [input, output, errors]) theirs.handOver()
    }
    this.children.set(id, {
      started: (pid) => (handOver(), events.started(pid)),
      failed: (error) => (handOver(), events.failed(error)),
      ended: (code, signal) => events.ended(code, signal),
    })
    this.keepAlive(true)
    this.input.send(frame(REQUESTS.spawn, Buffer.concat([head, Buffer.from(argv.map((word) => `${word}\0`).join(''))])))
    return {
      signal: (name) => {
        const body = Buffer.alloc(8)
        body.writeUInt32LE(id, 0)
        body.writeUInt32LE(constants.signals[name], 4)
        this.input.send(frame(REQUESTS.signal, body))
      },
    }
  }

  private take(kind: string, body: Buffer): void {
    const id = body.readUInt32LE(0)
    const child = this.children.get(id)
    if (child === undefined) return
    const [first, second] = [body.readUInt32LE(4), body.readUInt32LE(8)]
    if (kind === ANSWERS.spawned && first !== 0) {
      child.runs = true
      child.started(first)
      return
    }
    this.children.delete(id)
    if (this.children.size === 0) this.keepAlive(false)
    if (kind === ANSWERS.spawned)
      child.failed(hostErrorOf("the sandbox's launcher could not be started", nameOfError(second)))
    else if (second === 0) child.ended(first, null)
    else child.ended(null, nameOfSignal(second))
  }

  /** It is gone, and what it started is being ended by the kernel. */
  private loseAll(why: HostError): void {
    const lost = [...this.children.values()]
    this.children.clear()
    for (const child of lost) {
      if (child.runs) child.ended(null, 'SIGKILL')
      else child.failed(why)
    }
  }

  /** Whether this process stays for its sake: only while something that it has started runs. */
  private keepAlive(is: boolean): void {
    this.answers.keepAlive(is)
    this.errors.keepAlive(is)
    if (is) this.child.ref()
    else this.child.unref()
  }
}

/** This thread's, by the launcher's program. */
const spawners = new Map<string, Spawner>()

/** Starts a program of the launcher's through this thread's spawner. */
export function spawnBeside(
  launcher: string,
  argv: readonly string[],
  pipes: SpawnPipes,
  events: SpawnEvents,
): Spawned {
  let spawner = spawners.get(launcher)
  if (spawner === undefined) {
    spawner = new Spawner(launcher, () => spawners.delete(launcher))
    spawners.set(launcher, spawner)
  }
  return spawner.spawn(argv, pipes, events)
}
