import { alphaRank, ecology, nashAverage } from '../../analysis/index.js'
import {
  type Flag,
  type RatedGame,
  type Ratings,
  type Resampling,
  type Worth,
  bootstrap,
  bradleyTerry,
  byElo,
  byPlackettLuce,
  byPoints,
  byScores,
  lastStandingRounds,
  plackettLuce,
  ranksOf,
  resampling,
  superiority,
} from '../../rating/index.js'

export { SEPARABLE } from '../../rating/index.js'

/** The rules by which results can be ranked. */
export const RULES = ['points', 'elo', 'plackett-luce', 'last-standing', 'ecological', 'nash', 'alpha-rank'] as const
export type RuleName = (typeof RULES)[number]

/** What a rule's number is called: strengths and points are ratings; shares of a population or of a mixture are weights. */
export const WEIGHED: readonly RuleName[] = ['ecological', 'nash', 'alpha-rank']

/** What the resamples may cost in all, in steps: some seconds. */
const COST = 1e8

/** One line of a ranking; the entrant is told by its index in the field. */
export interface RankedLine {
  readonly rank: number
  readonly entrant: number
  readonly value: number
  /** Of the interval at 95 %. */
  readonly low: number
  readonly high: number
  /** The probability of the first place. */
  readonly first: number
  /** The best and the worst rank of the interval. */
  readonly ranks: readonly [number, number]
  readonly flags: readonly Flag[]
  /** How probable it is that it is stronger than the next; absent for the last, and where a rule has no model of strength. */
  readonly superior?: number
}

export interface Ranking {
  readonly by: RuleName
  readonly lines: readonly RankedLine[]
}

interface RankSetting {
  readonly worth: Worth
  readonly seed: string
  readonly order?: readonly number[]
  /** The games, made ready to be resampled; absent: they are for this rule alone. */
  readonly resampled?: Resampling
}

/**
 * The field by one rule, the best first, with intervals: those of the model where the rule has one, else of the bootstrap, which
 * all have for places. `seed` decides the resamples. `order`: who stands before whom by the contest's own table, for `points`.
 */
export function rankBy(
  by: RuleName,
  games: readonly RatedGame[],
  field: number,
  { worth, seed, order, resampled: ready = resampling(games) }: RankSetting,
): Ranking {
  const cost = ready.kinds.games.length + (WEIGHED.includes(by) ? 500 * field * field : field * field)
  const resamples = Math.min(1000, Math.max(100, Math.floor(COST / cost)))
  const resampled = bootstrap(ready, field, ruleOf(by, worth), { seed, resamples })
  const model = modelOf(by, games, field)
  const { rating, low, high } = model ?? resampled
  const ranks = ranksOf(rating)
  const entrants = rating.map((_, entrant) => entrant)
  const place = (entrant: number) => (by === 'points' && order ? (order[entrant] ?? 0) : (ranks[entrant] ?? 0))
  entrants.sort((a, b) => place(a) - place(b) || a - b)
  const lines = entrants.map((entrant, i): RankedLine => {
    const next = entrants[i + 1]
    return {
      rank: place(entrant),
      entrant,
      value: rating[entrant] ?? 0,
      low: low[entrant] ?? 0,
      high: high[entrant] ?? 0,
      first: resampled.first[entrant] ?? 0,
      ranks: resampled.ranks[entrant] ?? [1, field],
      flags: model?.flags[entrant] ?? [],
      ...(model && next !== undefined && { superior: superiority(model, entrant, next) }),
    }
  })
  return { by, lines }
}

function ruleOf(by: RuleName, worth: Worth) {
  switch (by) {
    case 'points':
      return byPoints(worth)
    case 'elo':
      return byElo
    case 'plackett-luce':
      return byPlackettLuce
    case 'last-standing':
      return byScores(lastStandingRounds)
    case 'ecological':
      return byScores((scores) => ecology(scores).at(-1) ?? [])
    case 'nash':
      return byScores(nashWeights())
    case 'alpha-rank':
      return byScores((scores) => alphaRank(scores))
  }
}

/** Resamples are alike: each begins with those who took part in the equilibrium of the one before. */
function nashWeights(): (scores: readonly (readonly number[])[]) => readonly number[] {
  let before: readonly number[] = []
  return (scores) => {
    const weights = nashAverage(scores, before).weights.map(toMillionths)
    before = weights.flatMap((weight, entrant) => (weight > 0 ? [entrant] : []))
    return weights
  }
}

/** An equilibrium is computed to about so much: what differs by less is equal. */
export const toMillionths = (weight: number): number => Math.round(weight * 1e6) / 1e6

function modelOf(by: RuleName, games: readonly RatedGame[], field: number): Ratings | undefined {
  if (by === 'elo') return bradleyTerry(games, field)
  return by === 'plackett-luce' ? plackettLuce(games, field) : undefined
}
