import type { Run, Standings } from '../../core/index.js'
import type { TournamentEvent, RunResult } from '../../engine/index.js'
import type { Crosstable } from '../../tournament/index.js'
import type { FaultCount } from '../../results/faults.js'
import type { ReportProgress } from '../look/report-of-run.js'
import type { LeftOut } from './admit.js'
import type { Strengths } from '../compare/strengths.js'
import type { RunBoard } from './board.js'

/** What happens while a contest is run, in this order. */
export type RunEvent =
  /** It is settled who plays, and nothing is stored yet: from here on a signal stops the run, and what is stored stays whole. */
  | { readonly type: 'admitted' }
  /** All is ready: the first match begins. `run`: its id in the store; `board` follows what is played. */
  | { readonly type: 'began'; readonly run: string; readonly out: string; readonly board: RunBoard }
  | TournamentEvent
  /** No match is played any more. */
  | { readonly type: 'ended' }
  /** Its table is known, and stored; what is left is the results folder, with the report. Not where the run was interrupted. */
  | { readonly type: 'table'; readonly outcome: RunOutcome }
  /** So far is its report. */
  | { readonly type: 'reported'; readonly progress: ReportProgress }
  /** It failed, and what was played is kept: a run with `resume` goes on with it. */
  | { readonly type: 'kept'; readonly out: string }

/** What came of a run. */
export interface RunOutcome extends Strengths {
  readonly run: Run
  readonly result: RunResult
  readonly standings: Standings
  readonly crosstable: Crosstable
  readonly faults: FaultCount
  readonly leftOut: readonly LeftOut[]
  /** The document of the run, as results.json has it. */
  readonly document: unknown
  /** Milliseconds to the table, set-up included. */
  readonly took: number
}
