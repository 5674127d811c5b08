import type { Database } from './database.js'
import { isWhole } from './digests.js'
import { plus, total, weighed } from './sums.js'

/** An entrant's row of counts; `pairs` is the checksum of its rows in `pair`. */
export interface EntrantCounts {
  readonly place: number
  readonly matches: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
  readonly pairs: number
}
export interface FaultRow {
  readonly place: number
  readonly kind: string
  readonly n: number
}
export interface PairCounts {
  readonly one: number
  readonly other: number
  readonly ahead: number
  readonly level: number
  readonly behind: number
}

/** A run's counts, all of them. */
export interface AllCounts {
  readonly matches: number
  readonly entrants: readonly EntrantCounts[]
  readonly faults: readonly FaultRow[]
  readonly pairs: readonly PairCounts[]
}

/** The checksums of rows of counts, each linear in its counts. */
export const runSum = (run: number, matches: number): number => weighed(`run ${run}`, [matches])
export const entrantSum = (run: number, row: EntrantCounts): number =>
  weighed(`entrant ${run} ${row.place}`, [row.matches, row.wins, row.draws, row.losses, row.pairs])
export const faultSum = (run: number, { place, kind, n }: FaultRow): number =>
  weighed(`fault ${run} ${place} ${kind}`, [n])
export const pairSum = (run: number, { one, other, ahead, level, behind }: PairCounts): number =>
  weighed(`pair ${run} ${one} ${other}`, [ahead, level, behind])

export const entrantRowsOf = (db: Database, run: number): EntrantCounts[] =>
  db.all<EntrantCounts>(
    'SELECT place, matches, wins, draws, losses, pairs FROM run_entrant WHERE run = ? ORDER BY place',
    run,
  )
export const faultRowsOf = (db: Database, run: number): FaultRow[] =>
  db.all<FaultRow>('SELECT place, kind, n FROM fault_count WHERE run = ? ORDER BY place, kind', run)
export const pairRowsOf = (db: Database, run: number, entrant: number): PairCounts[] =>
  db.all<PairCounts>(
    'SELECT one, other, ahead, level, behind FROM pair WHERE run = ?1 AND one = ?2 UNION ALL SELECT one, other, ahead, level, behind FROM pair WHERE run = ?1 AND other = ?2 AND one <> ?2',
    run,
    entrant,
  )

/** The checksum of a run's counts, pairs aside: those are in their entrants' rows. */
export const countsSum = (
  run: number,
  matches: number,
  entrants: readonly EntrantCounts[],
  faults: readonly FaultRow[],
): number =>
  plus(
    runSum(run, matches),
    total([...entrants.map((row) => entrantSum(run, row)), ...faults.map((row) => faultSum(run, row))]),
  )

/** The checksum of an entrant's pairs. */
export const pairsSum = (run: number, rows: readonly PairCounts[]): number =>
  total(rows.map((row) => pairSum(run, row)))

/** Whether a run's counts, pairs aside, are those that were written. */
export const countsWhole = (db: Database, run: number, matches: number): boolean =>
  isWhole(db, run, 'counts', countsSum(run, matches, entrantRowsOf(db, run), faultRowsOf(db, run)))

/** By entrant: the checksum of its pairs. */
export function pairSums(run: number, pairs: readonly PairCounts[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const pair of pairs) {
    for (const entrant of new Set([pair.one, pair.other]))
      sums.set(entrant, plus(sums.get(entrant) ?? 0, pairSum(run, pair)))
  }
  return sums
}
