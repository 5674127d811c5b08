import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { Socket, type SocketConstructorOpts } from 'node:net'
import { join } from 'node:path'
import { takeRuntimeFolder, trustedProgram } from '../files/index.js'
import { HostError, exhaustedBy } from './host-error.js'

/*
 * Pipes between this process and the programs it starts.
 *
 * What Node makes of `stdio: 'pipe'` is a pair of sockets: a question and its answer through them cost half as much again, and a
 * script cannot open its own /dev/stderr. Node has no call for a true pipe, so named ones are made, many at a time, and each
 * loses its name as soon as both ends are open. Our ends do not block, so what lies in a pipe can be read at any moment; theirs
 * do, as every program expects.
 */

/** One end ours, the other for a program: theirs is to be closed here once it has been started. */
export interface Ends {
  readonly ours: number
  readonly theirs: number
}

/** The end of a pipe that is for a program. */
class TheirEnd {
  private isHeld = true

  constructor(readonly fd: number) {}

  /** The program has it, or never will: it is closed here. */
  handOver(): void {
    if (this.isHeld) closeSync(this.fd)
    this.isHeld = false
  }
}

/** Opens a pipe that a program writes to or reads from. Throws the system's error where it has no more of them. */
function openPipe(theyRead: boolean): Ends {
  const path = freshName()
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants
  const open: number[] = []
  const end = (flags: number): number => {
    const fd = openSync(path, flags)
    open.push(fd)
    return fd
  }
  try {
    // A reader that does not block may come first, and lets a writer in; then any end opens at once.
    const reader = end(O_RDONLY | O_NONBLOCK)
    const writer = end(theyRead ? O_WRONLY | O_NONBLOCK : O_WRONLY)
    if (!theyRead) return { ours: reader, theirs: writer }
    const theirs = end(O_RDONLY)
    closeSync(reader)
    return { ours: writer, theirs }
  } catch (error) {
    for (const fd of open) closeSync(fd)
    throw error
  } finally {
    unlinkSync(path)
  }
}

/** Descriptors of a program that is asked by a thread that stands still until it answers: no end blocks the other's opening, and all block. */
export interface BlockingPipes {
  readonly input: Ends
  readonly output: Ends
}

/** Opens them. Their ends are to be closed here once the program has them. */
export function openBlockingPipes(): BlockingPipes {
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants
  const [input = [], output = []] = [0, 1].map(() => {
    const path = freshName()
    try {
      const first = openSync(path, O_RDONLY | O_NONBLOCK)
      const ends = [openSync(path, O_WRONLY), openSync(path, O_RDONLY)]
      closeSync(first)
      return ends
    } finally {
      unlinkSync(path)
    }
  })
  const [toProgram = -1, reads = -1] = input
  const [prints = -1, fromProgram = -1] = output
  return { input: { ours: toProgram, theirs: reads }, output: { ours: fromProgram, theirs: prints } }
}

/** Of coreutils, wherever PATH leads: what a host hides from its bots is not hidden from agon. */
const mkfifo = (): string => {
  const found = ['/usr/bin/mkfifo', '/bin/mkfifo'].find((path) => existsSync(path)) ?? trustedProgram('mkfifo')
  if (found === undefined) throw new Error('this machine has no mkfifo')
  return found
}
/** So many the first time, and then, as a process that needs more of them will need many: to start a program halts this one. */
const [FIRST_BATCH, BATCH] = [64, 512]
let folder: string | undefined
let names: string[] = []
let made = 0

/** Makes them in a folder that another thread removes: this one may be ended at any moment. */
export function pipesIn(own: string): void {
  folder = own
}

function freshName(): string {
  folder ??= takeRuntimeFolder().folder
  const own = folder
  if (names.length === 0) {
    names = Array.from({ length: made === 0 ? FIRST_BATCH : BATCH }, () => join(own, String(made++)))
    try {
      execFileSync(mkfifo(), ['-m', '600', ...names], { stdio: ['ignore', 'ignore', 'pipe'] })
    } catch (error) {
      names = []
      throw notMade(own, error)
    }
  }
  return names.pop() as string
}

/** Why no named pipes could be made in a folder. */
function notMade(own: string, error: unknown): Error {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
  const code = exhaustedBy(stderr) ?? (error instanceof Error && 'code' in error ? String(error.code) : undefined)
  return new HostError(`no named pipes can be made in ${own}: ${stderr.split('\n')[0] || String(error)}`, code)
}

/** The end of a pipe that a program prints into. */
export class Output {
  readonly theirs: TheirEnd
  private readonly fd: number
  private readonly socket: Socket
  /** Settles when all of it has been read, or it was closed. */
  readonly closed: Promise<void>

  /** Calls `onBytes` with what is read, in a buffer that is lent for the call. */
  constructor(private readonly onBytes: (bytes: Buffer) => void) {
    const { ours, theirs } = openPipe(false)
    this.theirs = new TheirEnd(theirs)
    this.fd = ours
    const callback = (length: number): boolean => {
      onBytes(SHARED.subarray(0, length))
      return true
    }
    // Node's types do not know that a socket of a descriptor can read into a buffer, too.
    const options: SocketConstructorOpts & { onread: unknown } = {
      fd: ours,
      readable: true,
      writable: false,
      onread: { buffer: SHARED, callback },
    }
    this.socket = new Socket(options)
    this.socket.on('error', () => this.socket.destroy())
    this.closed = new Promise((done) => this.socket.once('close', () => done()))
  }

  /** Reads what lies in the pipe at this moment, to the last byte. */
  drain(): void {
    // The error that says "nothing" is thrown at each question: without a stack it costs a third.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    try {
      for (let looks = 0; looks < LOOKS && !this.socket.destroyed; looks++) {
        const length = readSync(this.fd, SHARED, 0, SHARED.length, null)
        if (length === 0) return
        this.onBytes(SHARED.subarray(0, length))
      }
    } catch {
      // There is nothing more in it.
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }

  /** Reads once what lies in the pipe. */
  readOnce(): void {
    const length = this.socket.destroyed ? 0 : readBytes(this.fd, SHARED)
    if (length > 0) this.onBytes(SHARED.subarray(0, length))
  }

  /** Reads once what lies in the pipe, as latin1. */
  look(): string {
    return this.socket.destroyed ? '' : readText(this.fd, SHARED)
  }

  /** Whether this process stays for what may come. */
  keepAlive(is: boolean): void {
    if (is) this.socket.ref()
    else this.socket.unref()
  }

  /** Reads what is there, and closes the pipe, even if a process still holds its other end. */
  close(): void {
    this.drain()
    this.socket.destroy()
  }
}

/** Bytes are read into one buffer: a stream would take 64 KiB of fresh memory from the system for each read. */
const SHARED = Buffer.alloc(64 * 1024)
/** Reads in a row, at most: a bot may write without end. */
const LOOKS = 32

/** What one read finds in a pipe that does not block, as latin1; empty where there is nothing. `buffer` is what it is read into. */
export function readText(fd: number, buffer: Buffer): string {
  return buffer.toString('latin1', 0, readBytes(fd, buffer))
}

/** Bytes that one read finds in a pipe that does not block, 0 where there is nothing. */
function readBytes(fd: number, buffer: Buffer): number {
  // The error that says "nothing" costs a third without a stack.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return readSync(fd, buffer, 0, buffer.length, null)
  } catch {
    return 0
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The end of a pipe that a program reads from. */
export class Input {
  readonly theirs: TheirEnd
  readonly fd: number
  readonly stream: Socket

  constructor() {
    const { ours, theirs } = openPipe(true)
    this.theirs = new TheirEnd(theirs)
    this.fd = ours
    this.stream = new Socket({ fd: ours, readable: false, writable: true })
    // It closed its input or has ended: whether it answers all the same is seen by the one who asked.
    this.stream.on('error', () => this.stream.destroy())
  }

  /** Writes at once where the pipe takes it: a stream costs more than a turn of a quick bot. The bytes are only lent. */
  send(bytes: Buffer): void {
    if (!this.stream.writable) return
    let written = 0
    if (this.stream.writableLength === 0) {
      try {
        written = writeSync(this.fd, bytes)
      } catch {
        // The pipe is full, or its other end is gone: the stream waits for the one and reports the other.
      }
    }
    if (written < bytes.length) this.stream.write(Buffer.from(bytes.subarray(written)))
  }

  close(): void {
    this.stream.destroy()
  }
}

/** The pipes that are a program's descriptors 0, 1 and 2. */
export interface ProgramPipes {
  readonly input: Input
  readonly output: Output
  readonly errors: Output
}

/** Opens them all. Throws where this machine has no more of them, and then none is left open. */
export function openPipes(onOutput: (bytes: Buffer) => void, onErrors: (bytes: Buffer) => void): ProgramPipes {
  const opened: (Input | Output)[] = []
  const kept = <P extends Input | Output>(pipe: P): P => {
    opened.push(pipe)
    return pipe
  }
  try {
    const input = kept(new Input())
    const output = kept(new Output(onOutput))
    return { input, output, errors: kept(new Output(onErrors)) }
  } catch (error) {
    for (const pipe of opened) {
      pipe.theirs.handOver()
      pipe.close()
    }
    throw error
  }
}

/**
 * Calls once all that lies in the pipes now has been read. Timers run before the pipes are polled, and what comes from a pipe
 * runs in the middle of a poll: one more whole turn of the loop is needed.
 */
export function afterReading(then: () => void): void {
  setImmediate(() => setImmediate(then))
}
