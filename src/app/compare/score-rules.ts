import { alphaRank, ecology, nashAverage } from '../../lab/index.js'
import {
  type MeanRule,
  type ScoredCompany,
  bootstrapMeans,
  byMeans,
  firstByMeans,
  lastStandingRounds,
  meansOf,
  payoffsOf,
  probabilityAbove,
  ranksOf,
} from '../../stats/index.js'
import {
  type Ranking,
  type RankedLine,
  type RuleName,
  WEIGHED,
  toMillionths,
  confidenceOf,
  stretchTo,
} from './rank-rules.js'
import { PAIRED, beforeOf } from './pairs.js'

/** The rules that rank by scores; the others are models of wins. */
export const SCORE_RULES: readonly RuleName[] = ['points', 'last-standing', 'ecological', 'nash', 'alpha-rank']

interface ScoreRankSetting {
  readonly seed: string
  readonly order?: readonly number[]
  readonly simultaneous?: boolean
  /** Results decided who met: points are means against unlike opponents, which are not compared. */
  readonly unlike?: boolean
}

/**
 * The field by one rule on mean scores, the best first. Points are mean scores; the other rules look at the matrix of what each scores
 * of each (`payoffsOf`). `order`: who stands before whom by the contest's own table, for `points`.
 */
export function rankByScores(
  by: RuleName,
  companies: readonly ScoredCompany[],
  field: number,
  { seed, order, simultaneous, unlike = false }: ScoreRankSetting,
): Ranking {
  const rule = ruleOf(by, companies, field)
  const cost = WEIGHED.includes(by) ? 500 * field * field : field * field
  const means = meansOf(companies, field)
  const drawn = bootstrapMeans(companies, rule, { seed, cost, df: by === 'points' ? (e) => means.of(e).df : undefined })
  const isCompared = by === 'points' && !unlike
  const first = isCompared ? firstByMeans(companies, field, { seed }) : drawn.first
  const ranks = ranksOf(drawn.rating)
  const factor = stretchTo(confidenceOf(field, simultaneous))
  const end = (ends: readonly number[], e: number): number =>
    (drawn.rating[e] ?? 0) + factor * ((ends[e] ?? 0) - (drawn.rating[e] ?? 0))
  const above = (a: number, b: number): number | undefined => probabilityAbove(means.difference(a, b))
  const before = isCompared && field <= PAIRED ? beforeOf(field, above) : undefined
  const place = (entrant: number): number => (by === 'points' && order ? (order[entrant] ?? 0) : (ranks[entrant] ?? 0))
  const entrants = drawn.rating.map((_, entrant) => entrant).sort((a, b) => place(a) - place(b) || a - b)
  const lines = entrants.map((entrant, i): RankedLine => {
    const next = entrants[i + 1]
    const superior = isCompared && next !== undefined ? above(entrant, next) : undefined
    return {
      rank: place(entrant),
      entrant,
      value: drawn.rating[entrant] ?? 0,
      low: end(drawn.low, entrant),
      high: end(drawn.high, entrant),
      ...((by !== 'points' || isCompared) && {
        first: first[entrant] ?? 0,
        ranks: drawn.ranks[entrant] ?? ([1, field] as const),
      }),
      flags: [],
      superior,
    }
  })
  return { by, lines, before }
}

function ruleOf(by: RuleName, companies: readonly ScoredCompany[], field: number): MeanRule {
  const payoffs = payoffsOf(companies, field)
  switch (by) {
    case 'last-standing':
      return (means) => lastStandingRounds(payoffs(means))
    case 'ecological':
      return (means) => ecology(raised(payoffs(means))).at(-1) ?? []
    case 'nash':
      return (means) => nashAverage(payoffs(means)).weights.map(toMillionths)
    case 'alpha-rank':
      return (means) => alphaRank(scaled(payoffs(means)))
    default:
      return byMeans(companies, field)
  }
}

/** Payoffs from 0 to 1, so that the intensity of selection means the same in whatever unit a game scores. */
function scaled(payoffs: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const all = payoffs.flat()
  const least = Math.min(...all)
  const range = Math.max(...all) - least
  return payoffs.map((row) => row.map((value) => (range === 0 ? 0 : (value - least) / range)))
}

/** Payoffs of which none is negative, as an ecological run needs them: raised by the least of them, where that is below 0. */
function raised(payoffs: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const least = Math.min(0, ...payoffs.flat())
  return least === 0 ? payoffs : payoffs.map((row) => row.map((value) => value - least))
}
