import type { GameDefinition, MatchRecord } from '../../core/index.js'
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
} from '../../results/index.js'
import type { Store, StoredRun } from '../../store/index.js'
import { RATED_AGAIN, gamesOfTable } from '../compare/run-ratings.js'
import { standingsOfRun, voidedBy } from '../stored.js'

/*
 * Theory of operation.
 *
 * A report of a run of some thousand matches reads its records one by one. Of a million that takes many minutes. All that a report says of
 * the whole run is in its matches' rows; records are read of those matches only that the
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
  const current = await standingsOfRun(store, run)
  const [ruled, voided] = [await store.ruled(run.id), voidedBy(current.exclusions)]
  const place = run.entrants.map(({ name }) => name).map(indexOf(folder.contest))
  const rounds = new RoundPoints(folder.contest.scoring, folder.contest.entrants.length)
  const rated = await gamesOfTable(store, run, current, (match) => {
    const seats = match.seats.map((entrant) => place[entrant] ?? -1)
    rounds.add({ key: match.key, seats, outcome: match.outcome })
  })
  const counted: CountedRun = {
    crosstable: current.crosstable(),
    rated,
    rounds: rounds.rows(),
    faults: current.faults,
    wires: new Map(run.entrants.map(({ name, wire }) => [name, wire])),
    matches: run.matches,
    outcomeOf: ({ key = '', seats, outcome }: MatchRecord) =>
      seats.some(({ entrant }) => voided.has(entrant)) ? undefined : (ruled.get(key) ?? outcome),
  }
  return reportOfCounted(withTable(folder, current.standings), counted, definition)
}

/** Writes a run's report into its results folder, where its archive lies already. */
export async function writeRunReport(store: Store, id: string, out: string, definition: GameDefinition): Promise<void> {
  const folder = folderSource(out)
  const run = await store.run(id)
  const many = run && (await reportOfMany({ store, run, folder, definition }))
  writeReport(out, many ?? (await reportOf(folder, definition)))
}
