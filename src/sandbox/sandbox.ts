import { accessSync, closeSync, constants, openSync, readFileSync } from 'node:fs'
import { messageOf } from '../core/index.js'
import { PLACES } from './bubblewrap.js'
import type { Cgroup } from './cgroups.js'
import { ANY_CORE } from './cores.js'
import type { SandboxSpec, Measures, StayEvents } from './sandbox-spec.js'
import {
  type End,
  type FolderFiles,
  type Tree,
  type Turn,
  type TurnResult,
  endOf,
  endingOf,
  frame,
  packTree,
  readResult,
  requestFrame,
  u32,
  u64,
  unpackFolders,
} from './frames.js'
import { HostError, hardStopMs } from './host-error.js'
import { LauncherLink, PATIENCE_MS } from './launcher-link.js'
import type { ProcessEnd } from './process.js'
import { ANSWERS, END, REQUESTS } from './protocol.js'

/*
 * A sandbox is a closed room for one bot's programs. Node's spawner starts the launcher, which becomes the bot's user
 * and bubblewrap, which makes the room and starts the launcher again in it as process 1; that answers requests, one at
 * a time, over descriptors that Node holds. However Node ends, they close, the launcher ends, and with process 1 the
 * kernel ends all of the sandbox.
 *
 * A process per turn is one request and one answer. Node itself asks a process that stays, over two pipes that the
 * launcher made and no other process can find; the launcher learns of a question only when no answer comes soon.
 */

/** Opens a sandbox. Rejects with a HostError where this machine cannot make one. */
export async function startSandbox(spec: SandboxSpec): Promise<Sandbox> {
  const sandbox = new Sandbox(spec)
  await sandbox.opened
  return sandbox
}

interface SandboxPipes {
  /** The other end of what it reads: opened again through /proc to write; closed, it ends the bot's input. */
  readonly toBot: number
  /** What it prints; can be written too. */
  readonly fromBot: number
}

export class Sandbox extends LauncherLink {
  warmed = false
  private readonly cgroup: Cgroup | undefined
  private killsSeen = 0
  private next = 1
  /** By ids of processes that stay: one that was killed may be reported when the next one runs. */
  private readonly events = new Map<number, StayEvents>()
  private turnId = 0
  private pipeFds: SandboxPipes | undefined

  constructor(spec: SandboxSpec) {
    super(spec)
    this.cgroup = spec.cgroup
  }

  override async close(): Promise<void> {
    await super.close()
    await this.cgroup?.remove()
  }

  outOfMemory(): number {
    return this.cgroup?.outOfMemory() ?? 0
  }

  /**
   * To reach its own limit of memory is its own doing. Without one, it may have used up the machine's memory on
   * purpose.
   */
  judge(ending: ProcessEnd): ProcessEnd {
    if (ending.signal !== 'SIGKILL' && ending.sandbox === undefined) return ending
    const before = this.killsSeen
    this.killsSeen = this.outOfMemory()
    const { outside, ...rest } = ending
    if (this.killsSeen > before) return { ...rest, memory: true }
    const isDoubtful = outside === 'certain' && this.cgroup === undefined && rest.sandbox === undefined
    return isDoubtful ? { ...rest, outside: 'possible' } : ending
  }

  /** Runs one process to its end. Rejects with a HostError where the sandbox itself ends. */
  turn(turn: Turn): Promise<TurnResult> {
    if (hasNul(turn)) return Promise.resolve(UNSTARTABLE)
    this.turnId = this.next++
    return this.ask(requestFrame(REQUESTS.turn, this.turnId, turn), readResult, hardStopMs(turn.limit))
  }

  /** Ends the process that stays of that id, else the last turn. */
  kill(id = this.turnId): void {
    if (this.events.has(id)) this.expect(id, PATIENCE_MS)
    this.send(frame(REQUESTS.kill, u32(id)))
  }

  /** Starts the process that stays: its id, and undefined or why it does not run. */
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

  get pipes(): SandboxPipes {
    if (this.pipeFds === undefined) throw new HostError('the sandbox has no pipes')
    return this.pipeFds
  }

  /**
   * An open question to a process that stays: `began`, in nanoseconds of the monotonic clock, with `limit` milliseconds
   * in all.
   */
  watch(id: number, question: number, began: bigint, limit: number): void {
    this.send(frame(REQUESTS.watch, u32(id, question), u64(began, BigInt(Math.round(limit * 1e6)))))
    const age = Number(process.hrtime.bigint() - began) / 1e6
    // A question that this thread could not watch before may be older than its hard stop: the launcher has time to
    // report it.
    this.expect(id, Math.max(0, hardStopMs(limit) - age))
  }
  /**
   * Of a process that stays: 'answered': its measures arrive by `measured`. 'suspend': it stops, with its family, until
   * the next question. 'continue': its time was up, but its answer was there: it goes on.
   */
  tell(what: 'answered' | 'suspend' | 'continue', id: number): void {
    this.send(frame(REQUESTS[what], u32(id)))
  }
  /** It goes on. Gives the milliseconds that it ran while stopped; at once, where it was not. */
  wake(id: number): Promise<number> | number {
    return this.askQuick(frame(REQUESTS.wake, u32(id)), (body) => Number(body.readBigUInt64LE(0)) / 1e6)
  }

  /** Starts the warm parent, which turns that allow it are forked from. Whether it is there. */
  async warm(command: Omit<Turn, 'wipe' | 'output' | 'errors'>): Promise<boolean> {
    const request = requestFrame(REQUESTS.warm, this.next++, { ...command, wipe: false, output: 0, errors: 0 })
    return (this.warmed = await this.ask(request, (body) => body.readUInt32LE(0) === 1, command.limit))
  }

  fresh(): void {
    this.send(frame(REQUESTS.fresh))
  }

  /** The plain files below each of these folders, as far as `most` bytes hold them. */
  files(folders: readonly string[], most: number): Promise<readonly FolderFiles[]> | readonly FolderFiles[] {
    const names = Buffer.from(folders.map((folder) => `${folder}\0`).join(''))
    return this.askQuick(frame(REQUESTS.files, u32(most), names), unpackFolders)
  }
  /** Makes a folder of the sandbox hold these files and no others. */
  put(folder: string, tree: Tree): void {
    this.send(frame(REQUESTS.put, Buffer.from(`${folder}\0`), packTree(tree)))
  }

  /**
   * A folder's path from outside: run nothing and follow no link in it. Throws a HostError where agon may not look in.
   */
  rootOf(folder: string): string {
    let pid = String(this.pid)
    try {
      for (let next = pid; next !== ''; next = childOf(pid)) pid = next
      accessSync(`/proc/${pid}/root${PLACES.tools}/launcher`)
    } catch (error) {
      throw new HostError(`the sandbox cannot be looked into: ${messageOf(error)}`)
    }
    return `/proc/${pid}/root${folder}`
  }

  bind(core: number | undefined): void {
    this.send(frame(REQUESTS.bind, u32(core ?? ANY_CORE)))
  }

  protected receive(kind: string, body: Buffer): void {
    if (kind === ANSWERS.pipes) return this.onceSpawned(() => this.openPipes())
    if (!OF_STAYING.has(kind)) throw new HostError(`the launcher sent a frame of kind ${JSON.stringify(kind)}`)
    const id = body.readUInt32LE(0)
    const report = body.subarray(4)
    const events = this.events.get(id)
    if (kind === ANSWERS.errors) return events?.errors(report)
    if (this.watched?.id === id) this.watched = undefined
    if (kind === ANSWERS.late) return events?.late(measures(report))
    if (kind === ANSWERS.measures) return events?.measured(measures(report))
    this.events.delete(id)
    events?.ended(endingOf(report.readUInt32LE(0), report.readInt32LE(4)))
  }

  /** Opens our ends of the pipes, which the launcher holds until it is told. */
  private openPipes(): void {
    const { O_RDONLY, O_RDWR, O_NONBLOCK } = constants
    const held = (fd: number, flags: number) => openSync(`/proc/${this.pid}/fd/${fd}`, flags | O_NONBLOCK)
    const toBot = held(3, O_RDONLY)
    this.pipeFds = { toBot, fromBot: held(4, O_RDWR) }
    this.send(frame(REQUESTS.opened))
  }

  protected release(): void {
    if (this.pipeFds === undefined) return
    closeSync(this.pipeFds.toBot)
    closeSync(this.pipeFds.fromBot)
    this.pipeFds = undefined
  }
}

const OF_STAYING: ReadonlySet<string> = new Set([ANSWERS.errors, ANSWERS.late, ANSWERS.measures, ANSWERS.ended])

const childOf = (pid: string): string => readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ')[0] ?? ''

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

/** A NUL in a word would end it before its end. */
const hasNul = ({ argv, env }: Pick<Turn, 'argv' | 'env'>): boolean =>
  [...argv, ...Object.values(env)].some((word) => word.includes('\0'))

const UNSTARTABLE: TurnResult = {
  end: { noStart: 'EINVAL' },
  out: '',
  stderr: Buffer.alloc(0),
  wallUs: 0,
  chargedUs: 0,
  cpuUs: 0,
}
