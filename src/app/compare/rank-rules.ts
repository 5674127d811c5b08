import { alphaRanking, ecology, nashOfTable } from '../../lab/index.js'
import {
  type BradleyTerry,
  type Probability,
  type Flag,
  type RatedGame,
  type Ratings,
  type SeatAdvantage,
  type Resampling,
  type Worth,
  bootstrap,
  bradleyTerry,
  byElo,
  byPlackettLuce,
  byPoints,
  byScores,
  byScoreTable,
  firstByPoints,
  firstByStrength,
  drawnRanks,
  firstOf,
  lastStandingRounds,
  meritsOf,
  plackettLuce,
  quantileFor,
  ranksOf,
  resampling,
  WHOLE,
} from '../../stats/index.js'
import { type Before, PAIRED, beforeOf } from './pairs.js'

export { SEPARABLE, WHOLE } from '../../stats/index.js'

/** The rules by which results can be ranked. */
export const RULES = ['points', 'elo', 'plackett-luce', 'last-standing', 'ecological', 'nash', 'alpha-rank'] as const
export type RuleName = (typeof RULES)[number]

/** Headings of their numbers. */
export const RULE_HEADS: Readonly<Record<RuleName, string>> = {
  points: 'Points a game',
  elo: 'Elo',
  'plackett-luce': 'Plackett-Luce',
  'last-standing': 'Last standing',
  ecological: 'Ecological',
  nash: 'Nash',
  'alpha-rank': 'Alpha-Rank',
}

/** What a rule's number is called: strengths and points are ratings; shares of a population or of a mixture are weights. */
export const WEIGHED: readonly RuleName[] = ['ecological', 'nash', 'alpha-rank']

/** Of fields of more than `WHOLE` entrants: the other rules take the cube of the field in time, for each of a hundred resamples. */
export const LARGE_RULES: readonly RuleName[] = ['points', 'elo']

/** What the resamples may cost in all, in steps: some seconds. */
const COST = 1e8

/** One line of a ranking; the entrant is named by its index in the field. */
export interface RankedLine {
  readonly rank: number
  readonly entrant: number
  readonly value: number
  /** Of the interval at 95 %. */
  readonly low: number
  readonly high: number
  /** The same with the prior's word where the games tell no bound; by rules with a model of strength. */
  readonly withPrior?: { readonly low: number; readonly high: number }
  /** Absent where means are against unlike opponents. The probability of the first place; by rules without a model of strength, the share of the resamples in which it was first. */
  readonly first?: Probability
  /** The best and the worst rank of the interval; absent with `first`. */
  readonly ranks?: readonly [number, number]
  readonly flags: readonly Flag[]
  /** How probable it is that it is stronger than the next; absent for the last, and where a rule has no model of strength. */
  readonly superior?: number
}

export interface Ranking {
  readonly by: RuleName
  readonly lines: readonly RankedLine[]
  /** Of all pairs, by entrant; absent where a rule has no model of strength, and in very large fields. */
  readonly before?: Before
  /** By Bradley and Terry: what sitting first is worth. */
  readonly seat?: SeatAdvantage
}

/** The confidence of each interval: so that all of a field hold together with 95 %, or each by itself (Šidák 1967). */
export const confidenceOf = (field: number, simultaneous = false): number => (simultaneous ? 0.95 ** (1 / field) : 0.95)

/** By how much the ends of a 95 % interval are farther from its middle at another confidence, as a normal variable's are. */
export const stretchTo = (confidence: number): number => quantileFor(confidence) / quantileFor(0.95)

interface RankSetting {
  /** Whether intervals are to hold all at once. */
  readonly simultaneous?: boolean
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
  { worth, seed, order, simultaneous, resampled: ready = resampling(games) }: RankSetting,
): Ranking {
  const confidence = confidenceOf(field, simultaneous)
  const model = modelOf(by, games, field, confidence)
  const resampled =
    model && field > WHOLE
      ? { ...model, first: [], ranks: drawnRanks(model, seed) }
      : bootstrap(ready, field, ruleOf(by, worth), { seed, resamples: resamplesFor(by, ready, field) })
  const { rating, low, high } = model ?? stretched(resampled, stretchTo(confidence))
  const certainty = certaintyOf(by, games, field, { worth, seed, model })
  const before = certainty && field <= PAIRED ? beforeOf(field, (a, b) => certainty.above(a, b)) : undefined
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
      ...(model && {
        withPrior: { low: model.withPrior.low[entrant] ?? 0, high: model.withPrior.high[entrant] ?? 0 },
      }),
      first: (certainty ?? resampled).first[entrant] ?? 0,
      ranks: resampled.ranks[entrant] ?? [1, field],
      flags: model?.flags[entrant] ?? [],
      superior: certainty && next !== undefined ? certainty.above(entrant, next) : undefined,
    }
  })
  const seat = model && 'seat' in model ? model.seat : undefined
  return { by, lines, before, seat }
}

/** As many resamples as take some seconds. */
function resamplesFor(by: RuleName, { kinds }: Resampling, field: number): number {
  const cost = kinds.games.length + (WEIGHED.includes(by) ? 500 * field * field : field * field)
  return Math.min(1000, Math.max(100, Math.floor(COST / cost)))
}

/** An interval's ends, farther from the rating by a factor. */
function stretched({ rating, low, high }: Pick<Ratings, 'rating' | 'low' | 'high'>, factor: number) {
  const end = (ends: readonly number[]) => ends.map((x, i) => (rating[i] ?? 0) + factor * (x - (rating[i] ?? 0)))
  return { rating, low: end(low), high: end(high) }
}

/** Who is first and who before whom, by a model; undefined for rules that have none. */
function certaintyOf(
  by: RuleName,
  games: readonly RatedGame[],
  field: number,
  { worth, seed, model }: { readonly worth: Worth; readonly seed: string; readonly model: Ratings | undefined },
): { readonly first: readonly Probability[]; above(a: number, b: number): number } | undefined {
  if (by === 'points') {
    const merits = meritsOf(games, field, worth)
    return { first: firstByPoints(merits, seed), above: (a, b) => merits.above(a, b) }
  }
  if (model === undefined) return undefined
  const isFitted = by === 'elo' && field <= WHOLE
  const first = isFitted ? firstByStrength(games, field, seed) : firstOf(model.rating, model.covariance, seed)
  return { first, above: (a, b) => model.above(a, b) }
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
      return byScoreTable(nashWeights)
    case 'alpha-rank':
      return byScoreTable(alphaRanking)
  }
}

/** Resamples are alike: each begins with the entrants that took part in the equilibrium of the one before. */
function nashWeights(field: number): (scores: Float64Array) => readonly number[] {
  let before: readonly number[] = []
  return (scores) => {
    const weights = nashOfTable(scores, field, before).weights.map(toMillionths)
    before = weights.flatMap((weight, entrant) => (weight > 0 ? [entrant] : []))
    return weights
  }
}

/** An equilibrium is computed to about so much: what differs by less is equal. */
export const toMillionths = (weight: number): number => Math.round(weight * 1e6) / 1e6

function modelOf(
  by: RuleName,
  games: readonly RatedGame[],
  field: number,
  confidence: number,
): BradleyTerry | Ratings | undefined {
  if (by === 'elo') return bradleyTerry(games, field, { confidence })
  return by === 'plackett-luce' ? plackettLuce(games, field, { confidence }) : undefined
}
