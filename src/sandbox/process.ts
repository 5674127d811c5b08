import { type ChildProcess, spawn } from 'node:child_process'
import { attempt } from '../files/index.js'
import type { Outside } from './frames.js'
import { EXHAUSTED, HostError, codeOf } from './host-error.js'
import { ProgramPipes, afterReading } from './pipe.js'

/*
 * Programs without a sandbox are started here, each as the leader of a process group, so that it and what it started
 * can be killed together. Its environment holds only what is given; its standard error is always drained, so that no
 * full pipe blocks it. When this process ends in a way that it notices, it kills all groups. They see the host's files
 * and network.
 */

export interface Launch {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: 'pipe' | 'ignore'
}

/** Bytes of a bot's standard error that are kept, the last. */
export const STDERR_KEPT = 64 * 1024

export interface ErrorSink {
  add(chunk: Buffer): void
}

/** The end of what a bot wrote to its standard error over its life. */
export class StderrTail implements ErrorSink {
  private text = ''
  lost = 0

  add(chunk: Buffer): void {
    this.text += chunk.toString('latin1')
    const over = this.text.length - STDERR_KEPT
    if (over > STDERR_KEPT) this.cut(over)
  }
  read(): string {
    const over = this.text.length - STDERR_KEPT
    if (over > 0) this.cut(over)
    return Buffer.from(this.text, 'latin1').toString('utf8')
  }
  private cut(over: number): void {
    this.text = this.text.slice(over)
    this.lost += over
  }
}

const living = new Set<number>()
process.on('exit', () => {
  for (const pid of living) killGroup(pid)
})

const killGroup = (pid: number): unknown => attempt(() => process.kill(-pid, 'SIGKILL'))

export interface Running {
  send(bytes: Buffer): void
  /** Closes its standard input once all is written. */
  endInput(): void
  /** Calls `output` with all that it has printed until this moment. */
  drain(): void
  /** The same by one read: all of what a quick program prints. */
  look?(): void
  kill(): void
  /** Its process group, where it runs outside a sandbox. */
  readonly group?: number
  /** Resumes a process stopped between two questions; resolves when it runs. Undefined or absent: it runs already. */
  wake?(): Promise<void> | undefined
  /** Milliseconds that it ran while stopped, since last asked: they are of its next question's time. */
  takeSuspended?(): number
  /** Calls when the program itself has ended; its output may still be on its way. */
  exited(then: () => void): void
  /** Settles when it has ended and its pipes are closed. */
  readonly ended: Promise<ProcessEnd>
}
/** How a program ended: its exit code, the signal that killed it, or that it could not be started. */
export interface ProcessEnd {
  readonly code?: number
  readonly signal?: string
  readonly noStart?: string
  readonly outside?: Outside
  readonly memory?: true
  /** Its sandbox has ended, and it with that: in words. */
  readonly sandbox?: string
}

/** Milliseconds that pipes may stay open after a program and its group have ended: someone outside holds them. */
const PIPES_MS = 50

/** Starts a program; `output` is lent what it prints. Where this machine can start nothing, `ended` rejects with a HostError. */
export function start(launch: Launch, stderr: ErrorSink, output: (bytes: Buffer) => void): Running {
  const [file, ...args] = launch.argv
  let pipes: ProgramPipes | undefined
  try {
    pipes = new ProgramPipes(output, (bytes) => stderr.add(bytes))
    const [stdin = -1, ...prints] = pipes.theirs
    const child = spawn(file ?? '', args, {
      cwd: launch.cwd,
      env: launch.env,
      detached: true,
      stdio: [launch.stdin === 'pipe' ? stdin : 'ignore', ...prints],
    })
    const { pid } = child
    if (pid === undefined) {
      pipes.close()
      return notStarted(new Promise((failed) => child.once('error', (error) => failed(codeOf(error)))))
    }
    living.add(pid)
    return running(child, pid, pipes)
  } catch (error) {
    // Impossible arguments (a NUL byte, too many bytes), or no more pipes.
    pipes?.close()
    return notStarted(codeOf(error))
  } finally {
    pipes?.handOver()
  }
}

function running(child: ChildProcess, pid: number, pipes: ProgramPipes): Running {
  const { input, output, errors } = pipes
  let asked = false
  const kill = () => {
    asked = true
    killGroup(pid)
  }
  const ended = new Promise<ProcessEnd>((done) => {
    child.once('exit', (code, signal) => {
      const outside = signal === 'SIGKILL' && !asked
      // What it left dies with it; its output may still be in the pipe.
      kill()
      living.delete(pid)
      input.close()
      setTimeout(() => afterReading(() => pipes.close()), PIPES_MS).unref()
      const ending =
        signal === null ? { code: code ?? 0 } : { signal, outside: outside ? ('possible' as const) : undefined }
      void Promise.all([output.closed, errors.closed]).then(() => done(ending))
    })
  })
  return {
    send: (bytes) => input.send(bytes),
    endInput: () => input.end(),
    drain: () => output.drain(),
    look: () => output.look(),
    kill,
    group: pid,
    exited: (then) => void child.once('exit', then),
    ended,
  }
}

const nothing = () => undefined

function notStarted(why: string | Promise<string>): Running {
  const ended = Promise.resolve(why).then((code): ProcessEnd => {
    if (EXHAUSTED.has(code)) throw new HostError(`this machine can start no more programs: ${code}`, code)
    return { noStart: code }
  })
  return { send: nothing, endInput: nothing, drain: nothing, kill: nothing, exited: nothing, ended }
}

export const NO_START = 'could not be started'

function sandboxEnding(why: string, { memory, outside }: ProcessEnd): string {
  if (memory) return 'its sandbox ended: its memory was used up'
  return outside === 'certain' ? 'its sandbox was ended from outside' : `broke its sandbox: ${why}`
}
const WHOSE: Readonly<Record<Outside, string>> = {
  certain: 'which came from outside',
  possible: 'which agon did not send',
}

/** In words: 'ended by signal SIGSEGV'. */
export function describeEnding(ending: ProcessEnd): string {
  if (ending.noStart !== undefined) return `${NO_START}: ${ending.noStart}`
  if (ending.sandbox !== undefined) return sandboxEnding(ending.sandbox, ending)
  const why = ending.memory ? ': its memory was used up' : ending.outside ? `, ${WHOSE[ending.outside]}` : ''
  if (ending.signal !== undefined) return `ended by signal ${ending.signal}${why}`
  return `ended with exit code ${ending.code}`
}
