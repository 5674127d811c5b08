import { closeSync, openSync, readSync, unlinkSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { takeRuntimeFolder, threadOf } from '../files/index.js'
import {
  BUILD_LIMITS,
  FIRST_DATA,
  bubblewrapArguments,
  interpreterFolders,
  openBlockingPipes,
} from '../sandbox/index.js'
import { MARKS, STATES, TEXT_AT, TEXT_BYTES, type ProgramStart } from './program-marks.js'
import type { ReadyProgram } from './program-source.js'

/*
 * A game program is asked in the middle of calls that do not wait, so over two blocking pipes: a line goes out, and this thread stands
 * still until one has come back, some forty microseconds. A thread beside it (program-keeper.ts) has started the program, and ends one that
 * takes too long; its pipe then ends, and this thread goes on.
 */

/** What a program answered that is none, or how it ended: in words that go on from its name. */
export class ProgramTrouble extends Error {}

/** Bytes of a line that a program may answer. */
const MOST = 64 * 1024 ** 2
/** Milliseconds for a program to be started, and for a word about how it ended: the machine may be busy. */
const PATIENCE_MS = 20_000
const NEWLINE = 10

export class Program {
  private running: Running | undefined
  private readonly buffer = Buffer.alloc(64 * 1024)

  /** `hash`: how its hashes begin, if it has such: what depends on their order differs between programs. */
  constructor(
    private readonly ready: ReadyProgram,
    private readonly how: { readonly bubblewrap: string | undefined; readonly limitMs: number; readonly hash: number },
  ) {}

  /** The line that it answers. Throws ProgramTrouble; it is then ended. */
  ask(line: string): string {
    const running = (this.running ??= start(this.ready, this.how))
    if (running.rest !== '') throw this.failed(`said more than it was asked: ${shortened(running.rest)}`)
    Atomics.store(running.marks, MARKS.question, ++running.questions)
    try {
      send(running.input, line)
      return this.read(running)
    } finally {
      Atomics.store(running.marks, MARKS.question, 0)
    }
  }

  /** Sends a line that it does not answer. One that has ended is not started for it. */
  tell(line: string): void {
    if (this.running) send(this.running.input, line)
  }

  private read(running: Running): string {
    let chunks: Buffer[] | undefined
    let bytes = 0
    for (;;) {
      const length = readSync(running.output, this.buffer, 0, this.buffer.length, null)
      if (length === 0) throw this.failed(undefined)
      const chunk = this.buffer.subarray(0, length)
      const end = chunk.indexOf(NEWLINE)
      if (end < 0) {
        bytes += length
        if (bytes > MOST) throw this.failed(`answers a line of more than ${MOST} bytes`)
        ;(chunks ??= []).push(Buffer.from(chunk))
        continue
      }
      running.rest = chunk.toString('utf8', end + 1)
      const last = chunk.subarray(0, end)
      return chunks === undefined ? last.toString('utf8') : Buffer.concat([...chunks, last]).toString('utf8')
    }
  }

  /** Ends it. The error has `why`, or how it ended by itself, and the end of its standard error. */
  failed(why: string | undefined): ProgramTrouble {
    const { running } = this
    if (running === undefined) return new ProgramTrouble(why)
    this.running = undefined
    if (why !== undefined) kill(running)
    close(running)
    const { marks } = running
    while (Atomics.load(marks, MARKS.state) !== STATES.ended)
      if (Atomics.wait(marks, MARKS.state, STATES.runs, PATIENCE_MS) === 'timed-out') break
    const text = Buffer.from(new Uint8Array(running.memory, TEXT_AT, Atomics.load(marks, MARKS.length))).toString()
    const end = JSON.parse(text === '' ? '{}' : text) as { why?: string; stderr?: string }
    const said = end.stderr ? `; the end of its standard error: ${lastOf(end.stderr)}` : ''
    return new ProgramTrouble(`${why ?? end.why ?? 'has ended'}${said}`)
  }

  /** Ends it, with nothing to say. */
  end(): void {
    if (this.running === undefined) return
    kill(this.running)
    close(this.running)
    this.running = undefined
  }
}

interface Running {
  readonly input: number
  readonly output: number
  readonly memory: SharedArrayBuffer
  readonly marks: Int32Array
  questions: number
  /** What it has printed beyond its answer. */
  rest: string
}

/** A program that has ended is noticed where its answer is read. */
function send(fd: number, line: string): void {
  try {
    const bytes = Buffer.from(`${line}\n`)
    for (let sent = 0; sent < bytes.length;) sent += writeSync(fd, bytes, sent)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
  }
}

function kill({ marks }: Running): void {
  const pid = Atomics.load(marks, MARKS.pid)
  try {
    if (pid > 0) process.kill(-pid, 'SIGKILL')
  } catch {
    // The whole group has ended already.
  }
}

function close(running: Running): void {
  closeSync(running.input)
  closeSync(running.output)
  living.delete(running)
}

const living = new Set<Running>()
process.on('exit', () => {
  for (const running of living) kill(running)
})

/** This thread's. */
let keeper: Worker | undefined

function keeperHere(): Worker {
  if (keeper === undefined) {
    keeper = threadOf('contest/program-keeper')
    keeper.unref()
  }
  return keeper
}

function start({ argv, folder }: ReadyProgram, { bubblewrap, limitMs, hash }: Program['how']): Running {
  const memory = new SharedArrayBuffer(TEXT_AT + TEXT_BYTES)
  const marks = new Int32Array(memory, 0, TEXT_AT / 4)
  const { input, output } = openBlockingPipes()
  const env = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', PYTHONHASHSEED: String(hash), PERL_HASH_SEED: String(hash) }
  const held = bubblewrap === undefined ? undefined : inSandbox(bubblewrap, { argv, folder }, env)
  const message: ProgramStart = {
    ...(held ?? { argv, env: { ...process.env, ...env }, data: [] }),
    cwd: folder,
    input: input.theirs,
    output: output.theirs,
    firstData: FIRST_DATA,
    limitMs,
    marks: memory,
  }
  keeperHere().postMessage(message)
  const begun = Atomics.wait(marks, MARKS.state, STATES.starts, PATIENCE_MS)
  for (const fd of [input.theirs, output.theirs, ...message.data]) closeSync(fd)
  if (begun === 'timed-out') throw new Error('the thread that starts game programs does not answer')
  const running = { input: input.ours, output: output.ours, memory, marks, questions: 0, rest: '' }
  living.add(running)
  return running
}

let texts: string | undefined

/** How it is started in a sandbox: no network, system and own folder to read, only /tmp to write. */
function inSandbox(
  bubblewrap: string,
  { argv, folder }: ReadyProgram,
  env: Readonly<Record<string, string>>,
): Pick<ProgramStart, 'argv' | 'env' | 'data'> {
  const words = ['/usr/bin/env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...argv]
  const also = interpreterFolders({ argv, source: folder })
  const room = { source: folder, also, tools: {}, limits: BUILD_LIMITS }
  const { args, data } = bubblewrapArguments(room, words, false)
  texts ??= takeRuntimeFolder().folder
  const path = join(texts, 'text')
  const fds = Object.values(data).map((text) => {
    writeFileSync(path, text, { mode: 0o600 })
    const fd = openSync(path, 'r')
    unlinkSync(path)
    return fd
  })
  return { argv: [bubblewrap, ...args], env: {}, data: fds }
}

const shortened = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)

function lastOf(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  const end = lines
    .filter((line) => line !== '')
    .slice(-4)
    .join(' | ')
  return end.length > 400 ? `…${end.slice(-400)}` : end
}
