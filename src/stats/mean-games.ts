import type { EqualLuck } from './equal-luck.js'
import { type Result, type ScoringSpec, countedScores, isAlone } from '../core/index.js'

/** A match as mean scores see it. Entrants are named by their index in the field. */
export interface ScoredGame {
  /** Who met, each once. */
  readonly entrants: readonly number[]
  /** In the order of `entrants`; of one who met itself, the mean of its seats. */
  readonly scores: readonly number[]
  /** What shares its luck: matches of the same entrants with the same deal. */
  readonly block: string | number
}

/** The matches of a company: entrants who met, in whatever seats. */
export interface ScoredCompany {
  /** In ascending order. */
  readonly members: readonly number[]
  /** How many matches. */
  readonly n: number
  /** By member. */
  readonly mean: readonly number[]
  /** How many blocks of equal luck its matches make. */
  readonly blocks: number
  /** By block and member, one block after another: the sum of what its scores are above the mean, divided by n. They add up to 0. */
  readonly residuals: Float64Array
}

/** What is known of a match beside its result. */
interface Circumstances<R extends Result> {
  readonly deal: (result: R) => string | number
}

/** The results of a tournament as scored games; those without a score are left out. */
export function scoredGamesOf<R extends Result>(
  results: Iterable<R>,
  scoring: ScoringSpec,
  { deal }: Circumstances<R>,
): readonly ScoredGame[] {
  return [...results].flatMap((result) => {
    const block = `${[...result.seats].sort((a, b) => a - b).join('-')}/${deal(result)}`
    return scoredGameOf(result, scoring, block) ?? []
  })
}

/** A match as a scored game of this block; undefined for one without a score. */
export function scoredGameOf(
  result: Pick<Result, 'seats' | 'outcome' | 'turns'>,
  scoring: ScoringSpec,
  block: string | number,
): ScoredGame | undefined {
  const scores = countedScores(scoring, result)
  if (scores === undefined) return undefined
  const { seats } = result
  return isAlone(seats)
    ? { entrants: seats.slice(0, 1), scores: [scores.reduce((sum, score) => sum + score, 0) / scores.length], block }
    : { entrants: seats, scores, block }
}

/** The games by who met in them, in the order of first appearance. Throws a RangeError for a score that is no finite number. */
export function scoredCompanies(games: Iterable<ScoredGame>): readonly ScoredCompany[] {
  const sums = new ScoredSums()
  for (const game of games) sums.add(game)
  return sums.companies()
}

/** A company's matches, added up by block. */
interface Sums {
  readonly members: readonly number[]
  /** The place of each block in what follows. */
  readonly blocks: Map<string | number, number>
  /** By block: how many matches. */
  readonly matches: number[]
  /** By block and member. */
  readonly scores: number[]
}

/** Adds up scored games one by one, so that of millions of matches no more is held than the sums of their blocks. */
export class ScoredSums {
  private readonly met = new Map<string, Sums>()

  /** Throws a RangeError for a score that is no finite number. */
  add({ entrants, scores, block }: ScoredGame): void {
    if (!scores.every(Number.isFinite)) throw new RangeError(`not scores: ${scores.join()}`)
    const members = [...entrants].sort((a, b) => a - b)
    const key = members.join()
    const company: Sums = this.met.get(key) ?? { members, blocks: new Map(), matches: [], scores: [] }
    this.met.set(key, company)
    const at = company.blocks.get(block) ?? company.blocks.size
    company.blocks.set(block, at)
    company.matches[at] = (company.matches[at] ?? 0) + 1
    members.forEach((member, m) => {
      const own = at * members.length + m
      company.scores[own] = (company.scores[own] ?? 0) + (scores[entrants.indexOf(member)] ?? 0)
    })
  }

  /**
   * What was added, in the order of first appearance. `sorted`: companies by their members and blocks by their keys, so that it is the
   * same in whatever order games came.
   */
  companies(sorted = false): readonly ScoredCompany[] {
    const all = [...this.met.values()]
    if (sorted) all.sort((a, b) => before(a.members, b.members))
    return all.map((sums) => companyOf(sums, sorted))
  }
}

/** Whether the one list of numbers stands before the other: by the first in which they differ. */
function before(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((x, i) => x !== b[i])
  return at < 0 ? a.length - b.length : (a[at] as number) - (b[at] ?? -1)
}

/** Numbers before texts. */
const byKey = (a: string | number, b: string | number): number =>
  typeof a === typeof b ? (a < b ? -1 : 1) : typeof a === 'number' ? -1 : 1

function companyOf({ members, blocks, matches, scores }: Sums, sorted: boolean): ScoredCompany {
  const size = members.length
  const keys = [...blocks]
  if (sorted) keys.sort(([a], [b]) => byKey(a, b))
  const n = matches.reduce((sum, count) => sum + count, 0)
  const sums = new Float64Array(size)
  for (const [, at] of keys)
    for (let m = 0; m < size; m++) sums[m] = (sums[m] as number) + (scores[at * size + m] as number)
  const mean = Array.from(sums, (sum) => sum / n)
  const residuals = new Float64Array(keys.length * size)
  for (const [k, [, at]] of keys.entries()) {
    for (let m = 0; m < size; m++)
      residuals[k * size + m] = ((scores[at * size + m] as number) - (matches[at] as number) * (mean[m] as number)) / n
  }
  return { members, n, mean, blocks: keys.length, residuals }
}

/**
 * What playing the same luck in every order of seats does to the variance of mean scores: of blocks, divided by what it would be were the
 * games of a block independent (Kish's design effect, as `equalLuck` has it for wins). Seatings seen once do not count.
 */
export function equalLuckOfScores(games: readonly ScoredGame[]): EqualLuck {
  const means = new Map<string, { n: number; readonly sums: number[] }>()
  for (const { entrants, scores } of games) {
    const mean = means.get(entrants.join()) ?? { n: 0, sums: scores.map(() => 0) }
    mean.n++
    scores.forEach((score, seat) => (mean.sums[seat] = (mean.sums[seat] ?? 0) + score))
    means.set(entrants.join(), mean)
  }
  const blocks = new Map<string | number, { n: number; square: number; readonly sums: Map<number, number> }>()
  for (const { entrants, scores, block } of games) {
    const mean = means.get(entrants.join())
    if (mean === undefined || mean.n < 2) continue
    const own = blocks.get(block) ?? { n: 0, square: 0, sums: new Map<number, number>() }
    own.n++
    entrants.forEach((entrant, seat) => {
      const r = (scores[seat] ?? 0) - (mean.sums[seat] ?? 0) / mean.n
      own.square += r * r
      own.sums.set(entrant, (own.sums.get(entrant) ?? 0) + r)
    })
    blocks.set(block, own)
  }
  let together = 0
  let alone = 0
  let count = 0
  for (const { n, square, sums } of blocks.values()) {
    if (n < 2) continue
    count++
    alone += square
    for (const r of sums.values()) together += r * r
  }
  return { effect: alone > 0 ? together / alone : 1, blocks: count }
}

/**
 * What each scores of each on average: of itself what it scored there where it met itself, else half of what it and its opponents scored
 * together, which is what two equals would share; of whom it has not met, its own mean over the others.
 */
export function payoffsOf(
  companies: readonly ScoredCompany[],
  field: number,
): (means: readonly Float64Array[]) => readonly (readonly number[])[] {
  const pairs = companies.flatMap(({ members }, c) => (members.length <= 2 ? [{ members, c }] : []))
  return (means) => {
    const made = Array.from({ length: field }, () => Array.from({ length: field }, () => Number.NaN))
    for (const { members, c } of pairs) {
      const [a = 0, b = a] = members
      ;(made[a] as number[])[b] = means[c]?.[0] ?? Number.NaN
      if (a !== b) (made[b] as number[])[a] = means[c]?.[1] ?? Number.NaN
    }
    const met = (i: number): number[] => made.flatMap((_, j) => (i !== j && !Number.isNaN(made[i]?.[j]) ? [j] : []))
    const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length
    return made.map((row, i) => {
      const others = met(i)
      const own = others.length === 0 ? 0 : mean(others.map((j) => row[j] as number))
      const shared =
        others.length === 0 ? 0 : mean(others.map((j) => ((row[j] as number) + (made[j]?.[i] as number)) / 2))
      return row.map((value, j) => (!Number.isNaN(value) ? value : i === j ? shared : own))
    })
  }
}
