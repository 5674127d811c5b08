import {
  Alarm,
  CellClock,
  CellRunning,
  type CellLimits,
  type CellMaker,
  type Ending,
  HostError,
  type Lodging,
  type Measures,
  PLACES,
  PlainClock,
  Room,
  type Running,
  SNAPSHOT_BYTES,
  type Snapshot,
  type StayEnding,
  cellWords,
  describeEnding,
  interpreterEnvironment,
  lodge,
  start,
  tellsWaiting,
  WARM_PLACE,
  warmCommand,
} from '../sandbox/index.js'
import { type BotLife, Disturbances, type Program, environment, inRoom, livesOn, snapshotOf } from './life.js'
import type { Vacancies } from './vacancies.js'

/** What a bot's cell is made with. */
export interface CellSetting {
  readonly maker: CellMaker
  readonly limits: CellLimits
  /** Turns may be forked from a warm interpreter. */
  readonly warm: boolean
  /** Each turn has a new cell. */
  readonly strict?: boolean
  /** The only core that they run on. */
  readonly core?: number
  /** Where cells without a process that stays come from and go to, where they are there before or after this bot. */
  readonly from?: Vacancies
  readonly to?: Vacancies
}

/** Counts the time of a question; `off` may tell later what the question took. */
export interface Clock {
  set(limit: number, now?: number): void
  off(): Promise<Measures | undefined> | undefined | void
  clear(): void
  /** The process is told something that it need not answer. */
  stir?(): void
}

/** Where a process that stays lives: a folder of the host, or a cell. */
export interface Quarters {
  /** Makes sure that they are there; where they are not, or `fresh`, they are as new, with what a snapshot holds. */
  ready(fresh: boolean, snapshot?: Snapshot): Promise<void>
  start(seed: number, output: (bytes: Buffer) => void): Running
  clock(onTime: (busy: boolean) => void): Clock
  /** Where what was done to it from outside is taken down. */
  readonly disturbances: Disturbances
  /** How they ended, where they did and were not closed. */
  lost(): Ending | undefined
  snapshot(): Promise<Snapshot | undefined>
  amend(snapshot: Snapshot): Promise<void>
  close(): Promise<void>
}

/** A folder of the host, where nothing holds the bot. */
export class PlainQuarters implements Quarters {
  readonly disturbances: Disturbances
  private readonly room: Room
  private running: Running | undefined
  private opened = false

  constructor(
    private readonly life: BotLife,
    private readonly program: Program,
  ) {
    this.room = new Room(program.source, program.room)
    this.disturbances = new Disturbances(life.name)
  }

  async ready(fresh: boolean, snapshot?: Snapshot): Promise<void> {
    if (!this.opened || fresh) this.room.open(snapshot)
    this.opened = true
  }
  start(seed: number, output: (bytes: Buffer) => void): Running {
    const { life, program } = this
    const env = environment(program.room, seed)
    this.running = start({ argv: inRoom(program), cwd: program.room, env, stdin: 'pipe' }, life.stderr, output)
    return this.running
  }
  clock(onTime: (busy: boolean) => void): Clock {
    return tellsWaiting ? new PlainClock(() => this.running, onTime) : new Alarm(onTime)
  }
  lost(): undefined {
    return undefined
  }
  async snapshot(): Promise<Snapshot | undefined> {
    return snapshotOf(this.room, this.life)
  }
  async amend(snapshot: Snapshot): Promise<void> {
    this.room.amend(snapshot)
  }
  async close(): Promise<void> {
    this.room.close()
  }
}

/** A cell. What a bot may keep in it is its state folder or, where it remembers more than a turn, its working folder, and its /tmp. */
export class CellQuarters implements Quarters {
  private lodging: Lodging | undefined
  private running: CellRunning | undefined
  private cellClock: CellClock | undefined
  private closed = false
  /** Turns are forked from a warm interpreter. */
  warmed = false
  readonly disturbances: Disturbances
  /** The cell whose end has been looked at, and how it ended. */
  private seen: { readonly lodging: Lodging; readonly ending: Ending } | undefined
  /** What it last held on disk, where it may keep that. */
  private kept: Snapshot | undefined

  constructor(
    private readonly life: BotLife,
    private readonly program: Program,
    readonly setting: CellSetting,
    /** A process stays in it. */
    private readonly stays: boolean,
    private readonly tools: Readonly<Record<string, string>> = {},
    private readonly reads: readonly string[] = [],
  ) {
    this.disturbances = new Disturbances(life.name)
  }

  /** The cell, once it is ready. */
  get lodged(): Lodging {
    if (this.lodging === undefined) throw new HostError('the cell is not open')
    return this.lodging
  }

  /** The cell is open. */
  get there(): boolean {
    return this.lodging !== undefined && !this.lodging.cell.gone
  }

  async ready(fresh: boolean, snapshot?: Snapshot): Promise<void> {
    const { there } = this
    // What it kept is lost with its cell. Where it keeps nothing, a new cell is as good.
    if (!there && this.life.memory !== 'turn' && !fresh) this.lost()
    if (!there) await this.open()
    const { cell } = this.lodged
    if (there && fresh) cell.fresh()
    if (fresh) this.kept = snapshot
    const held = snapshot ?? this.kept
    if (held !== undefined && (fresh || !there)) await this.amend(held)
  }

  /** A new cell in place of this one. What the wire's state folder holds is taken along. */
  async renew(): Promise<void> {
    const { state } = this.life.wire
    const folder = state && `${PLACES.source}/${state.folder}`
    const kept = folder === undefined ? undefined : await this.lodged.cell.files(folder, SNAPSHOT_BYTES)
    await this.open()
    if (folder !== undefined && kept !== undefined) this.lodged.cell.put(folder, kept.tree)
  }

  start(seed: number, output: (bytes: Buffer) => void): Running {
    const { life, program, setting } = this
    const argv = cellWords(program.argv, program.source)
    const command = { argv, env: { ...cellEnvironment(seed), ...interpreterEnvironment(argv) }, folder: PLACES.source }
    const { lodged } = this
    const judge = (ending: StayEnding) =>
      ending.cell === undefined ? lodged.judge(ending) : (this.lost(lodged) ?? ending)
    const running = new CellRunning(lodged.cell, command, setting.limits.errors, life.stderr, output, judge)
    running.onLate = (measures) => {
      if (this.cellClock === undefined || this.running !== running) running.resume()
      else this.cellClock.late(measures)
    }
    this.running = running
    this.cellClock?.started()
    return running
  }
  clock(onTime: (busy: boolean) => void): Clock {
    this.cellClock = new CellClock(() => this.running, onTime)
    return this.cellClock
  }

  /** Where its cell ended before or meanwhile, what it last held: a bot that breaks its cell has lost what it wrote since. */
  async snapshot(): Promise<Snapshot | undefined> {
    const { life } = this
    if (!livesOn(life.memory)) return undefined
    const lodging = this.lodged
    try {
      this.kept = await this.look(lodging)
    } catch (error) {
      const ending = error instanceof HostError ? this.lost(lodging) : undefined
      if (ending === undefined) throw error
      life.note(`${life.name}: what it wrote since its last match is lost: ${describeEnding(ending)}`)
    }
    return this.kept ?? {}
  }

  private async look({ cell }: Lodging): Promise<Snapshot> {
    const { life } = this
    const kept: [string, string][] = []
    let bytes = 0
    for (const [name, folder] of this.folders()) {
      const files = await cell.files(folder, SNAPSHOT_BYTES)
      bytes += files.bytes
      for (const [path, content] of Object.entries(files.tree)) kept.push([`${name}/${path}`, content])
    }
    if (bytes > SNAPSHOT_BYTES)
      life.note(`${life.name}: not all of its files are kept: a bot may leave ${SNAPSHOT_BYTES} bytes in its folders`)
    return Object.fromEntries(kept)
  }

  async amend(snapshot: Snapshot): Promise<void> {
    this.kept = snapshot
    for (const [name, folder] of this.folders()) {
      const own = Object.entries(snapshot).filter(([path]) => path.startsWith(`${name}/`))
      this.lodged.cell.put(
        folder,
        Object.fromEntries(own.map(([path, content]) => [path.slice(name.length + 1), content])),
      )
    }
  }

  async close(): Promise<void> {
    this.closed = true
    const { lodging, warmed, stays, setting } = this
    if (lodging === undefined || stays || setting.strict || setting.to === undefined) await lodging?.close()
    else await setting.to.leave(this.life.name, { lodging, warmed })
  }

  lost(lodging = this.lodging): Ending | undefined {
    if (lodging?.cell.gone !== true) return undefined
    if (this.seen?.lodging === lodging) return this.seen.ending
    const { why, outside } = lodging.cell.fate
    const ending = lodging.judge({ cell: why, ...(outside !== undefined && { outside }) })
    this.disturbances.see(ending)
    this.seen = { lodging, ending }
    return ending
  }

  /** Who may remember may write where it runs; a wire that grants a folder for it grants no other. */
  private get writable(): boolean {
    return this.life.wire.state === undefined && this.life.memory !== 'turn'
  }

  private folders(): [string, string][] {
    const { state } = this.life.wire
    return [
      ...(state !== undefined ? [['state', `${PLACES.source}/${state.folder}`] as [string, string]] : []),
      ...(this.writable ? [['bot', PLACES.source] as [string, string]] : []),
      ['tmp', PLACES.tmp],
    ]
  }

  private async open(): Promise<void> {
    await this.lodging?.close()
    const { life, program, setting } = this
    const vacant = this.stays || setting.strict ? undefined : setting.from?.take(life.name)
    if (vacant !== undefined) {
      this.lodging = vacant.lodging
      this.warmed = vacant.warmed
      return
    }
    const { state } = life.wire
    this.lodging = await lodge(setting.maker, {
      argv: program.argv,
      source: program.source,
      limits: setting.limits,
      tools: this.tools,
      reads: this.reads,
      ...(this.writable && { writable: true }),
      ...(state !== undefined && { state }),
      ...(setting.core !== undefined && { core: setting.core }),
      ...(this.stays && { pipes: true }),
    })
    if (this.closed) return this.lodging.close()
    const words = cellWords(program.argv, program.source)
    const argv = this.stays || !setting.warm ? undefined : warmCommand(words)
    const env = { ...cellEnvironment(0), ...interpreterEnvironment(words), HOME: WARM_PLACE.home }
    const { cell } = this.lodging
    // A cell that ends over it is told of in the first turn.
    this.warmed =
      argv !== undefined &&
      (await cell.warm({ argv, env, folder: WARM_PLACE.folder, limit: WARM_MS }).catch(() => false))
  }
}

/** Milliseconds for a warm parent to be ready. */
const WARM_MS = 5000

/** All that a bot's process finds in its environment in a cell. */
export function cellEnvironment(seed: number): Record<string, string> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: PLACES.source, LANG: 'C.UTF-8', AGON_SEED: String(seed) }
}
