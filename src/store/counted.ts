import { plus, total, weighed } from './sums.js'

/** Whether two say the same: rows that count nothing say nothing. `pairs`, the checksum in a row, is not compared. */
export const sameCounts = (a: AllCounts, b: AllCounts): boolean => textOf(a) === textOf(b)

function textOf({ matches, entrants, faults, pairs }: AllCounts): string {
  const own = entrants.map((row) => [row.place, row.matches, row.wins, row.draws, row.losses])
  const counted = faults.filter(({ n }) => n !== 0).map(({ place, kind, n }) => [place, kind, n])
  const met = pairs
    .filter(({ ahead, level, behind }) => ahead !== 0 || level !== 0 || behind !== 0)
    .map(({ one, other, ahead, level, behind }) => [one, other, ahead, level, behind])
  const sorted = (rows: readonly (readonly (string | number)[])[]) => rows.map(String).sort()
  return JSON.stringify([matches, sorted(own), sorted(counted), sorted(met)])
}

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

/** Of two entrants of a run, by their indexes there, the lower first: how often the one was placed before the other, level, and behind. */
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
const runSum = (run: number, matches: number): number => weighed(`run ${run}`, [matches])

const entrantSum = (run: number, row: EntrantCounts): number =>
  weighed(`entrant ${run} ${row.place}`, [row.matches, row.wins, row.draws, row.losses, row.pairs])

const faultSum = (run: number, { place, kind, n }: FaultRow): number => weighed(`fault ${run} ${place} ${kind}`, [n])

const pairSum = (run: number, { one, other, ahead, level, behind }: PairCounts): number =>
  weighed(`pair ${run} ${one} ${other}`, [ahead, level, behind])

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

/** Those of the pairs that have met. */
export const metPairs = (pairs: readonly PairCounts[]): readonly PairCounts[] =>
  pairs.filter(({ ahead, level, behind }) => ahead + level + behind > 0)

/** Whether all pairs of a run are those that its entrants' rows were written with. */
export function pairsWhole(run: number, entrants: readonly EntrantCounts[], pairs: readonly PairCounts[]): boolean {
  const sums = pairSums(run, pairs)
  return entrants.every(({ place, pairs: stored }) => stored === (sums.get(place) ?? 0))
}

/** The checksum of an entrant's pairs. */
export const pairsSum = (run: number, rows: readonly PairCounts[]): number =>
  total(rows.map((row) => pairSum(run, row)))

/** By entrant: the checksum of its pairs. */
export function pairSums(run: number, pairs: readonly PairCounts[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const pair of pairs) {
    for (const entrant of new Set([pair.one, pair.other]))
      sums.set(entrant, plus(sums.get(entrant) ?? 0, pairSum(run, pair)))
  }
  return sums
}
