import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { GameDefinition, MatchRecord } from '../../core/index.js'
import {
  type CountedRun,
  type ReportData,
  type ReportSource,
  folderSource,
  recordsSource,
  reportData,
  ruledSource,
  watchedSource,
  withTable,
} from '../../results/index.js'
import type { Store, StoredRun } from '../../store/index.js'
import { type CountedMatches, RATED_AGAIN, countMatches } from '../compare/strengths.js'
import { VERSION } from '../version.js'
import { type RunStandings, countingResults, voidedBy } from '../stored.js'

/*
 * A report reads the records of some thousand matches one by one; of a million that takes many minutes. Then the
 * matches' rows tell of the whole run, and only the records that the page shows are read, from the end of the folder's
 * file.
 */

export interface ReportedRun {
  readonly store: Store
  readonly run: StoredRun
  readonly definition: GameDefinition
  readonly current: Pick<RunStandings, 'standings' | 'crosstable' | 'faults' | 'exclusions'> & {
    /** Of a run just played: matches are not read again. */
    readonly sums?: CountedMatches
  }
}

/** A folder's records, some read more than once. */
export interface ReportProgress {
  readonly doing: 'judging its matches' | 'report'
  readonly done: number
  readonly total: number
}
export type OnReport = (progress: ReportProgress) => void

export const watched = (source: ReportSource, doing: () => ReportProgress['doing'], on: OnReport): ReportSource =>
  watchedSource(source, (done) => on({ doing: doing(), done, total: source.matches }))

/** Records are in the store alone, as of a site's contest. */
async function storedSource({ store, run }: ReportedRun): Promise<ReportSource> {
  const { title, options, format, scoring, limits } = run.contest
  const entrants = run.entrants.map(({ name, facts }) => ({ name, ...facts }))
  const about = { agon: VERSION, title, game: run.game.id, options, format, scoring, limits, entrants }
  async function* records(): AsyncGenerator<MatchRecord> {
    for await (const { matches } of store.jobs(run.id)) for (const { record } of matches) yield record
  }
  return recordsSource(about, { over: run.state === 'finished', records })
}

/** Records of the results folder, else of the store; the table as it stands, exclusions and rulings applied. */
export async function reportOfRun(reported: ReportedRun, on: OnReport) {
  const { store, run, definition, current } = reported
  const whole = existsSync(join(run.out, 'contest.json')) ? folderSource(run.out) : await storedSource(reported)
  const folder = watched(whole, () => 'report', on)
  const many = await reportOfMany(reported, folder)
  if (many !== undefined) return { source: folder, data: many }
  const outcomes = new Map((await countingResults(store, run)).map(({ key, outcome }) => [key, outcome]))
  const source = ruledSource(folder, current.standings, outcomes)
  return { source, data: await reportData(source, definition) }
}

/** Of more than so many matches where wins count, with the table as it stands; undefined of fewer. */
export async function reportOfMany(
  { store, run, definition, current }: ReportedRun,
  folder: ReportSource,
  many = RATED_AGAIN,
): Promise<ReportData | undefined> {
  if (run.matches <= many || run.contest.scoring.by === 'score') return undefined
  const [ruled, voided] = [await store.ruled(run.id), voidedBy(current.exclusions)]
  const { standings } = current
  const { played, rounds } = current.sums ?? (await countMatches(store, run, standings))
  const members = standings.rows.map(({ entrant }) => entrant).sort((a, b) => a - b)
  const counted: CountedRun = {
    crosstable: current.crosstable(),
    rated: { games: played.gamesAmong(members), distinct: played.games.distinct() },
    rounds: rounds.rows(),
    faults: current.faults,
    wires: new Map(run.entrants.map(({ name, wire }) => [name, wire])),
    matches: run.matches,
    outcomeOf: ({ key = '', seats, outcome }: MatchRecord) =>
      seats.some(({ entrant }) => voided.has(entrant)) ? undefined : (ruled.get(key) ?? outcome),
  }
  return reportData(withTable(folder, standings), definition, undefined, counted)
}
