import { join } from 'node:path'
import { type AnyWire, type Bot, type Entrant, type GameDefinition, type Run, botSeed } from '../core/index.js'
import { StderrTail, WARM_TOOLS } from '../sandbox/index.js'
import { limitOf } from '../match/index.js'
import {
  type SeatedBot,
  SandboxModuleBot,
  SandboxHost,
  type SandboxSetting,
  SandboxTurnBot,
  type BotLife,
  FigureLog,
  LinesBot,
  ModuleBot,
  OUTPUT_BYTES,
  PlainHost,
  RemoteBot,
  type RemoteSeats,
  type TimedSlots,
  SIDE_BY_SIDE,
  type SandboxPool,
  SharedModule,
  TurnBot,
} from '../bots/index.js'

export interface Seatable extends Pick<Entrant, 'name' | 'version' | 'wire' | 'memory' | 'with'> {
  readonly run:
    /** `sandbox`: its sandbox's options; absent: it runs among the host's processes. */
    | {
        readonly kind: 'process'
        readonly argv: readonly string[]
        readonly source: string
        readonly sandbox?: SandboxSetting
      }
    /** A stranger's module in its own sandbox: `argv` starts its runner, which reads those folders of the host. */
    | {
        readonly kind: 'runner'
        readonly argv: readonly string[]
        readonly source: string
        readonly reads: readonly string[]
        readonly sandbox: SandboxSetting
      }
    /** `load` gives the module's function with fresh variables at each call. */
    | { readonly kind: 'module'; load(): Promise<Bot<unknown, string>> }
    /** Plays on its author's machine. `seats`: absent where none can be seated. */
    | { readonly kind: 'remote'; readonly bot: string; readonly seats?: RemoteSeats }
}

export interface SeatableEntrant extends Entrant, Seatable {
  /** The number that the historic wires show. */
  readonly id: number
}

/** A run that can be played here: its game is loaded, and its entrants can be started. */
export interface PlayableRun extends Omit<Run, 'entrants'> {
  readonly definition: GameDefinition
  readonly entrants: readonly SeatableEntrant[]
}

export interface BotContext {
  readonly seed: string
  readonly wires: Readonly<Record<string, AnyWire>>
  /** A folder of this run's own, for the bots' rooms. */
  readonly rooms: string
  /** `output`: bytes an answer may have. */
  readonly limits: Readonly<Record<string, number>>
  note(text: string): void
  /** Keeps sandboxes for the next series of their entrants; absent: each series has a new one. */
  readonly vacant?: SandboxPool
}

/**
 * Whether many of its matches can be played side by side at the cost of one process: a module that does not live through the
 * tournament, or what runs elsewhere. Where memory is strict, a stranger's module has a sandbox for each life.
 */
export const isLight = ({ run, memory }: Seatable): boolean =>
  memory !== 'tournament' &&
  (run.kind === 'module' || run.kind === 'remote' || (run.kind === 'runner' && run.sandbox.strict !== true))

/** Notes about one entrant that are passed on. */
const NOTES = 20

/** Makes bots, and keeps the end of each entrant's standard error. */
export class BotFactory {
  private readonly logs = new Map<string, StderrTail>()
  /** By entrant: its number of notes. */
  private readonly notes = new Map<string, number>()
  private made = 0

  constructor(private readonly context: BotContext) {}

  /** A new bot of an entrant; a life longer than a match has that key. */
  bot(entrant: Seatable, key: string): SeatedBot {
    const life = this.life(entrant, key)
    const { run } = entrant
    if (run.kind === 'module') return new ModuleBot(life, () => run.load())
    if (run.kind === 'remote') {
      if (run.seats === undefined)
        throw new Error(`${entrant.name} plays on its author's machine, and none is connected here`)
      return new RemoteBot(life, run.bot, run.seats, this.context.limits['network'])
    }
    const program = { argv: run.argv, source: run.source, room: this.room() }
    if (run.kind === 'runner') return new SandboxModuleBot(life, program, run.sandbox, run.reads)
    const sandbox = run.sandbox && this.reusing(entrant, run.sandbox)
    const stays = life.wire.transport !== 'turn'
    if (stays)
      return new LinesBot(
        life,
        sandbox ? new SandboxHost(life, program, sandbox, stays, WARM_TOOLS) : new PlainHost(life, program),
      )
    return sandbox ? new SandboxTurnBot(life, program, sandbox) : new TurnBot(life, program)
  }

  /** A process shared by many lives of a stranger's module; `bot` gives each. Undefined: this entrant's lives are separate. */
  shared(entrant: Seatable, places?: TimedSlots): SharedModule | undefined {
    const { run } = entrant
    // A bank is charged per answer; in a shared process the module itself would tell the time.
    if (run.kind !== 'runner' || !isLight(entrant) || this.context.limits['bank'] !== undefined) return undefined
    const program = { argv: [...run.argv, SIDE_BY_SIDE], source: run.source, room: this.room() }
    return new SharedModule(this.life(entrant, ''), program, run.sandbox, run.reads, places)
  }

  sharing(process: SharedModule, entrant: Seatable, key: string): SeatedBot {
    return process.bot(this.life(entrant, key))
  }

  private reusing({ memory }: Seatable, sandbox: SandboxSetting): SandboxSetting {
    const pool = sandbox.from ?? this.context.vacant
    return memory === 'series' && pool !== undefined ? { ...sandbox, from: pool, to: pool } : sandbox
  }

  private life(entrant: Seatable, key: string): BotLife {
    const { context } = this
    const { limits } = context
    const wire = context.wires[entrant.wire] as AnyWire
    const figures = new FigureLog(this.log(entrant.name))
    return {
      name: entrant.name,
      wire,
      memory: entrant.memory,
      key,
      seed: (lived: string, question?: number) => botSeed(context.seed, entrant.name, lived, question),
      outputBytes: limits['output'] ?? OUTPUT_BYTES,
      updateLimit: limitOf(limits, wire, 'turn'),
      startLimit: wire.loads && limitOf(limits, wire, wire.loads.within),
      banked: limits['bank'] !== undefined,
      forgiven: limits['late'],
      stderr: figures,
      figures,
      note: (text: string) => this.note(entrant.name, text),
    }
  }

  private room(): string {
    return join(this.context.rooms, String(this.made++))
  }

  /** Only the first few notes are passed on: an entrant may cause them on purpose, match after match. */
  private note(entrant: string, text: string): void {
    const n = (this.notes.get(entrant) ?? 0) + 1
    this.notes.set(entrant, n)
    if (n <= NOTES) this.context.note(text)
    if (n === NOTES) this.context.note(`${entrant}: no more notes of this kind are shown for it`)
  }

  stderr(entrant: string): string {
    return this.logs.get(entrant)?.read() ?? ''
  }

  private log(entrant: string): StderrTail {
    const log = this.logs.get(entrant) ?? new StderrTail()
    this.logs.set(entrant, log)
    return log
  }
}
