import type { Contest, GameDefinition, Result } from '../core/index.js'
import type { RunResult } from '../engine/index.js'
import type { RunSummary, Store } from '../store/index.js'
import { counted } from '../text/index.js'
import { crosstable } from '../tournament/index.js'
import { writeResults } from '../archive/write.js'
import type { Control } from './control.js'
import { exploitabilityFacts, runDocument } from './document.js'
import { exploitabilityRows } from './exploitability.js'
import type { OpenRun } from './open-run.js'
import type { Measured } from './policy.js'
import { type Rated, ratingRowsOf } from './ranking/results-to-games.js'
import { ratedResults, strengthsAtEnd } from './ranking/run-ratings.js'
import type { BegunRun } from './run-beginning.js'
import type { RunBoard } from './run-board.js'
import { writePages } from './run-endings.js'
import type { RunOutcome } from './run-events.js'
import type { RunOptions } from './run-options.js'

/** A run that has ended or was interrupted. */
interface PlayedRun {
  readonly store: Store
  readonly contest: Contest
  readonly definition: GameDefinition
  readonly options: RunOptions
  readonly opened: OpenRun
  readonly begun: BegunRun
  readonly schedule: Control
  readonly board: RunBoard
  readonly result: RunResult
  /** When it began, as performance.now() tells. */
  readonly since: number
  /** By entrant how much best answers win of it, in a small game. */
  readonly measured: readonly (Measured | undefined)[]
}

/**
 * The table of a run that is over, or was interrupted, and all that belongs to it, stored and written to the results folder. `on` is called
 * as soon as it is stored: a report of many matches takes longer.
 */
export async function summarizeRun(run: PlayedRun, on: (outcome: RunOutcome) => void): Promise<RunOutcome> {
  const { store, contest, definition, options, schedule, board, result, measured } = run
  const { id, seed, out } = run.opened
  const { admitted, spec, facts } = run.begun
  const { leftOut } = admitted
  const { faults } = board
  const standings = schedule.standings(result.results)
  const ranked = standings.rows.map(({ entrant }) => entrant)
  const counts = ({ seats }: Result): boolean => !seats.some((one) => schedule.isVoid(one))
  const counting = [...result.results.values()].filter(counts)
  const table = crosstable(spec.names, contest.scoring, counting, ranked)
  const current = { standings, results: new Map(counting.map((one) => [one.key, one])) }
  const summary = (await store.run(id)) as RunSummary
  const strengths = await strengthsAtEnd(store, summary, current)
  const { exclusions: excluded } = schedule
  const stopped = schedule.stopped(result.results)
  const game = definition.game.id
  const exploitability = exploitabilityFacts(spec.names, measured)
  const ends = { standings, faults, leftOut, excluded, stopped, strengths, exploitability }
  const document = runDocument({ contest, game, seed, result, ...ends })
  const rated = (): Promise<Rated[]> => ratedResults(store, summary, current)
  const ratings = await ratingRowsOf(standings, strengths.elo, rated, spec.names.length, contest.scoring)
  await keep(run, [...ratings, ...exploitabilityRows(measured)])
  const took = performance.now() - run.since
  const told = { contest, seed, out, result, standings, ...strengths, faults, leftOut, document, took }
  const outcome = { ...told, crosstable: table }
  on(outcome)
  if (options.results === false) return outcome
  const { played, reused, finished, jobKeys } = result
  await writeResults(out, {
    title: contest.title,
    summary: `${definition.title}, ${counted(played + reused, 'match', 'matches')}${finished ? '' : ' so far'}, seed ${seed}.`,
    contest: facts,
    document,
    standings,
    crosstable: table,
    faults,
    leftOut,
    stderr: result.stderr,
    jobKeys,
    store,
    finished,
  })
  if (finished) await writePages(store, { id, out }, definition, options)
  return outcome
}

/** Stores the facts of a run beside its matches, and its state. */
async function keep(
  { store, opened: { id }, result: { played, reused, finished, stderr } }: PlayedRun,
  ratings: Parameters<Store['saveRatings']>[1],
): Promise<void> {
  await store.saveStderr(id, stderr)
  await store.saveRatings(id, ratings)
  if (finished) await store.setState(id, 'finished')
  await store.note(id, finished ? 'finished' : 'interrupted', { played, reused })
}
