import type { Run, Wording } from '../../core/index.js'
import type { SandboxPool } from '../../bots/index.js'
import type { ResolvedContest } from '../../contest/index.js'
import type { TournamentEvent, UnderWay } from '../../engine/index.js'
import type { ArchivedLeftOut } from '../../results/write.js'
import type { Exclusion, Store } from '../../store/index.js'
import type { Context } from '../context.js'
import type { IsolationOptions, Jobs } from '../machine.js'
import type { ReportProgress } from '../look/report-of-run.js'
import type { LiveRun } from './live-run.js'
import type { RunOutcome } from './table.js'

/** Changes a contest as it is read. */
export interface ContestFlags {
  /** Of all chance; absent: the contest's, else a secret one. */
  readonly seed?: string
  /** Names: only these entrants play. */
  readonly only?: readonly string[]
  /** Names: these meet the entrants of `only`, not each other. */
  readonly against?: readonly string[]
  /** Repetitions a pairing, instead of the contest's. */
  readonly matches?: number
  /** The contest's repetitions for a first look, else 1. */
  readonly quick?: boolean
  /** Faults that disqualify. */
  readonly maxFaults?: number
  /** Places that are to be decided; all: the whole order. */
  readonly untilSettled?: number | 'all'
  readonly budget?: number
  readonly confidence?: number
}

export interface RunOptions extends ContestFlags, IsolationOptions {
  /** The archive; absent: a new folder below ./agon-results. */
  readonly out?: string
  /** False: none are written, and the folder only names the run in the store. */
  readonly results?: boolean
  /** A file a match in the notation of the game's own contest. */
  readonly transcripts?: boolean
  readonly resume?: boolean
  /** Gives up the run in the folder; the same matches are taken from the store. */
  readonly fresh?: boolean
  /** Names of entrants whose first question was asked before: they are only built. */
  readonly checked?: ReadonlySet<string>
  readonly excluded?: readonly Exclusion[]
  /** By names: a ladder's meetings in an earlier run. */
  readonly history?: Run['history']
  /** Awaited before so many matches, for a limit an hour. */
  readonly pace?: (matches: number) => Promise<void>
  /** By name, asked before each job. Absent: all are there. */
  readonly isThere?: (name: string) => boolean
  /** Called before anything is played. */
  readonly watched?: (underWay: UnderWay) => void
  /** One bot a core is timed. */
  readonly strictTiming?: boolean
  /** A bot without a first answer plays all the same. */
  readonly admitAnyway?: boolean
  /** The store is on a server. */
  readonly workersOnly?: boolean
  /** Its matches go before those of other runs on workers. */
  readonly urgent?: boolean
  /** Seconds that a match waits for a busy machine. */
  readonly patience?: number
}

/** What planning and playing a run take. */
export interface RunWork {
  readonly resolved: ResolvedContest
  readonly options: RunOptions & Jobs
  readonly context: Context
  readonly store: Store
  /** A folder for bots' rooms. */
  readonly rooms: string
  /** Keeps the sandboxes of asked entrants for seated bots. */
  readonly pool: SandboxPool
  readonly note: (text: Wording) => void
  readonly on: (news: RunEvent) => void
}

/** Events of a run, in this order. */
export type RunEvent =
  /** It is settled who plays, and nothing is stored: from here on a signal stops the run, and the store stays whole. */
  | { readonly type: 'admitted' }
  /** All is ready: the first match begins. */
  | { readonly type: 'began'; readonly run: Run; readonly live: LiveRun }
  | TournamentEvent
  | { readonly type: 'ended' }
  /** Its table is stored; the results folder and the report are left. Not if interrupted. */
  | { readonly type: 'table'; readonly outcome: RunOutcome }
  | { readonly type: 'reported'; readonly progress: ReportProgress }
  /** It failed; with `resume` a run goes on with what was played. */
  | { readonly type: 'kept'; readonly out: string }

export interface LeftOut extends ArchivedLeftOut {
  /** Built, but without an answer: the hash of what decides how it plays. */
  readonly mute?: string
}

/** What a resumed run takes from its beginning, beside entrants and place. */
export const ASKED = [
  'matches',
  'quick',
  'untilSettled',
  'budget',
  'confidence',
  'maxFaults',
  'strictTiming',
  'admitAnyway',
  'noIsolation',
  'trust',
] as const satisfies readonly (keyof RunOptions)[]

export const optionsOf = ({ asked, contest: { only, against } }: Run): RunOptions => ({ ...asked, only, against })
