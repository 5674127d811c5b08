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

/** What changes a contest where it is read. */
export interface ContestFlags {
  /** Of all chance; absent: the contest's, else a secret one. */
  readonly seed?: string
  /** Names: only these entrants play. */
  readonly only?: readonly string[]
  /** Names: the entrants of `only` meet these, which do not meet each other. */
  readonly against?: readonly string[]
  /** Repetitions a pairing, instead of the contest's. */
  readonly matches?: number
  /** As many repetitions as the contest says for a first look, else 1. */
  readonly quick?: boolean
  /** After so many faults an entrant is disqualified. */
  readonly maxFaults?: number
  /** Played until so many places are decided; all: the whole order. */
  readonly untilSettled?: number | 'all'
  readonly budget?: number
  readonly confidence?: number
}

export interface RunOptions extends ContestFlags, IsolationOptions {
  /** The archive's folder; absent: a new one below ./agon-results. */
  readonly out?: string
  /** False: none is written, and the folder is but the run's name: what was played lies in the store alone. */
  readonly results?: boolean
  /** Its results have a file a match in the notation of the game's own contest. */
  readonly transcripts?: boolean
  readonly resume?: boolean
  /** Gives up the run that the folder holds; its matches are taken from the store where they are the same. */
  readonly fresh?: boolean
  /** Entrants, by name, whose first question was asked before: they are only built. */
  readonly checked?: ReadonlySet<string>
  readonly excluded?: readonly Exclusion[]
  /** By names: meetings that a ladder takes over from an earlier run. */
  readonly history?: Run['history']
  /** Awaited before so many matches are played: a run that is not to play too many an hour waits. */
  readonly pace?: (matches: number) => Promise<void>
  /** Whether an entrant, by its name, is there to play; asked before each job. Absent: all are. */
  readonly isThere?: (name: string) => boolean
  /** Called before anything is played. */
  readonly watched?: (underWay: UnderWay) => void
  /** One bot is timed at a time on each core. */
  readonly strictTiming?: boolean
  /** Who gives no answer at the first question plays all the same. */
  readonly admitAnyway?: boolean
  /** Workers alone play: the store is on a server. */
  readonly workersOnly?: boolean
  /** Its matches go before those of all other runs that workers play. */
  readonly urgent?: boolean
  /** Seconds that a match waits for a machine that is too busy. */
  readonly patience?: number
}

/** A run that is planned and played, with all that both take. */
export interface RunWork {
  readonly resolved: ResolvedContest
  readonly options: RunOptions & Jobs
  readonly context: Context
  readonly store: Store
  /** A folder for bots' rooms. */
  readonly rooms: string
  /** Keeps the sandboxes in which entrants were asked, for the bots that are then seated. */
  readonly pool: SandboxPool
  readonly note: (text: Wording) => void
  readonly on: (news: RunEvent) => void
}

/** What happens while a contest is run, in this order. */
export type RunEvent =
  /** It is settled who plays, and nothing is stored yet: from here on a signal stops the run, and what is stored stays whole. */
  | { readonly type: 'admitted' }
  /** All is ready: the first match begins. */
  | { readonly type: 'began'; readonly run: Run; readonly live: LiveRun }
  | TournamentEvent
  | { readonly type: 'ended' }
  /** Its table is known, and stored; what is left is the results folder, with the report. Not if the run was interrupted. */
  | { readonly type: 'table'; readonly outcome: RunOutcome }
  | { readonly type: 'reported'; readonly progress: ReportProgress }
  /** It failed, and what was played is kept: a run with `resume` goes on with it. */
  | { readonly type: 'kept'; readonly out: string }

export interface LeftOut extends ArchivedLeftOut {
  /** It could be built and gave no answer: the hash of what decides how it plays. */
  readonly mute?: string
}

/** The options that a resumed run takes from its beginning, beside its entrants and where it is kept. */
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
