import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { PLACES, type RoomSpec, bubblewrapArguments } from './bubblewrap.js'
import {
  FRAMING,
  FrameReader,
  type Turn,
  type TurnResult,
  type Tree,
  endOf,
  frame,
  packTree,
  readResult,
  requestFrame,
  unpackTree,
  type End,
  type Stop,
  STOPS,
} from './frames.js'
import { Input, Output } from './pipe.js'
import { HostError } from './process.js'

/*
 * Theory of operation.
 *
 * A cell is a closed room that one bot's programs run in, built once and used as long as the bot is needed. Node starts the
 * launcher, which becomes the bot's user and bubblewrap, which makes the room and starts the launcher again in it as process 1;
 * that answers requests, one at a time, over the pair of descriptors that Node holds. When Node ends, however it ends, its end
 * of them closes, the launcher ends, and with process 1 the kernel ends every process of the cell and its mounts.
 *
 * A process per turn is one request and one answer. A process that stays is asked by Node itself, over two named pipes that
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
  /** A folder of the host for the named pipes, of this cell alone; absent where no process stays. */
  readonly pipes?: string
  /** Bytes that the state folder may hold. */
  readonly stateBytes?: number
  /** The user that the cell's programs are, where agon may choose; absent: agon's own. */
  readonly user?: number
  /** cgroups that the cell's programs belong to. */
  readonly cgroups?: readonly string[]
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
}

/** How a process that stayed has ended. */
export interface StayEnd {
  readonly end: End
  readonly stop?: Stop
}
/** Measures of a question that was watched, in microseconds since it began; CPU since it was watched. */
export interface Measures {
  readonly question: number
  readonly wallUs: number
  readonly chargedUs: number
  readonly cpuUs: number
}

/** What a process that stays tells of. */
export interface StayEvents {
  ended(end: StayEnd): void
  errors(chunk: Buffer): void
  /** The time of a watched question is up, and the process stands still until it is killed or let go on. */
  late(measures: Measures): void
  measured(measures: Measures): void
}

/** The named pipes of a process that stays. */
export interface CellPipes {
  /** What it reads, kept here by its other end: to write, it is opened again through /proc, and its closing is the bot's end of input. */
  readonly toBot: number
  /** What it prints; can be written too. */
  readonly fromBot: number
}

type Awaited = { done(body: Buffer): void; failed(error: Error): void }

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
  private events: StayEvents | undefined
  /** The named pipes, once the launcher has made them. */
  private pipeFds: CellPipes | undefined

  constructor(private readonly spec: CellSpec) {
    if (spec.pipes !== undefined) mkdirSync(spec.pipes, { recursive: true, mode: 0o700 })
    const [program = '', ...args] = [...(spec.prefix ?? []), ...commandOf(spec)]
    const reader = new FrameReader((kind, body) => this.take(kind, body))
    this.input = new Input()
    this.answers = new Output((bytes) => reader.read(bytes))
    const { input, answers } = this
    this.child = spawn(program, args, { cwd: '/', env: {}, stdio: [input.theirs, answers.theirs, 'pipe'] })
    closeSync(input.theirs)
    closeSync(answers.theirs)
    this.child.stderr?.on('data', (chunk: Buffer) => {
      if (this.said.length < 4096) this.said += chunk.toString('utf8')
    })
    this.opened = new Promise((done, failed) => {
      this.waiting.push({ done: (body) => done(this.hello(body)), failed })
    })
    this.opened.catch(() => undefined)
    this.closed = new Promise((done) => {
      const end = (why: string) => {
        if (this.ended) return
        // Its last answer may still lie in the pipe.
        answers.close()
        input.close()
        this.ended = true
        this.closePipes()
        const error = new HostError(why)
        for (const awaited of this.waiting.splice(0)) awaited.failed(error)
        done()
      }
      this.child.once('error', (error) => end(`the cell's launcher could not be started: ${error.message}`))
      this.child.once('close', () => end(`the cell has ended${this.said === '' ? '' : `: ${this.said.trim()}`}`))
    })
  }

  /** It has ended, and answers nothing any more. */
  get gone(): boolean {
    return this.ended
  }

  /** The system's number of the outermost process. */
  get pid(): number | undefined {
    return this.child.pid
  }

  /** Runs one process to its end. Rejects with a HostError where the cell itself ends. */
  turn(turn: Turn): Promise<TurnResult> {
    if (hasNul(turn)) return Promise.resolve(UNSTARTABLE)
    return this.ask(requestFrame('T', this.next++, turn), readResult)
  }

  /** Ends the turn that runs, or the process that stays. */
  kill(): void {
    this.send(frame('K'))
  }

  /** Starts the process that stays; undefined: it runs, else why it does not. */
  async start(command: Omit<Turn, 'wipe' | 'limit' | 'output'>, events: StayEvents): Promise<End | undefined> {
    if (hasNul(command)) return UNSTARTABLE.end
    this.events = events
    const request = requestFrame('S', this.next++, { ...command, wipe: false, limit: 0, output: 0 })
    const code = await this.ask(request, (body) => body.readUInt32LE(0))
    return code === 0 ? undefined : endOf(2, code)
  }

  /** The named pipes of the process that stays. */
  get pipes(): CellPipes {
    if (this.pipeFds === undefined) throw new HostError('the cell has no pipes')
    return this.pipeFds
  }

  /** A question is still open that began at `began` (nanoseconds of the monotonic clock) and has `limit` milliseconds in all. */
  watch(question: number, began: bigint, limit: number): void {
    const body = Buffer.allocUnsafe(20)
    body.writeUInt32LE(question, 0)
    body.writeBigUInt64LE(began, 4)
    body.writeBigUInt64LE(BigInt(Math.round(limit * 1e6)), 12)
    this.send(frame('W', body))
  }
  /** It has been answered; its measures are told by `measured`. */
  answered(): void {
    this.send(frame('A'))
  }
  /** A process that stood still because its time was up goes on: the answer was there. */
  resume(): void {
    this.send(frame('C'))
  }

  /** Starts the warm parent, which turns that allow it are forked from. Whether it is there. */
  warm(command: Omit<Turn, 'wipe' | 'output' | 'errors'>): Promise<boolean> {
    const request = requestFrame('I', this.next++, { ...command, wipe: false, output: 0, errors: 0 })
    return this.ask(request, (body) => body.readUInt32LE(0) === 1)
  }

  /** Empties all that can be written in it. */
  fresh(): void {
    this.send(frame('F'))
  }

  /** The plain files below a folder of the cell, as far as they have room in `most` bytes, and the bytes of all. */
  files(folder: string, most: number): Promise<{ tree: Tree; bytes: number }> {
    const head = Buffer.alloc(4)
    head.writeUInt32LE(most, 0)
    return this.ask(frame('G', Buffer.concat([head, Buffer.from(`${folder}\0`)])), (body) => ({
      bytes: Number(body.readBigUInt64LE(0)),
      tree: unpackTree(body.subarray(8)),
    }))
  }
  /** Makes a folder of the cell hold these files and no others. */
  put(folder: string, tree: Tree): void {
    this.send(frame('P', Buffer.concat([Buffer.from(`${folder}\0`), packTree(tree)])))
  }

  /** Binds it to a core; undefined: to any. */
  bind(core: number | undefined): void {
    const body = Buffer.alloc(4)
    body.writeInt32LE(core ?? -1, 0)
    this.send(frame('B', body))
  }

  /** Ends it with all that runs in it. */
  async close(): Promise<void> {
    this.input.close()
    // Its first process ends all the others.
    this.child.kill('SIGTERM')
    await this.closed
  }

  private hello(body: Buffer): CellFacts {
    const version = body.readUInt32LE(0)
    if (version !== FRAMING) throw new HostError(`the launcher speaks version ${version}, and agon ${FRAMING}`)
    const { pipes } = this.spec
    if (pipes !== undefined) {
      const { O_RDONLY, O_RDWR, O_NONBLOCK } = constants
      const toBot = openSync(join(pipes, 'in'), O_RDONLY | O_NONBLOCK)
      this.pipeFds = { toBot, fromBot: openSync(join(pipes, 'out'), O_RDWR | O_NONBLOCK) }
      rmSync(pipes, { recursive: true, force: true })
    }
    return { landlock: body.readUInt32LE(4), seccomp: body.readUInt32LE(8) === 1, alone: body.readUInt32LE(12) === 1 }
  }

  private closePipes(): void {
    if (this.pipeFds === undefined) return
    closeSync(this.pipeFds.toBot)
    closeSync(this.pipeFds.fromBot)
    this.pipeFds = undefined
  }

  /** Sends a request, and reads its answer out of a body that is only lent. */
  private ask<T>(request: Buffer, read: (body: Buffer) => T): Promise<T> {
    return new Promise((done, failed) => {
      if (this.ended) return failed(new HostError('the cell has ended'))
      this.waiting.push({ done: (body) => done(read(body)), failed })
      this.send(request)
    })
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
      case 'H':
      case 'R':
      case 'S':
      case 'I':
      case 'G': {
        const awaited = this.waiting.shift()
        try {
          awaited?.done(body)
        } catch (error) {
          awaited?.failed(error instanceof Error ? error : new HostError(String(error)))
        }
        return
      }
      case 'E':
        return this.events?.errors(body)
      case 'L':
        return this.events?.late(measures(body))
      case 'M':
        return this.events?.measured(measures(body))
      case 'X': {
        const flags = body.readUInt32LE(0)
        const stop = STOPS[(flags >> 8) & 0xff]
        return this.events?.ended({
          end: endOf(flags & 0xff, body.readInt32LE(4)),
          ...(stop !== undefined && { stop }),
        })
      }
      default:
        throw new HostError(`the launcher sent a frame of kind ${JSON.stringify(kind)}`)
    }
  }
}

function measures(body: Buffer): Measures {
  const wallUs = Number(body.readBigUInt64LE(4)) / 1000
  return {
    question: body.readUInt32LE(0),
    wallUs,
    // Two clocks measured the two: one may be a little ahead.
    chargedUs: Math.max(0, wallUs - Number(body.readBigUInt64LE(12)) / 1000),
    cpuUs: Number(body.readBigUInt64LE(20)) / 1000,
  }
}

function commandOf(spec: CellSpec): string[] {
  const limits = spec.limits
  const state = spec.state === undefined ? undefined : `${PLACES.source}/${spec.state}`
  const inner = [
    'cell',
    ...(spec.pipes === undefined ? [] : ['--fifos']),
    ...(spec.bubblewrap === undefined
      ? []
      : ['--restrict', '--private', PLACES.tmp, '--private', PLACES.game, '--private', '/dev/shm']),
    ...(spec.building || (spec.writable && spec.bubblewrap !== undefined) ? ['--private', PLACES.source] : []),
    ...(state === undefined ? [] : ['--state', state, String(spec.stateBytes ?? 0)]),
    ...['data', limits.memory, 'processes', limits.processes, 'files', limits.files, 'file', limits.disk].flatMap(
      (word, i, all) => (i % 2 === 0 ? ['--limit', String(word), String(all[i + 1])] : []),
    ),
  ]
  const outer = (stage: readonly string[]) => [
    'room',
    ...(spec.user === undefined ? [] : ['--user', String(spec.user)]),
    ...(spec.cgroups ?? []).flatMap((folder) => ['--cgroup', folder]),
    ...(spec.core === undefined ? [] : ['--core', String(spec.core)]),
    ...(spec.pipes === undefined ? [] : ['--fifos', join(spec.pipes, 'in'), join(spec.pipes, 'out')]),
    ...stage.flatMap((path) => ['--stage', path]),
    '--',
  ]
  if (spec.bubblewrap === undefined) return [spec.launcher, ...outer([]), spec.launcher, ...inner]
  const tools = { ...spec.tools, launcher: spec.launcher }
  const { stage, args } = bubblewrapArguments(
    { ...spec, tools },
    [`${PLACES.tools}/launcher`, ...inner],
    spec.user !== undefined,
  )
  return [spec.launcher, ...outer(stage), spec.bubblewrap, ...args]
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
