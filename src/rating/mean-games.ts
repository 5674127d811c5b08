import type { EqualLuck } from './equal-luck.js'
import { type Result, type ScoringSpec, countedScores, isAlone } from '../core/index.js'

/** A match as mean scores see it. Entrants are told by their index in the field. */
export interface ScoredGame {
  /** Who met, each once. */
  readonly entrants: readonly number[]
  /** In the order of `entrants`; of one who met itself, the mean of its seats. */
  readonly scores: readonly number[]
  /** What shares its luck: matches of the same entrants with the same deal. */
  readonly block: string
  /** It goes the same whenever it is played: the score of this pairing in these seats is known. */
  readonly fixed?: true
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
  /** By block and member: the sum of what its scores are above the mean, divided by n. They add up to 0. */
  readonly residuals: readonly Float64Array[]
  /** All its matches would go the same again: its means are known. */
  readonly fixed: boolean
}

/** What is known of a match beside its result. */
interface Circumstances<R extends Result> {
  readonly deal: (result: R) => string | number
}

/**
 * The results of a tournament as scored games; those without a score are left out. Where some match of a seating was not played because
 * it would repeat another, all of that seating are fixed.
 */
export function scoredGamesOf<R extends Result>(
  results: Iterable<R>,
  scoring: ScoringSpec,
  { deal }: Circumstances<R>,
): readonly ScoredGame[] {
  const all = [...results]
  const fixed = new Set(all.flatMap(({ seats, repeats }) => (repeats === undefined ? [] : [seats.join()])))
  return all.flatMap((result): ScoredGame[] => {
    const scores = countedScores(scoring, result)
    if (scores === undefined) return []
    const { seats } = result
    const alone = isAlone(seats)
    return [
      {
        entrants: alone ? seats.slice(0, 1) : seats,
        scores: alone ? [scores.reduce((sum, score) => sum + score, 0) / scores.length] : scores,
        block: `${[...seats].sort((a, b) => a - b).join('-')}/${deal(result)}`,
        ...(fixed.has(seats.join()) && { fixed: true }),
      },
    ]
  })
}

/** The games by who met in them, in the order of first appearance. Throws a RangeError for a score that is no finite number. */
export function scoredCompanies(games: readonly ScoredGame[]): readonly ScoredCompany[] {
  const met = new Map<string, { readonly members: readonly number[]; readonly games: ScoredGame[] }>()
  for (const game of games) {
    if (!game.scores.every(Number.isFinite)) throw new RangeError(`not scores: ${game.scores.join()}`)
    const members = [...game.entrants].sort((a, b) => a - b)
    const key = members.join()
    const company = met.get(key) ?? { members, games: [] }
    company.games.push(game)
    met.set(key, company)
  }
  return [...met.values()].map(({ members, games: own }) => companyOf(members, own))
}

function companyOf(members: readonly number[], games: readonly ScoredGame[]): ScoredCompany {
  const n = games.length
  const blocks = new Map<string, { n: number; readonly sums: Float64Array }>()
  const sums = new Float64Array(members.length)
  for (const { entrants, scores, block } of games) {
    const own = blocks.get(block) ?? { n: 0, sums: new Float64Array(members.length) }
    own.n++
    members.forEach((member, m) => {
      const score = scores[entrants.indexOf(member)] ?? 0
      own.sums[m] = (own.sums[m] as number) + score
      sums[m] = (sums[m] as number) + score
    })
    blocks.set(block, own)
  }
  const mean = Array.from(sums, (sum) => sum / n)
  return {
    members,
    n,
    mean,
    blocks: blocks.size,
    residuals: [...blocks.values()].map((block) =>
      block.sums.map((sum, m) => (sum - block.n * (mean[m] as number)) / n),
    ),
    fixed: games.every((game) => game.fixed),
  }
}

/**
 * What playing the same luck in every order of seats does to the variance of mean scores: of blocks, divided by what it would be were the
 * games of a block independent (Kish's design effect, as `equalLuck` has it for wins). Seatings seen once say nothing.
 */
export function equalLuckOfScores(games: readonly ScoredGame[]): EqualLuck {
  const means = new Map<string, { n: number; readonly sums: number[] }>()
  for (const { entrants, scores } of games) {
    const mean = means.get(entrants.join()) ?? { n: 0, sums: scores.map(() => 0) }
    mean.n++
    scores.forEach((score, seat) => (mean.sums[seat] = (mean.sums[seat] ?? 0) + score))
    means.set(entrants.join(), mean)
  }
  const blocks = new Map<string, { n: number; square: number; readonly sums: Map<number, number> }>()
  for (const { entrants, scores, block, fixed } of games) {
    const mean = means.get(entrants.join())
    if (fixed || mean === undefined || mean.n < 2) continue
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
