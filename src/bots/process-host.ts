import type { PrintedFigure } from '../core/index.js'
import {
  ANY_CORE,
  SandboxClock,
  SandboxRunning,
  type SandboxLimits,
  type SandboxMaker,
  type ProcessEnd,
  HostError,
  type Sandbox,
  type Measures,
  PLACES,
  type Running,
  SNAPSHOT_BYTES,
  type Snapshot,
  type StayEnding,
  UnchangedFolders,
  placedWords,
  describeEnding,
  interpreterEnvironment,
  pinnedCore,
  openSandbox,
  WARM_PLACE,
  warmCommand,
} from '../sandbox/index.js'
import { type BotLife, type Disturbance, Disturbances, type Program, outlivesMatch, environment } from './life.js'
import type { SandboxPool } from './sandbox-pool.js'

export interface SandboxSetting {
  readonly maker: SandboxMaker
  readonly limits: SandboxLimits
  /** Its programs may be forked from a warm interpreter. */
  readonly warm: boolean
  /** Each life has a new sandbox; each turn, where a process per turn is to remember nothing. */
  readonly strict?: boolean
  /** The only core that they run on. */
  readonly core?: number
  /** Source and goal of sandboxes without a process that stays, and those of series, in which it has ended. */
  readonly from?: SandboxPool
  readonly to?: SandboxPool
}

/** A question's time; `off` may give later what it took. */
export interface Clock {
  set(limit: number, now?: number): void
  off(now?: number): Promise<Measures | undefined> | undefined | void
  clear(): void
  /** Milliseconds that it waited for a core during the last question, unless the measures say it. */
  readonly credit?: number
  /** The process is sent something that it need not answer. */
  stir?(): void
  /** The process was started, and runs unasked for so many milliseconds; 0: no more. */
  load?(ms: number): void
  /** Its time was up: it stands still until it is asked again. */
  rest?(): void
}

export interface ProcessHost {
  /** Makes sure that they are there; else, or if `fresh`, they are as new, with what a snapshot holds. */
  ready(fresh: boolean, snapshot?: Snapshot): Promise<void> | void
  start(seed: number, output: (bytes: Buffer) => void): Running
  /** `cpuUs`: the open question's processor time, if known. */
  clock(onTime: (busy: boolean, cpuUs?: number) => void): Clock
  readonly disturbances: Disturbances
  /** How they ended, unless closed. */
  lost(): ProcessEnd | undefined
  snapshot(): Promise<Snapshot | undefined> | Snapshot | undefined
  amend(snapshot: Snapshot): Promise<void>
  bind?(near: boolean): void
  close(): Promise<void>
}

/** What bots in a process host share: what was done to them, and their disk. */
export abstract class HostedBot<Host extends ProcessHost> {
  constructor(
    protected readonly life: BotLife,
    protected readonly host: Host,
  ) {}

  figures(): readonly PrintedFigure[] {
    return this.life.figures?.figures() ?? []
  }

  disturbed(): Disturbance | undefined {
    return this.host.disturbances.take()
  }

  snapshot(): Promise<Snapshot | undefined> | Snapshot | undefined {
    return this.host.snapshot()
  }

  restore(snapshot: Snapshot): Promise<void> | void {
    return this.host.ready(true, snapshot)
  }

  amend(snapshot: Snapshot): Promise<void> {
    return this.host.amend(snapshot)
  }
}

/** A bot may keep its state folder or, where it remembers more than a turn, its working folder and its /tmp. */
export class SandboxHost implements ProcessHost {
  private opened: Sandbox | undefined
  private sandboxClock: SandboxClock | undefined
  private closed = false
  /** It is on the asking thread's core, if that stays on one. */
  private near: boolean
  readonly disturbances: Disturbances
  /** The sandbox whose end was looked at, and that end. */
  private seen: { readonly opened: Sandbox; readonly ending: ProcessEnd } | undefined
  /** What it last held on disk, if it may keep that. */
  private kept: Snapshot | undefined
  /** Absent: only a look tells whether it has made anything. */
  private untouched: UnchangedFolders | undefined
  /** Its command, as its sandbox has it. */
  readonly words: readonly string[]

  constructor(
    private readonly life: BotLife,
    private readonly program: Program,
    readonly setting: SandboxSetting,
    private readonly stays: boolean,
    private readonly tools: Readonly<Record<string, string>> = {},
    private readonly reads: readonly string[] = [],
  ) {
    this.disturbances = new Disturbances(life.name)
    this.words = placedWords(program.argv, program.source)
    this.near = stays && life.memory === 'tournament'
  }

  bind(near: boolean): void {
    this.near = near
    if (this.there) this.inUse.bind(near ? pinnedCore() : undefined)
  }

  get inUse(): Sandbox {
    if (this.opened === undefined) throw new HostError('the sandbox is not open')
    return this.opened
  }

  get there(): boolean {
    return this.opened !== undefined && !this.opened.gone
  }

  ready(fresh: boolean, snapshot?: Snapshot): Promise<void> | void {
    return this.there && !fresh ? undefined : this.makeReady(fresh, snapshot)
  }

  private async makeReady(fresh: boolean, snapshot?: Snapshot): Promise<void> {
    const { there } = this
    // What it kept is lost with its sandbox; else a new one is as good.
    if (!there && this.life.memory !== 'turn' && !fresh) this.lost()
    if (!there || (fresh && this.isRenewed)) await this.open()
    else if (fresh) this.inUse.fresh()
    if (fresh) this.kept = snapshot
    const held = snapshot ?? this.kept
    if (held !== undefined && (fresh || !there)) await this.amend(held)
  }

  /** A new sandbox in place of this one, with what the wire's state folder holds. */
  async renew(): Promise<void> {
    const { state } = this.life.wire
    const folder = state && `${PLACES.source}/${state.folder}`
    const kept = folder === undefined ? undefined : (await this.inUse.files([folder], SNAPSHOT_BYTES))[0]
    await this.open()
    if (folder !== undefined && kept !== undefined) this.inUse.put(folder, kept.tree)
  }

  start(seed: number, output: (bytes: Buffer) => void): Running {
    const { life, setting, inUse } = this
    const command = { argv: this.words, env: this.environment(seed), folder: PLACES.source, warm: inUse.warmed }
    const judge = (ending: StayEnding) =>
      ending.sandbox === undefined ? inUse.judge(ending) : (this.lost(inUse) ?? ending)
    const running = new SandboxRunning(inUse, command, setting.limits.errors, life.stderr, output, judge)
    this.sandboxClock?.started(running)
    return running
  }
  environment(seed: number): Record<string, string> {
    return { ...environment(seed), ...interpreterEnvironment(this.words) }
  }
  clock(onTime: (busy: boolean, cpuUs?: number) => void): Clock {
    return (this.sandboxClock = new SandboxClock(onTime))
  }

  /** Where its sandbox has ended, what it last held: a bot that breaks its sandbox loses what it wrote since. */
  snapshot(): Promise<Snapshot | undefined> | Snapshot | undefined {
    if (!outlivesMatch(this.life.memory)) return undefined
    const opened = this.inUse
    if (this.untouched?.sure !== true || opened.gone) return this.lookInto(opened)
    return (this.kept = {})
  }

  private async lookInto(opened: Sandbox): Promise<Snapshot> {
    const { life } = this
    try {
      this.kept = await this.look(opened)
    } catch (error) {
      const ending = error instanceof HostError ? this.lost(opened) : undefined
      if (ending === undefined) throw error
      life.note(`${life.name}: what it wrote since its last match is lost: ${describeEnding(ending)}`)
    }
    return this.kept ?? {}
  }

  private async look(sandbox: Sandbox): Promise<Snapshot> {
    const { life } = this
    const kept: [string, string][] = []
    let bytes = 0
    const folders = this.folders()
    const paths = folders.map(([, folder]) => folder)
    const all = await sandbox.files(paths, SNAPSHOT_BYTES)
    for (const [i, [name]] of folders.entries()) {
      const files = all[i]
      if (files === undefined) continue
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
      this.inUse.put(folder, Object.fromEntries(own.map(([path, content]) => [path.slice(name.length + 1), content])))
    }
  }

  async close(): Promise<void> {
    this.closed = true
    const { opened, setting } = this
    if (opened === undefined || !this.pooled || setting.to === undefined) await opened?.close()
    else await setting.to.leave(this.life.name, opened)
  }

  lost(opened = this.opened): ProcessEnd | undefined {
    if (opened?.gone !== true) return undefined
    if (this.seen?.opened === opened) return this.seen.ending
    const { why, outside } = opened.fate
    const ending = opened.judge({ sandbox: why, outside })
    this.disturbances.see(ending)
    this.seen = { opened, ending }
    return ending
  }

  /** Its sandbox may be shared with other lives of its entrant, one after another. */
  private get pooled(): boolean {
    return this.setting.strict !== true && (!this.stays || this.life.memory === 'series')
  }

  /**
   * Each life has a new sandbox: the numbers of processes in an old one tell of the life before. Turns are renewed by
   * themselves.
   */
  private get isRenewed(): boolean {
    return this.setting.strict === true && (this.stays || this.life.memory !== 'turn')
  }

  /** Who may remember may write where it runs; a wire that grants a folder grants no other. */
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
    await this.opened?.close()
    const { life, program, setting } = this
    const vacant = this.pooled ? setting.from?.take(life.name) : undefined
    if (vacant !== undefined) {
      this.opened = vacant
      return
    }
    const { state } = life.wire
    const core = setting.core ?? (pinnedCore() === undefined ? undefined : this.near ? pinnedCore() : ANY_CORE)
    this.opened = await openSandbox(setting.maker, {
      argv: program.argv,
      source: program.source,
      limits: setting.limits,
      tools: this.tools,
      reads: this.reads,
      writable: this.writable ? true : undefined,
      state,
      core,
      pipes: this.stays ? true : undefined,
    })
    if (this.closed) return this.opened.close()
    const looksOften = this.stays && life.memory === 'tournament' && state === undefined
    const folders = this.folders().map(([, folder]) => folder)
    this.untouched = looksOften ? new UnchangedFolders(this.opened, folders) : undefined
    // What stays for the whole tournament starts once.
    const startsOften = !this.stays || life.memory !== 'tournament'
    const argv = setting.warm && startsOften ? warmCommand(this.words) : undefined
    const env = { ...this.environment(0), HOME: WARM_PLACE.home }
    // A sandbox that ends over it is reported in the first turn.
    if (argv !== undefined)
      await this.opened.warm({ argv, env, folder: WARM_PLACE.folder, limit: WARM_MS }).catch(() => false)
  }
}

/** Milliseconds for a warm parent to be ready. */
const WARM_MS = 5000
