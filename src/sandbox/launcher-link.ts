import { constants as system } from 'node:os'
import { messageOf } from '../core/index.js'
import { attempt, processesSeen, statFields } from '../files/index.js'
import { FrameReader, type Outside } from './frames.js'
import { HostError, exhaustedBy } from './host-error.js'
import { OneTimer } from './one-timer.js'
import { FirstLook, ProgramPipes, afterReading } from './pipe.js'
import { PROTOCOL, REPLIES } from './protocol.js'
import { type SandboxFacts, type SandboxSpec, commandOf } from './sandbox-spec.js'
import { type Spawned, spawnBeside } from './spawner.js'

type Awaited = {
  done(body: Buffer): void
  failed(error: Error): void
  /** When it is to be there at the latest, by performance.now(). */
  readonly until: number
}

/** A sandbox's launcher: its requests in order, their answers, and its end. */
export abstract class LauncherLink {
  /** Settles with the launcher's first word. */
  readonly opened: Promise<SandboxFacts>
  /** Settles when nothing of it is left. */
  readonly closed: Promise<void>
  private readonly guard: Spawned
  /** Resolves with its outermost process's number, once it runs. */
  private readonly spawned: Promise<number>
  /** The outermost process's number, once it is open. */
  pid: number | undefined
  private readonly ends: ProgramPipes
  private readonly waiting: Awaited[] = []
  private readonly firstLook = new FirstLook()
  private lastWords = ''
  gone = false
  /** How it has ended: why, and `outside` if it was not closed. */
  fate: { readonly why: string; readonly outside?: Outside } = { why: 'the sandbox is open' }
  private closing = false
  /** When the launcher's report on a watched question is due. */
  protected watched: { readonly id: number; readonly until: number } | undefined
  /** Ends a sandbox whose launcher does not answer: nothing is awaited for ever. */
  private readonly watchdog = new OneTimer(
    () => this.overdueAt,
    () =>
      afterReading(() => {
        if (performance.now() >= this.overdueAt) this.giveUp('its launcher did not answer')
        else this.watchdog.look()
      }),
  )

  constructor(spec: SandboxSpec) {
    const reader = new FrameReader((kind, body) => this.take(kind, body))
    const pipes = new ProgramPipes(
      (bytes) => reader.read(bytes),
      (chunk) => {
        if (this.lastWords.length < 4096) this.lastWords += chunk.toString('utf8')
      },
    )
    this.ends = pipes
    let spawned: (pid: number) => void = () => undefined
    let notSpawned: (error: HostError) => void = () => undefined
    this.spawned = new Promise((done, failed) => ([spawned, notSpawned] = [done, failed]))
    this.spawned.catch(() => undefined)
    this.opened = new Promise((done, failed) => {
      const greeted = (body: Buffer): void => {
        const facts = this.hello(body)
        void this.spawned.then(() => done(facts), failed)
      }
      this.waiting.push({ done: greeted, failed, until: performance.now() + PATIENCE_MS })
    })
    this.watchdog.look()
    this.opened.catch(() => undefined)
    let over: () => void = () => undefined
    this.closed = new Promise((done) => (over = done))
    const end = (error: HostError, outside?: Outside): void => {
      if (this.gone) return
      this.fate = { why: error.message, outside: this.closing ? undefined : outside }
      // Its last answer may still lie in the pipe.
      pipes.close()
      this.gone = true
      this.watchdog.clear()
      this.release()
      for (const awaited of this.waiting.splice(0)) awaited.failed(error)
      notSpawned(error)
      over()
    }
    const argv = [...(spec.prefix ?? []), ...commandOf(spec)]
    this.guard = spawnBeside(spec.launcher, argv, pipes, {
      started: (pid) => spawned((this.pid = pid)),
      failed: end,
      ended: (code, signal) => {
        // A guard that ends by itself has seen to that.
        if (signal !== null) killSession(this.pid)
        // What it has written last is the reason.
        pipes.errors.drain()
        const words = this.lastWords.trim()
        end(
          new HostError(`the sandbox has ended${words === '' ? '' : `: ${words}`}`, exhaustedBy(words)),
          outsideOf(code, signal),
        )
      },
    })
  }

  /** By performance.now(); Infinity: nothing is awaited. */
  private get overdueAt(): number {
    return Math.min(this.waiting[0]?.until ?? Infinity, this.watched?.until ?? Infinity)
  }

  /** Does what needs the outermost process's number; what it throws ends the sandbox. */
  protected onceSpawned(then: () => void): void {
    this.spawned.then(then).catch((error: unknown) => this.giveUp(messageOf(error)))
  }

  async close(): Promise<void> {
    this.closing = true
    this.ends.input.close()
    // Its first process ends all the others.
    this.guard.signal('SIGTERM')
    await this.closed
  }

  protected abstract receive(kind: string, body: Buffer): void
  protected abstract release(): void

  private hello(body: Buffer): SandboxFacts {
    const version = body.readUInt32LE(0)
    if (version !== PROTOCOL.version)
      throw new HostError(`the launcher speaks version ${version}, and agon ${PROTOCOL.version}`)
    return { landlock: body.readUInt32LE(4), seesKills: body.readUInt32LE(8) === 1 }
  }

  /** Sends a request, and reads its answer out of a lent body. */
  protected ask<T>(request: Buffer, read: (body: Buffer) => T, within = PATIENCE_MS): Promise<T> {
    return new Promise((done, failed) => {
      if (this.gone) return failed(new HostError('the sandbox has ended'))
      this.waiting.push({ done: (body) => done(read(body)), failed, until: performance.now() + within + MUTE_MS })
      this.watchdog.look()
      this.send(request)
    })
  }

  /** As `ask`, but gives an answer itself that is there at the first look, which spares a turn of the event loop. */
  protected askQuick<T>(request: Buffer, read: (body: Buffer) => T): Promise<T> | T {
    let answer: { readonly value: T } | undefined
    const later = this.ask(request, (body) => (answer = { value: read(body) }).value)
    if (this.firstLook.due()) {
      this.ends.output.look()
      this.firstLook.found(answer !== undefined)
    }
    return answer === undefined ? later : answer.value
  }

  /** A report on a process that stays is due within so many milliseconds. */
  protected expect(id: number, within: number): void {
    this.watched = { id, until: performance.now() + within + MUTE_MS }
    this.watchdog.look()
  }

  /** Its launcher cannot be used: the guard kills all that is there. */
  private giveUp(why: string): void {
    this.lastWords = why
    this.guard.signal('SIGTERM')
    setTimeout(() => this.guard.signal('SIGKILL'), LINGER_MS).unref()
  }

  protected send(request: Buffer): void {
    if (!this.gone) this.ends.input.send(request)
  }

  private take(kind: string, body: Buffer): void {
    if (!AWAITED.has(kind)) return this.receive(kind, body)
    const awaited = this.waiting.shift()
    try {
      awaited?.done(body)
    } catch (error) {
      // What cannot be read may be another agon's.
      awaited?.failed(error instanceof Error ? error : new HostError(String(error)))
      this.giveUp(messageOf(error))
    }
  }
}

const AWAITED: ReadonlySet<string> = new Set(Object.values(REPLIES))

/** Milliseconds that a launcher's report may be late before its sandbox is given up. */
const MUTE_MS = 2000
/** Milliseconds for what it does between turns: to start a program, to pack its files. */
export const PATIENCE_MS = 30_000

/** Milliseconds that a guard has to end its sandbox, before it is killed. */
const LINGER_MS = 500

/**
 * Whether a sandbox's end came from outside, by how its guard ended (128 and a number: the launcher's signal). No bot
 * can end any of the three by a signal, but it may have made the launcher fail.
 */
function outsideOf(code: number | null, signal: string | null): Outside {
  const own = code === 70 || OWN_FAULTS.has((code ?? 0) - 128)
  return signal === null && own ? 'possible' : 'certain'
}
const { SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS } = system.signals
const OWN_FAULTS: ReadonlySet<number> = new Set([SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS])

/** Kills what a killed guard has left of a room in the making: all is in its session until the room is there. */
function killSession(guard: number | undefined): void {
  if (guard === undefined) return
  for (const pid of processesSeen())
    if (Number(statFields(`/proc/${pid}`)[3]) === guard) attempt(() => process.kill(pid, 'SIGKILL'))
}
