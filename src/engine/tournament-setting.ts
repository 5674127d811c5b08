import type { Result, Round, Tournament, JudgedMatch } from '../core/index.js'
import type { JobStore, LeaseStore, NoteStore } from '../store/index.js'
import type { ArenaPlace } from './arena.js'
import type { BackoffSetting } from './backoff.js'
import type { UnderWay } from './under-way.js'
import type { WorkerPool } from './worker-pool.js'

export interface TournamentSetting {
  readonly schedule: Tournament
  readonly place: ArenaPlace
  /** Jobs (matches, or series of bots that remember) played at once, at most. */
  readonly jobs: number
  readonly store: JobStore & Pick<NoteStore, 'ruled' | 'note'> & LeaseStore
  /** Workers that play from the beginning, closed at the end; absent: this thread plays. */
  readonly workers?: WorkerPool
  /**
   * Starts workers to replace these; called where the run takes longer than a moment and no bot lives through the tournament.
   */
  readonly startWorkers?: () => Promise<WorkerPool>
  /** Ends the run: matches under way are given up, ended ones are kept. */
  readonly signal: AbortSignal
  /** Whether an entrant is still in; asked before each job. Absent: all are. */
  isActive?(entrant: number): boolean
  /** Whether the tournament needs what only the record of the match of that key shows (`factsOf`); absent: of each. */
  factsMatter?(key: string): boolean
  /** How long a job waits for a busy machine; absent: half an hour. */
  readonly backoff?: BackoffSetting
  /** Awaited before each round, and before each job with its number of matches: resolves when the run is not paused. */
  readonly waitWhilePaused?: (matches?: number) => Promise<void>
  /** Calls it each time that the run is paused: jobs of several matches are abandoned, and played again later. */
  onPause?(abandon: () => void): void
  /** Called before anything is played, with what lets others watch. */
  onBegin?(underWay: UnderWay): void
  on(event: TournamentEvent): void
}

export type TournamentEvent =
  | { readonly type: 'round'; readonly round: Round; readonly total: number }
  | {
      readonly type: 'match'
      readonly match: JudgedMatch
      readonly result: Result
      readonly reused: boolean
    }
  | { readonly type: 'note'; readonly text: string }

export interface RunResult {
  /** By the pairing's key. */
  readonly results: ReadonlyMap<string, Result>
  /** Keys of the played jobs, in the schedule's order; the store holds their records. */
  readonly jobKeys: readonly string[]
  readonly played: number
  readonly reused: number
  /** False: ended by the signal. */
  readonly finished: boolean
  /** The end of each entrant's standard error. */
  readonly stderr: ReadonlyMap<string, string>
}
