import { type ChildProcess, spawn } from 'node:child_process'
import { Socket, type SocketConstructorOpts } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { afterReading } from './deadline.js'

/*
 * Theory of operation.
 *
 * Every program of a bot is started here and nowhere else, each as the leader of a process group of its own, so that it and
 * what it started can be killed together. Its environment holds only what is given; its standard error is always drained and
 * its last 64 KiB are kept, so that a bot cannot block on a pipe that nobody reads. When this process ends in any way that it
 * can notice, all groups that still live are killed.
 *
 * This is a plain child process: it sees the host's files and network. Whoever runs bots that he does not trust needs more.
 */

/** What to start, and where. */
export interface Launch {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: 'pipe' | 'ignore'
}

/** The last this many bytes of a bot's standard error are kept. */
export const STDERR_KEPT = 64 * 1024

/** The end of what a bot wrote to its standard error over its life. */
export class StderrTail {
  private text = ''
  private dropped = 0

  /** Bytes that no longer fit. */
  get lost(): number {
    return this.dropped
  }
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
    this.dropped += over
  }
}

const living = new Set<number>()
process.on('exit', () => {
  for (const pid of living) killPid(pid)
})

function killPid(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The whole group has ended already.
  }
}

/** A running program of a bot. */
export interface Running {
  /** Its standard input, where it has one. */
  readonly stdin: Writable | null
  /** The descriptor of its standard input, which does not block; undefined where Node does not tell. */
  readonly input: number | undefined
  /** Kills it with all that it started. */
  kill(): void
  /** Calls when the program itself has ended; its output may still be on its way. */
  exited(then: () => void): void
  /** Settles when it has ended and its pipes are closed. */
  readonly ended: Promise<Ending>
}
/** How a program ended: its exit code, the signal that killed it, or that it could not be started. */
export interface Ending {
  readonly code?: number
  readonly signal?: string
  readonly noStart?: string
}

/** This machine could start no program at all, whoever's: no fault of the bot. */
export class HostError extends Error {
  override readonly name = 'HostError'
}

/** What the system says when it has run out of processes, files or memory. */
const EXHAUSTED: ReadonlySet<string> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'])

/** How long pipes may stay open, in milliseconds, after a program and its group have ended: someone outside the group holds them. */
const PIPES_MS = 50

/**
 * Starts a program; `output` is called with what it prints, in a buffer that is lent for the call. What is wrong with the
 * program is an ending; where this machine can start nothing, `ended` rejects with a HostError.
 */
export function start(launch: Launch, stderr: StderrTail, output: (bytes: Buffer) => void): Running {
  const [file, ...args] = launch.argv
  let child: ChildProcess
  try {
    child = spawn(file ?? '', args, {
      cwd: launch.cwd,
      env: launch.env,
      detached: true,
      stdio: [launch.stdin, 'pipe', 'pipe'],
    })
  } catch (error) {
    // Arguments that no program can be given: a NUL byte, too many bytes.
    return notStarted(codeOf(error))
  }
  const { pid } = child
  if (pid === undefined) {
    return notStarted(new Promise((told) => child.once('error', (error) => told(codeOf(error)))))
  }
  living.add(pid)
  const kill = () => killPid(pid)
  const stdout = child.stdout && readInto(child.stdout, output)
  const allRead = stdout && new Promise((closed) => stdout.once('close', closed))
  child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk))
  child.stdin?.on('error', () => {
    // It closed its input or has ended: whether it answers all the same is seen by the one who asked.
  })
  const ended = new Promise<Ending>((done) => {
    child.once('exit', () => {
      // What it left behind dies with it; its own output may still be in the pipe.
      kill()
      living.delete(pid)
      const letGo = () => {
        closeDrained(stdout)
        closeDrained(child.stderr)
      }
      // Where this process was kept from running, the timer comes before the poll that reads what lies in the pipe.
      setTimeout(() => afterReading(letGo), PIPES_MS).unref()
    })
    child.once('close', (code, signal) => {
      const ending = signal === null ? { code: code ?? 0 } : { signal }
      if (allRead) void allRead.then(() => done(ending))
      else done(ending)
    })
  })
  return {
    stdin: child.stdin,
    input: descriptorOf(child),
    kill,
    exited: (then) => void child.once('exit', then),
    ended,
  }
}

/**
 * Closes the pipe of a program that has ended once a look at it brings nothing more: where this process was slow, what was
 * written long ago is still to be read. Somebody who goes on writing is not waited for.
 */
function closeDrained(pipe: Readable | null, before = -1, looks = DRAIN_LOOKS): void {
  if (pipe === null || pipe.destroyed) return
  const read = pipe instanceof Socket ? pipe.bytesRead : before
  if (read === before || looks === 0) pipe.destroy()
  else setImmediate(() => closeDrained(pipe, read, looks - 1))
}

const DRAIN_LOOKS = 20

/**
 * Reads a pipe into one buffer that all programs share. As a stream, Node takes 64 KiB of fresh memory from the system for each
 * read, which costs more than the rest of a question and its answer; where it does not let go of the pipe, so be it.
 */
function readInto(stdout: Readable, output: (bytes: Buffer) => void): Readable {
  const handle: unknown = Reflect.get(stdout, '_handle')
  if (typeof handle !== 'object' || handle === null) return stdout.on('data', output)
  Reflect.set(stdout, '_handle', null)
  stdout.destroy()
  const callback = (length: number, buffer: Uint8Array): boolean => {
    output(Buffer.from(buffer.buffer, buffer.byteOffset, length))
    return true
  }
  const options = { handle, readable: true, writable: false, onread: { buffer: SHARED, callback } }
  const socket = new Socket(options as SocketConstructorOpts)
  return socket.on('error', () => socket.destroy())
}

const SHARED = Buffer.alloc(64 * 1024)

function descriptorOf({ stdin }: ChildProcess): number | undefined {
  const handle: unknown = stdin === null ? undefined : Reflect.get(stdin, '_handle')
  const fd: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined
  return typeof fd === 'number' && fd >= 0 ? fd : undefined
}

function notStarted(why: string | Promise<string>): Running {
  return { stdin: null, input: undefined, kill: () => undefined, exited: () => undefined, ended: noStart(why) }
}

const noStart = async (why: string | Promise<string>): Promise<Ending> => {
  const code = await why
  if (EXHAUSTED.has(code)) throw new HostError(`this machine can start no more programs: ${code}`)
  return { noStart: code }
}

/** The system's short name for what went wrong: the message would name this machine's paths. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

/** How the ending of a program that never ran begins, in words. */
export const NO_START = 'could not be started'

/** In words: 'ended by signal SIGSEGV', 'could not be started: …', 'ended with exit code 3'. */
export function describeEnding(ending: Ending): string {
  if (ending.noStart !== undefined) return `${NO_START}: ${ending.noStart}`
  if (ending.signal !== undefined) return `ended by signal ${ending.signal}`
  return `ended with exit code ${ending.code}`
}
