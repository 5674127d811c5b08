import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ownThread } from './cores.js'
import { FrameReader, frame, nameOfError, nameOfSignal, u32 } from './frames.js'
import { HostError, hostError } from './host-error.js'
import { ProgramPipes } from './pipe.js'
import { ANSWERS, REQUESTS } from './protocol.js'

/*
 * Node starts a program by forking itself: the kernel copies the page tables of all its memory, while the event loop
 * stands still. So each thread that needs sandboxes has a small process, the launcher as a spawner, which starts them,
 * opens their pipes' ends in this process, through /proc, and reports how each has ended. It ends with this thread; if
 * something else ends it, its sandboxes end too, and the next one has a new spawner.
 */

export interface SpawnEvents {
  /** It runs, and has its ends of the pipes. */
  started(pid: number): void
  failed(error: HostError): void
  /** It has ended: the code with which it exited, or the signal that killed it. */
  ended(code: number | null, signal: string | null): void
}

export interface Spawned {
  signal(name: 'SIGTERM' | 'SIGKILL'): void
}

class Spawner {
  private readonly child: ChildProcess
  private readonly pipes: ProgramPipes
  private readonly children = new Map<number, SpawnEvents & { readonly pipes: ProgramPipes; runs?: boolean }>()
  private next = 1

  constructor(launcher: string, gone: () => void) {
    let lastWords = ''
    const reader = new FrameReader((kind, body) => this.take(kind, body))
    this.pipes = new ProgramPipes(
      (bytes) => reader.read(bytes),
      (bytes) => {
        if (lastWords.length < 4096) lastWords += bytes.toString('utf8')
      },
    )
    const stdio = [...this.pipes.theirs]
    this.child = spawn(launcher, ['spawner', ownThread()], { cwd: '/', env: {}, stdio, detached: true })
    this.pipes.handOver()
    const over = (why: HostError): void => {
      gone()
      this.pipes.close()
      this.loseAll(why)
    }
    this.child.once('error', (error) => over(hostError("the sandboxes' spawner could not be started", error)))
    this.child.once('exit', () => {
      this.pipes.errors.drain()
      over(new HostError(`the sandboxes' spawner has ended: ${lastWords.trim()}`))
    })
    this.keepAlive(false)
  }

  /** Starts a program, and closes its ends of the pipes once it has them. */
  spawn(argv: readonly string[], pipes: ProgramPipes, events: SpawnEvents): Spawned {
    const id = this.next++
    const words = Buffer.from(argv.map((word) => `${word}\0`).join(''))
    this.children.set(id, { ...events, pipes })
    this.keepAlive(true)
    this.pipes.input.send(frame(REQUESTS.spawn, u32(id, ...pipes.theirs), words))
    return { signal: (name) => this.pipes.input.send(frame(REQUESTS.signal, u32(id, constants.signals[name]))) }
  }

  private take(kind: string, body: Buffer): void {
    const id = body.readUInt32LE(0)
    const child = this.children.get(id)
    if (child === undefined) return
    const [first, second] = [body.readUInt32LE(4), body.readUInt32LE(8)]
    child.pipes.handOver()
    if (kind === ANSWERS.spawned && first !== 0) {
      child.runs = true
      child.started(first)
      return
    }
    this.children.delete(id)
    if (this.children.size === 0) this.keepAlive(false)
    if (kind === ANSWERS.spawned)
      child.failed(hostError("the sandbox's launcher could not be started", nameOfError(second)))
    else if (second === 0) child.ended(first, null)
    else child.ended(null, nameOfSignal(second))
  }

  /** It is gone, and what it started is being ended by the kernel. */
  private loseAll(why: HostError): void {
    const lost = [...this.children.values()]
    this.children.clear()
    for (const child of lost) {
      child.pipes.handOver()
      if (child.runs) child.ended(null, 'SIGKILL')
      else child.failed(why)
    }
  }

  /** Keeps this process alive only while something that it started runs. */
  private keepAlive(is: boolean): void {
    this.pipes.output.keepAlive(is)
    this.pipes.errors.keepAlive(is)
    if (is) this.child.ref()
    else this.child.unref()
  }
}

const spawners = new Map<string, Spawner>()

export function spawnBeside(
  launcher: string,
  argv: readonly string[],
  pipes: ProgramPipes,
  events: SpawnEvents,
): Spawned {
  let spawner = spawners.get(launcher)
  if (spawner === undefined) {
    spawner = new Spawner(launcher, () => spawners.delete(launcher))
    spawners.set(launcher, spawner)
  }
  return spawner.spawn(argv, pipes, events)
}
