import type { Result } from '../../core/index.js'
import type { ResolvedContest } from '../../contest/index.js'
import type { RunResult } from '../../engine/index.js'
import type { Store, StoredRun } from '../../store/index.js'
import { counted } from '../../text/index.js'
import { crosstable } from '../../tournament/index.js'
import { writeResults } from '../../results/write.js'
import type { Control } from './control.js'
import { contestFacts, runDocument } from './document.js'
import { strengthsAtEnd } from '../compare/run-strengths.js'
import type { RunBoard } from './board.js'
import type { OnReport } from '../look/report-of-run.js'
import { writePages } from './endings.js'
import type { RunOutcome } from './events.js'
import type { RunOptions } from './options.js'
import type { PlannedRun } from './plan.js'

/** What came of the matches of a run that has ended or was interrupted. */
export interface Played {
  readonly result: RunResult
  readonly schedule: Control
  readonly board: RunBoard
  /** When all began, as performance.now() tells. */
  readonly since: number
}

/** The table of a run that is over, or was interrupted, stored with it. */
export async function summarizeRun(
  { run, leftOut }: PlannedRun,
  { result, schedule, board, since }: Played,
  store: Store,
): Promise<RunOutcome> {
  const { contest, entrants } = run
  const { faults } = board
  const standings = schedule.standings(result.results)
  const ranked = standings.rows.map(({ entrant }) => entrant)
  const counts = ({ seats }: Result): boolean => !seats.some((one) => schedule.isVoid(one))
  const counting = [...result.results.values()].filter(counts)
  const names = entrants.map(({ name }) => name)
  const table = crosstable(names, contest.scoring, counting, ranked)
  const stored = (await store.run(run.id)) as StoredRun
  const { ratings, ...strengths } = await strengthsAtEnd(store, stored, { standings })
  const { exclusions: excluded } = schedule
  const stopped = schedule.stopped(result.results)
  const document = runDocument({ run, result, standings, faults, leftOut, excluded, stopped, strengths })
  await keep(run.id, result, ratings, store)
  const took = performance.now() - since
  return { run, result, standings, ...strengths, faults, leftOut, document, took, crosstable: table }
}

/** With what the results of a run are written. */
interface WriteSetting {
  readonly resolved: ResolvedContest
  readonly options: RunOptions
  readonly store: Store
  readonly on: OnReport
}

/** Writes the results folder of a run, with its report if it is over: of many matches that takes a while. */
export async function writeRun(
  { run, result, standings, crosstable: table, faults, leftOut, document }: RunOutcome,
  { resolved, options, store, on }: WriteSetting,
): Promise<void> {
  const { played, reused, finished, jobKeys, stderr } = result
  const { definition } = resolved
  await writeResults(run.out, {
    title: run.contest.title,
    summary: `${definition.title}, ${counted(played + reused, 'match', 'matches')}${finished ? '' : ' so far'}, seed ${run.seed}.`,
    contest: contestFacts(resolved, run),
    document,
    standings,
    entrants: run.entrants,
    crosstable: table,
    faults,
    leftOut,
    stderr,
    jobKeys,
    store,
    finished,
  })
  if (!finished) return
  const exclusions = await store.exclusions(run.id)
  const current = { standings, crosstable: () => table, faults, exclusions }
  await writePages({ store, run: (await store.run(run.id)) as StoredRun, definition, current }, options, on)
}

/** Stores the facts of a run beside its matches, and its state. */
async function keep(
  id: string,
  { played, reused, finished, stderr }: RunResult,
  ratings: Parameters<Store['saveRatings']>[1],
  store: Store,
): Promise<void> {
  await store.saveStderr(id, stderr)
  await store.saveRatings(id, ratings)
  if (finished) await store.setState(id, 'finished')
  await store.note(id, finished ? 'finished' : 'interrupted', { played, reused })
}
