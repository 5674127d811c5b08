import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, closeSync, constants, openSync, readFileSync, readdirSync, writeSync } from 'node:fs'
import { constants as system } from 'node:os'
import { PLACES, type RoomSpec, bubblewrapArguments } from './bubblewrap.js'
import {
  FrameReader,
  type Turn,
  type TurnResult,
  type Tree,
  endOf,
  endingOf,
  frame,
  packTree,
  readResult,
  requestFrame,
  unpackTree,
  type End,
  type Outside,
} from './frames.js'
import { ANSWERS, END, PROTOCOL, REQUESTS } from './protocol.js'
import { hardStopMs } from './clock.js'
import { Input, Output } from './pipe.js'
import { HostError, exhaustedBy, hostError } from './host-error.js'
import { hasRoomBeside } from './source-top.js'
import { Watchdog } from './watchdog.js'

/*
 * Theory of operation.
 *
 * A cell is a closed room that one bot's programs run in, built once and used as long as the bot is needed. Node starts the
 * launcher, which becomes the bot's user and bubblewrap, which makes the room and starts the launcher again in it as process 1;
 * that answers requests, one at a time, over the pair of descriptors that Node holds. When Node ends, however it ends, its end
 * of them closes, the launcher ends, and with process 1 the kernel ends every process of the cell and its mounts.
 *
 * A process per turn is one request and one answer. A process that stays is asked by Node itself, over two pipes that
 * the launcher has made and nobody else can find; the launcher is told of a question only when its answer is not there soon.
 */

/** What a cell is made of, beyond its room. */
export interface CellSpec extends RoomSpec {
  /** The launcher's program. */
  readonly launcher: string
  /** Words before its own, which start it as somebody else. */
  readonly prefix?: readonly string[]
  /** bubblewrap's program; undefined: no room is made, and the launcher runs among the host's processes. */
  readonly bubblewrap: string | undefined
  /** A process stays in it, and has pipes. */
  readonly pipes?: boolean
  /** Bytes that the state folder may hold. */
  readonly stateBytes?: number
  /** The user that the cell's programs are, where agon may choose; absent: agon's own. */
  readonly user?: number
  /** cgroups that the cell's programs belong to. */
  readonly cgroups?: readonly string[]
  /** They limit the memory of all its programs together. */
  readonly counted?: boolean
  /** The file that tells the CPU time of these cgroups, where there is one. */
  readonly cpu?: string
  /** The only core they run on. */
  readonly core?: number
}

/** What the launcher could put on its programs. */
export interface CellFacts {
  /** Landlock's version; 0: none. */
  readonly landlock: number
  readonly seccomp: boolean
  /** It has a namespace of processes of its own. */
  readonly alone: boolean
  /** Whether a program was killed by its own family is known. */
  readonly seesKills: boolean
}

/** How a process that stayed has ended. */
export type StayEnd = Pick<TurnResult, 'end' | 'stop' | 'outside'>

/** How a cell has ended that was not closed. */
export interface CellEnd {
  readonly why: string
  /** It was ended from outside; absent: it was closed. */
  readonly outside?: Outside
}

/** Measures of a question that was watched, in microseconds since it began; CPU since it was watched. */
export interface Measures {
  readonly question: number
  readonly wallUs: number
  readonly chargedUs: number
  readonly cpuUs: number
  /** The hard stop came first: what it is charged is within its limit, others had its core for the rest. */
  readonly busy: boolean
}

/** What a process that stays tells of. */
export interface StayEvents {
  ended(end: StayEnd): void
  errors(chunk: Buffer): void
  /** The time of a watched question is up, and the process stands still until it is killed or let go on. */
  late(measures: Measures): void
  measured(measures: Measures): void
}

/** The pipes of a process that stays. */
export interface CellPipes {
  /** What it reads, kept here by its other end: to write, it is opened again through /proc, and its closing is the bot's end of input. */
  readonly toBot: number
  /** What it prints; can be written too. */
  readonly fromBot: number
}

type Awaited = {
  done(body: Buffer): void
  failed(error: Error): void
  /** When it is to be there at the latest, as performance.now() says. */
  readonly until: number
}

/** Opens a cell. Rejects with a HostError where this machine cannot make one. */
export async function openCell(spec: CellSpec): Promise<Cell> {
  const cell = new Cell(spec)
  await cell.opened
  return cell
}

export class Cell {
  /** Settles with the launcher's first word. */
  readonly opened: Promise<CellFacts>
  /** Settles when nothing of it is left. */
  readonly closed: Promise<void>
  private readonly child: ChildProcess
  private readonly input: Input
  private readonly answers: Output
  private readonly waiting: Awaited[] = []
  private said = ''
  private ended = false
  private next = 1
  /** Of the processes that stay, by their ids: one that was killed may still be told of when the next one runs. */
  private readonly events = new Map<number, StayEvents>()
  private turnId = 0
  private closing = false
  private end: CellEnd = { why: 'the cell is open' }
  /** A watched question of the process that stays: when the launcher has said something of it at the latest. */
  private watched: { readonly id: number; readonly until: number } | undefined
  /** Ends a cell whose launcher does not answer, whatever keeps it: nothing that is awaited of it is awaited for ever. */
  private readonly watchdog = new Watchdog(
    () => Math.min(this.waiting[0]?.until ?? Infinity, this.watched?.until ?? Infinity),
    () => this.giveUp(),
  )
  /** The pipes, once the launcher has made them. */
  private pipeFds: CellPipes | undefined

  constructor(private readonly spec: CellSpec) {
    const [program = '', ...args] = [...(spec.prefix ?? []), ...commandOf(spec)]
    const reader = new FrameReader((kind, body) => this.take(kind, body))
    this.input = new Input()
    this.answers = new Output((bytes) => reader.read(bytes))
    const { input, answers } = this
    this.child = spawn(program, args, {
      cwd: '/',
      env: {},
      stdio: [input.theirs, answers.theirs, 'pipe'],
      detached: true,
    })
    closeSync(input.theirs)
    closeSync(answers.theirs)
    this.child.stderr?.on('data', (chunk: Buffer) => {
      if (this.said.length < 4096) this.said += chunk.toString('utf8')
    })
    this.opened = new Promise((done, failed) => {
      this.waiting.push({ done: (body) => done(this.hello(body)), failed, until: performance.now() + PATIENCE_MS })
    })
    this.watchdog.look()
    this.opened.catch(() => undefined)
    this.closed = new Promise((done) => {
      const end = (error: HostError, outside?: Outside) => {
        if (this.ended) return
        this.end = { why: error.message, ...(outside !== undefined && !this.closing && { outside }) }
        // Its last answer may still lie in the pipe.
        answers.close()
        input.close()
        this.ended = true
        this.watchdog.close()
        this.closePipes()
        for (const awaited of this.waiting.splice(0)) awaited.failed(error)
        done()
      }
      this.child.once('error', (error) => end(hostError("the cell's launcher could not be started", error)))
      const over = (code: number | null, signal: string | null) => {
        const said = this.said.trim()
        const error = new HostError(`the cell has ended${said === '' ? '' : `: ${said}`}`, exhaustedBy(said))
        end(error, outsideOf(code, signal))
      }
      this.child.once('close', over)
      this.child.once('exit', (code, signal) => {
        // A guard that ends by itself has seen to that.
        if (signal !== null) killSession(this.child.pid)
        // Whoever else holds the pipe of its errors is not waited for.
        setTimeout(over, LINGER_MS, code, signal).unref()
      })
    })
  }

  /** It has ended, and answers nothing any more. */
  get gone(): boolean {
    return this.ended
  }

  /** How it has ended, once it has. */
  get fate(): CellEnd {
    return this.end
  }

  /** The system's number of the outermost process. */
  get pid(): number | undefined {
    return this.child.pid
  }

  /** Runs one process to its end. Rejects with a HostError where the cell itself ends. */
  turn(turn: Turn): Promise<TurnResult> {
    if (hasNul(turn)) return Promise.resolve(UNSTARTABLE)
    this.turnId = this.next++
    return this.ask(requestFrame(REQUESTS.turn, this.turnId, turn), readResult, hardStopMs(turn.limit))
  }

  /** Ends the process that stays of that id, else the turn that was asked for last. */
  kill(id = this.turnId): void {
    if (this.events.has(id)) this.expect(id, PATIENCE_MS)
    this.send(frame(REQUESTS.kill, numbered(id, 4)))
  }

  /** Starts the process that stays: its id, and undefined where it runs, else why it does not. */
  start(
    command: Omit<Turn, 'wipe' | 'limit' | 'output'>,
    events: StayEvents,
  ): { readonly id: number; readonly failed: Promise<End | undefined> } {
    const id = this.next++
    if (hasNul(command)) return { id, failed: Promise.resolve(UNSTARTABLE.end) }
    this.events.set(id, events)
    const request = requestFrame(REQUESTS.start, id, { ...command, wipe: false, limit: 0, output: 0 })
    const failed = this.ask(request, (body) => {
      const code = body.readUInt32LE(0)
      if (code === 0) return undefined
      this.events.delete(id)
      return endOf(END.notStarted, code)
    })
    return { id, failed }
  }

  /** The pipes of the process that stays. */
  get pipes(): CellPipes {
    if (this.pipeFds === undefined) throw new HostError('the cell has no pipes')
    return this.pipeFds
  }

  /** Of a process that stays, a question is still open that began at `began` (nanoseconds of the monotonic clock) and has `limit` milliseconds in all. */
  watch(id: number, question: number, began: bigint, limit: number): void {
    const body = numbered(id, 24)
    body.writeUInt32LE(question, 4)
    body.writeBigUInt64LE(began, 8)
    body.writeBigUInt64LE(BigInt(Math.round(limit * 1e6)), 16)
    this.send(frame(REQUESTS.watch, body))
    const age = Number(process.hrtime.bigint() - began) / 1e6
    this.expect(id, hardStopMs(limit) - age)
  }
  /** It has been answered; its measures are told by `measured`. */
  answered(id: number): void {
    this.send(frame(REQUESTS.answered, numbered(id, 4)))
  }
  /** A process that stays stands still from now on, with its family, because nobody asks it. */
  rest(id: number): void {
    this.send(frame(REQUESTS.rest, numbered(id, 4)))
  }
  /** It goes on. Resolves when it does. */
  wake(id: number): Promise<void> {
    return this.ask(frame(REQUESTS.wake, numbered(id, 4)), () => undefined)
  }
  /** A process that stood still because its time was up goes on: the answer was there. */
  resume(id: number): void {
    this.send(frame(REQUESTS.continue, numbered(id, 4)))
  }

  /** Starts the warm parent, which turns that allow it are forked from. Whether it is there. */
  warm(command: Omit<Turn, 'wipe' | 'output' | 'errors'>): Promise<boolean> {
    const request = requestFrame(REQUESTS.warm, this.next++, { ...command, wipe: false, output: 0, errors: 0 })
    return this.ask(request, (body) => body.readUInt32LE(0) === 1, command.limit)
  }

  /** Empties all that can be written in it. */
  fresh(): void {
    this.send(frame(REQUESTS.fresh))
  }

  /** The plain files below a folder of the cell, as far as they have room in `most` bytes, and the bytes of all. */
  files(folder: string, most: number): Promise<{ tree: Tree; bytes: number }> {
    const head = Buffer.alloc(4)
    head.writeUInt32LE(most, 0)
    return this.ask(frame(REQUESTS.files, Buffer.concat([head, Buffer.from(`${folder}\0`)])), (body) => ({
      bytes: Number(body.readBigUInt64LE(0)),
      tree: unpackTree(body.subarray(8)),
    }))
  }
  /** Makes a folder of the cell hold these files and no others. */
  put(folder: string, tree: Tree): void {
    this.send(frame(REQUESTS.put, Buffer.concat([Buffer.from(`${folder}\0`), packTree(tree)])))
  }

  /**
   * Where a folder of the cell is found from outside, in the root of its first process. Nothing in it may run, nor a link in it be
   * followed. Throws a HostError where this machine does not let agon look in.
   */
  rootOf(folder: string): string {
    let pid = String(this.child.pid)
    try {
      for (let next = pid; next !== ''; next = childrenOf(pid)) pid = next
      accessSync(`/proc/${pid}/root${PLACES.tools}/launcher`)
    } catch (error) {
      throw new HostError(`the cell cannot be looked into: ${error instanceof Error ? error.message : String(error)}`)
    }
    return `/proc/${pid}/root${folder}`
  }

  /** Binds it to a core; undefined: to any. */
  bind(core: number | undefined): void {
    const body = Buffer.alloc(4)
    body.writeInt32LE(core ?? -1, 0)
    this.send(frame(REQUESTS.bind, body))
  }

  /** Ends it with all that runs in it. */
  async close(): Promise<void> {
    this.closing = true
    this.input.close()
    // Its first process ends all the others.
    this.child.kill('SIGTERM')
    await this.closed
  }

  private hello(body: Buffer): CellFacts {
    const version = body.readUInt32LE(0)
    if (version !== PROTOCOL.version)
      throw new HostError(`the launcher speaks version ${version}, and agon ${PROTOCOL.version}`)
    const [seccomp, alone, seesKills] = [8, 12, 16].map((at) => body.readUInt32LE(at) === 1) as [
      boolean,
      boolean,
      boolean,
    ]
    return { landlock: body.readUInt32LE(4), seccomp, alone, seesKills }
  }

  /** Opens our ends of the pipes, which the launcher has made and holds until it is told that they are open. */
  private openPipes(): void {
    const { O_RDONLY, O_RDWR, O_NONBLOCK } = constants
    const held = (fd: number, flags: number) => openSync(`/proc/${this.child.pid}/fd/${fd}`, flags | O_NONBLOCK)
    const toBot = held(3, O_RDONLY)
    this.pipeFds = { toBot, fromBot: held(4, O_RDWR) }
    this.send(frame(REQUESTS.opened))
  }

  private closePipes(): void {
    if (this.pipeFds === undefined) return
    closeSync(this.pipeFds.toBot)
    closeSync(this.pipeFds.fromBot)
    this.pipeFds = undefined
  }

  /** Sends a request, and reads its answer out of a body that is only lent. */
  private ask<T>(request: Buffer, read: (body: Buffer) => T, within = PATIENCE_MS): Promise<T> {
    return new Promise((done, failed) => {
      if (this.ended) return failed(new HostError('the cell has ended'))
      this.waiting.push({ done: (body) => done(read(body)), failed, until: performance.now() + within + MUTE_MS })
      this.watchdog.look()
      this.send(request)
    })
  }

  /** Of a process that stays something is to be told within so many milliseconds. */
  private expect(id: number, within: number): void {
    this.watched = { id, until: performance.now() + within + MUTE_MS }
    this.watchdog.look()
  }

  /** Its launcher has not answered: the guard kills all that is there. */
  private giveUp(): void {
    this.said = 'its launcher did not answer'
    this.child.kill('SIGTERM')
    setTimeout(() => this.child.kill('SIGKILL'), LINGER_MS).unref()
  }

  /** Writes at once where the pipe takes it: a stream costs more than a turn of a quick bot. */
  private send(request: Buffer): void {
    const { fd, stream } = this.input
    if (this.ended || !stream.writable) return
    let written = 0
    if (stream.writableLength === 0) {
      try {
        written = writeSync(fd, request)
      } catch {
        // The pipe is full, or its other end is gone: the stream waits for the one and tells the other.
      }
    }
    // What a request is written in is used again.
    if (written < request.length) stream.write(Buffer.from(request.subarray(written)))
  }

  private take(kind: string, body: Buffer): void {
    switch (kind) {
      case ANSWERS.hello:
      case ANSWERS.result:
      case ANSWERS.started:
      case ANSWERS.warm:
      case ANSWERS.awake:
      case ANSWERS.files: {
        const awaited = this.waiting.shift()
        try {
          awaited?.done(body)
        } catch (error) {
          awaited?.failed(error instanceof Error ? error : new HostError(String(error)))
        }
        return
      }
      case ANSWERS.pipes:
        return this.openPipes()
      case ANSWERS.errors:
      case ANSWERS.late:
      case ANSWERS.measures:
      case ANSWERS.ended:
        return this.tell(kind, body.readUInt32LE(0), body.subarray(4))
      default:
        throw new HostError(`the launcher sent a frame of kind ${JSON.stringify(kind)}`)
    }
  }

  /** Tells a process that stays, by its id, what the launcher says of it. */
  private tell(kind: (typeof ANSWERS)['errors' | 'late' | 'measures' | 'ended'], id: number, body: Buffer): void {
    const events = this.events.get(id)
    if (kind !== ANSWERS.errors && this.watched?.id === id) this.watched = undefined
    if (kind === ANSWERS.errors) return events?.errors(body)
    if (kind === ANSWERS.late) return events?.late(measures(body))
    if (kind === ANSWERS.measures) return events?.measured(measures(body))
    this.events.delete(id)
    events?.ended(endingOf(body.readUInt32LE(0), body.readInt32LE(4)))
  }
}

/** Milliseconds that a launcher may be late with what it has to say, before its cell is given up. */
const MUTE_MS = 2000
/** Milliseconds for what it does between turns: to start a program, to pack its files. */
const PATIENCE_MS = 30_000

/** A body that begins with an id. */
function numbered(id: number, length: number): Buffer {
  const body = Buffer.alloc(length)
  body.writeUInt32LE(id, 0)
  return body
}

/** Milliseconds until a cell whose guard has ended is held for ended, whoever has its pipes. */
const LINGER_MS = 500

/**
 * Whether a cell's end came from outside, by how its guard ended (bubblewrap and the guard pass on what ended the launcher as 128
 * and the signal). No bot can signal any of the three so that they end; what a launcher does that fails by itself, or trips over a
 * fault of its own, a bot may have brought about.
 */
function outsideOf(code: number | null, signal: string | null): Outside {
  const own = code === 70 || OWN_FAULTS.has((code ?? 0) - 128)
  return signal === null && own ? 'possible' : 'certain'
}
const { SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS } = system.signals
const OWN_FAULTS: ReadonlySet<number> = new Set([SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS])

/** Kills what a guard that was itself killed has left of a room that it was making: all is in its session until the room is there. */
function killSession(guard: number | undefined): void {
  if (guard === undefined) return
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]
      if (Number(session) === guard) process.kill(Number(name), 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
}

/** The first process that a process has started. */
const childrenOf = (pid: string): string =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ')[0] ?? ''

function measures(body: Buffer): Measures {
  const wallUs = Number(body.readBigUInt64LE(4)) / 1000
  return {
    question: body.readUInt32LE(0),
    wallUs,
    // Two clocks measured the two: one may be a little ahead.
    chargedUs: Math.max(0, wallUs - Number(body.readBigUInt64LE(12)) / 1000),
    cpuUs: Number(body.readBigUInt64LE(20)) / 1000,
    busy: body.readUInt32LE(28) === 1,
  }
}

function commandOf(spec: CellSpec): string[] {
  const limits = spec.limits
  const state = spec.state === undefined ? undefined : `${PLACES.source}/${spec.state}`
  const inner = [
    'cell',
    ...(spec.pipes ? ['--pipes'] : []),
    ...(spec.cpu === undefined ? [] : ['--cpu']),
    ...(spec.counted ? ['--counted'] : []),
    ...(spec.bubblewrap === undefined
      ? []
      : ['--restrict', '--private', PLACES.tmp, '--private', PLACES.game, '--private', '/dev/shm']),
    ...(spec.building || (spec.writable && spec.bubblewrap !== undefined && hasRoomBeside(spec.source))
      ? ['--private', PLACES.source]
      : []),
    ...(state === undefined ? [] : ['--state', state, String(spec.stateBytes ?? 0)]),
    ...['data', limits.memory, 'processes', limits.processes, 'files', limits.files, 'file', limits.disk].flatMap(
      (word, i, all) => (i % 2 === 0 ? ['--limit', String(word), String(all[i + 1])] : []),
    ),
  ]
  const outer = (stage: readonly string[], data: Readonly<Record<string, string>> = {}) => [
    'room',
    ...(spec.user === undefined ? [] : ['--user', String(spec.user)]),
    ...(spec.cgroups ?? []).flatMap((folder) => ['--cgroup', folder]),
    ...(spec.cpu === undefined ? [] : ['--cpu', spec.cpu]),
    ...(spec.core === undefined ? [] : ['--core', String(spec.core)]),
    ...(spec.pipes ? ['--pipes'] : []),
    ...stage.flatMap((path) => ['--stage', path]),
    ...Object.entries(data).flatMap(([fd, text]) => ['--data', fd, text]),
    '--',
  ]
  if (spec.bubblewrap === undefined) return [spec.launcher, ...outer([]), spec.launcher, ...inner]
  const tools = { ...spec.tools, launcher: spec.launcher }
  const { stage, data, args } = bubblewrapArguments(
    { ...spec, tools },
    [`${PLACES.tools}/launcher`, ...inner],
    spec.user !== undefined,
  )
  return [spec.launcher, ...outer(stage, data), spec.bubblewrap, ...args]
}

/** A NUL in a word would end it before its end. */
function hasNul({ argv, env }: Pick<Turn, 'argv' | 'env'>): boolean {
  for (const word of argv) if (word.includes('\0')) return true
  for (const name in env) if (env[name]?.includes('\0')) return true
  return false
}

const UNSTARTABLE: TurnResult = {
  end: { noStart: 'EINVAL' },
  out: '',
  stderr: Buffer.alloc(0),
  wallUs: 0,
  chargedUs: 0,
  cpuUs: 0,
  peakKiB: 0,
}
