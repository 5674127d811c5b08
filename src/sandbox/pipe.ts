import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { Socket, type SocketConstructorOpts } from 'node:net'
import { join } from 'node:path'
import { takeRuntimeFolder, trustedProgram } from '../files/index.js'
import { HostError, exhaustedBy } from './host-error.js'

/*
 * Node's `stdio: 'pipe'` is a pair of sockets: a question and its answer cost half as much again, and a script cannot
 * open its own /dev/stderr. Node makes no true pipe, so named ones are made, many at a time, and lose their names once
 * both ends are open. Our ends do not block, so they can be read at any moment; theirs do, as programs expect.
 */

/** One end ours, the other for a program: close theirs here once it has started. */
interface Ends {
  readonly ours: number
  readonly theirs: number
}

/** Opens a pipe that a program writes to or reads from; with `blocks` our end blocks, too. Throws the system's error. */
function openPipe(theyRead: boolean, blocks = false): Ends {
  const path = freshName()
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants
  const open: number[] = []
  const end = (flags: number): number => {
    const fd = openSync(path, flags)
    open.push(fd)
    return fd
  }
  try {
    // A reader that does not block may come first, and lets a writer in; then all opens at once.
    const first = end(O_RDONLY | O_NONBLOCK)
    const writer = end(theyRead && !blocks ? O_WRONLY | O_NONBLOCK : O_WRONLY)
    if (!theyRead && !blocks) return { ours: first, theirs: writer }
    const reader = end(O_RDONLY)
    closeSync(first)
    return theyRead ? { ours: writer, theirs: reader } : { ours: reader, theirs: writer }
  } catch (error) {
    for (const fd of open) closeSync(fd)
    throw error
  } finally {
    unlinkSync(path)
  }
}

/** Pipes to a program whose thread stands still until it answers. Close their ends here once the program has them. */
export const openBlockingPipes = (): { readonly input: Ends; readonly output: Ends } => ({
  input: openPipe(true, true),
  output: openPipe(false, true),
})

/** Of coreutils, wherever PATH leads: what is hidden from bots is not hidden from agon. */
const mkfifo = (): string => {
  const found = ['/usr/bin/mkfifo', '/bin/mkfifo'].find((path) => existsSync(path)) ?? trustedProgram('mkfifo')
  if (found === undefined) throw new Error('this machine has no mkfifo')
  return found
}
/** So many first, then more at once: starting mkfifo halts this process, and who needs more needs many. */
const [FIRST_BATCH, BATCH] = [64, 512]
let folder: string | undefined
let names: string[] = []
let made = 0

/** Makes them in a folder that another thread removes, as this one may be ended at any moment. */
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

function notMade(own: string, error: unknown): Error {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
  const code = exhaustedBy(stderr) ?? (error instanceof Error && 'code' in error ? String(error.code) : undefined)
  return new HostError(`no named pipes can be made in ${own}: ${stderr.split('\n')[0] || String(error)}`, code)
}

/** One buffer: a stream would take 64 KiB of fresh memory for each read. */
const SHARED = Buffer.alloc(64 * 1024)
/** Reads in a row, at most: a bot may write without end. */
const LOOKS = 32

/** What one read finds, lent until the next read; empty: nothing. */
function readOnce(fd: number): Buffer {
  // "Nothing" is thrown at each question: without a stack it costs a third.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return SHARED.subarray(0, readSync(fd, SHARED, 0, SHARED.length, null))
  } catch {
    return SHARED.subarray(0, 0)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

export function discard(fd: number): void {
  for (let looks = 0; looks < LOOKS && readOnce(fd).length > 0; looks++);
}

export class PipeReader {
  private readonly socket: Socket
  /** Settles when all is read, or it was closed. */
  readonly closed: Promise<void>

  /** Calls `onBytes` with what is read, in a buffer that is lent for the call. */
  constructor(
    private readonly fd: number,
    private readonly onBytes: (bytes: Buffer) => void,
  ) {
    const callback = (length: number): boolean => {
      onBytes(SHARED.subarray(0, length))
      return true
    }
    // Node's types lack that a socket of a descriptor can read into a buffer.
    const options: SocketConstructorOpts & { onread: unknown } = {
      fd,
      readable: true,
      writable: false,
      onread: { buffer: SHARED, callback },
    }
    this.socket = new Socket(options)
    this.socket.on('error', () => this.socket.destroy())
    this.closed = new Promise((done) => this.socket.once('close', () => done()))
  }

  /** Reads once what lies in the pipe. Whether there was anything. */
  look(): boolean {
    const bytes = this.socket.destroyed ? SHARED.subarray(0, 0) : readOnce(this.fd)
    if (bytes.length > 0) this.onBytes(bytes)
    return bytes.length > 0
  }

  /** Reads what lies in the pipe at this moment, to the last byte. */
  drain(): void {
    for (let looks = 0; looks < LOOKS && this.look(); looks++);
  }

  keepAlive(is: boolean): void {
    if (is) this.socket.ref()
    else this.socket.unref()
  }

  /** Closes the pipe, even if a process still holds its other end; what was not read is lost. */
  close(): void {
    this.socket.destroy()
  }
}

export class PipeWriter {
  private readonly stream: Socket

  constructor(private readonly fd: number) {
    this.stream = new Socket({ fd, readable: false, writable: true })
    // It closed its input or has ended: who asked sees whether it answers all the same.
    this.stream.on('error', () => this.stream.destroy())
  }

  /** Writes at once where the pipe takes it: a stream costs more than a quick bot's turn. The bytes are lent. */
  send(bytes: Buffer): void {
    if (!this.stream.writable) return
    let written = 0
    if (this.stream.writableLength === 0) {
      try {
        written = writeSync(this.fd, bytes)
      } catch {
        // The pipe is full, or its other end gone: the stream waits, or reports it.
      }
    }
    if (written < bytes.length) this.stream.write(Buffer.from(bytes.subarray(written)))
  }

  end(): void {
    this.stream.end()
  }

  close(): void {
    this.stream.destroy()
  }
}

/** The pipes that are a program's descriptors 0, 1 and 2. */
export class ProgramPipes {
  readonly input: PipeWriter
  readonly output: PipeReader
  readonly errors: PipeReader
  /** The descriptors for the program, until they are handed over. */
  theirs: readonly number[]

  /** Throws where this machine has no more of them, and leaves none open. */
  constructor(onOutput: (bytes: Buffer) => void, onErrors: (bytes: Buffer) => void) {
    const opened: Ends[] = []
    try {
      for (const theyRead of [true, false, false]) opened.push(openPipe(theyRead))
    } catch (error) {
      for (const { ours, theirs } of opened) for (const fd of [ours, theirs]) closeSync(fd)
      throw error
    }
    const [input = -1, output = -1, errors = -1] = opened.map(({ ours }) => ours)
    this.input = new PipeWriter(input)
    this.output = new PipeReader(output, onOutput)
    this.errors = new PipeReader(errors, onErrors)
    this.theirs = opened.map(({ theirs }) => theirs)
  }

  /** Closes the program's ends: it has them, or never will. */
  handOver(): void {
    for (const fd of this.theirs) closeSync(fd)
    this.theirs = []
  }

  close(): void {
    this.output.drain()
    this.errors.drain()
    for (const pipe of [this.output, this.errors, this.input]) pipe.close()
  }
}

/** Calls once all that lies in the pipes now is read: what runs amid a poll needs one more turn of the loop. */
export function afterReading(then: () => void): void {
  setImmediate(() => setImmediate(then))
}

/**
 * Whether a program is looked at as soon as it was asked. A quick one that has our core has answered then, and waiting
 * costs more. A look in vain costs as much: each makes looks rarer.
 */
export class FirstLook {
  private pause = 0
  private left = 0

  due(): boolean {
    return this.left === 0 || this.left-- === 0
  }
  found(answered: boolean): void {
    this.pause = answered ? 0 : Math.min(2 * this.pause + 1, MOST_PAUSE)
    this.left = this.pause
  }
}
const MOST_PAUSE = 63
