import type { GameDefinition, MatchRecord, Outcome } from '../core/index.js'
import {
  type CountedRun,
  type ReportData,
  type ReportSource,
  RoundPoints,
  folderSource,
  indexOf,
  reportOf,
  reportOfCounted,
  withTable,
  writeReport,
} from '../report/index.js'
import { type Store, type StoredRun } from '../store/index.js'
import { RATED_AGAIN, gamesOfTable } from './ranking/run-ratings.js'
import { type CountedStandings, countedStandingsOf, standingsOfRun } from './stored.js'

/*
 * Theory of operation.
 *
 * A report of a run of some thousand matches reads its records one by one. Of a million that takes many minutes. All that a report says of
 * the whole run the store has counted, or holds in a few bytes a match (its segments); records are read of those matches only that the
 * page shows, from the end of the results folder's file.
 */

/** A run of the store whose report is wanted. */
interface Wanted {
  readonly store: Store
  readonly run: StoredRun
  readonly definition: GameDefinition
  /** Its results folder. */
  readonly folder: ReportSource
}

/** The report of a run of more than so many matches where wins count, with its table as it stands now; undefined of fewer. */
export async function reportOfMany(wanted: Wanted, many = RATED_AGAIN): Promise<ReportData | undefined> {
  const { store, run, folder, definition } = wanted
  if (run.matches <= many || run.contest.scoring.by === 'score') return undefined
  const { current, outcomeOf } = await standingOf(store, run)
  const indexIn = indexOf(folder.contest)
  const place = run.entrants.map(({ name }) => indexIn(name))
  const times = [...(await store.spreads(run.id))].map(([entrant, spread]) => [place[entrant] ?? -1, spread] as const)
  const counted: CountedRun = {
    crosstable: current.crosstable,
    rated: await gamesOfTable(store, run, current),
    rounds: await roundsOf(wanted, place, outcomeOf),
    faults: current.faults,
    times: new Map(times),
    wires: new Map(run.entrants.map(({ name, wire }) => [name, wire])),
    matches: run.matches,
    outcomeOf: ({ key = '', outcome }: MatchRecord) => outcomeOf(key, outcome),
  }
  return reportOfCounted(withTable(folder, current.standings), counted, definition)
}

/** How a match counts whose record ends so; undefined: it is void. */
type OutcomeOf = (key: string, recorded: Outcome) => Outcome | undefined

/** How a run stands. */
async function standingOf(
  store: Store,
  run: StoredRun,
): Promise<{ readonly current: CountedStandings; readonly outcomeOf: OutcomeOf }> {
  const counted = await countedStandingsOf(store, run)
  if (counted !== undefined) {
    const ruled = await store.ruled(run.id)
    return { current: counted, outcomeOf: (key, recorded) => ruled.get(key) ?? recorded }
  }
  const current = await standingsOfRun(store, run)
  const outcomes = new Map(current.counting.map(({ key, outcome }) => [key, outcome]))
  return { current, outcomeOf: (key) => outcomes.get(key) }
}

async function roundsOf({ store, run, folder }: Wanted, place: readonly number[], outcomeOf: OutcomeOf) {
  const { scoring, entrants } = folder.contest
  const rounds = new RoundPoints(scoring, entrants.length)
  const seatings = new Map<readonly number[], readonly number[]>()
  await store.eachMatch(run.id, (game) => {
    const { key } = game
    const outcome = outcomeOf(key, game.outcome)
    let seats = seatings.get(game.seats)
    if (seats === undefined) seatings.set(game.seats, (seats = game.seats.map((entrant) => place[entrant] ?? -1)))
    if (outcome !== undefined) rounds.add({ key, seats, outcome })
  })
  return rounds.rows()
}

/** Writes a run's report into its results folder, where its archive lies already. */
export async function writeRunReport(store: Store, id: string, out: string, definition: GameDefinition): Promise<void> {
  const folder = folderSource(out)
  const run = await store.run(id)
  const many = run && (await reportOfMany({ store, run, folder, definition }))
  writeReport(out, many ?? (await reportOf(folder, definition)))
}
