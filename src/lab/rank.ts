import {
  type Bounds,
  type Flag,
  type Probability,
  type RankInterval,
  type RatedGame,
  type Ratings,
  type ScoredCompany,
  type SeatAdvantage,
  type Worth,
  bootstrap,
  bradleyTerry,
  comparisonsOf,
  meansOf,
  meritsOf,
  placesBy,
  plackettLuce,
  probabilityAbove,
  quantileFor,
  ranksOf,
  scoreIntervals,
  scoredCompanies,
  studentInterval,
} from '../stats/index.js'
import { type HeldTournament, heldAgain } from './again.js'
import { alphaRank, ecology, lastStandingRounds, payoffsOf, raised, scaled } from './payoffs.js'
import { type Payoffs, nashAverage } from './nash.js'

interface Rule {
  readonly head: string
  /** Its numbers: strengths in Elo, points, rounds outlived, or shares of a population or mixture. */
  readonly unit: 'Elo' | 'points' | 'rounds' | 'share'
  readonly judge: (results: RankedResults, confidence: number) => Judged
}

/** The rules by which results can be ranked. */
export const RULES = ['points', 'elo', 'plackett-luce', 'last-standing', 'ecological', 'nash', 'alpha-rank'] as const
export type RuleName = (typeof RULES)[number]

const rules: Readonly<Record<RuleName, Rule>> = {
  points: { head: 'Points a game', unit: 'points', judge: byPoints },
  elo: { head: 'Elo', unit: 'Elo', judge: byModel(bradleyTerry) },
  'plackett-luce': { head: 'Plackett-Luce', unit: 'Elo', judge: byModel(plackettLuce) },
  'last-standing': { head: 'Last standing', unit: 'rounds', judge: byLastStanding },
  ecological: {
    head: 'Ecological',
    unit: 'share',
    judge: byPayoffs((payoffs) => ecology(raised(payoffs)).at(-1) ?? []),
  },
  nash: { head: 'Nash', unit: 'share', judge: byNash },
  'alpha-rank': { head: 'Alpha-Rank', unit: 'share', judge: byPayoffs((payoffs) => alphaRank(scaled(payoffs))) },
}
export const ruleNamed = (name: RuleName): Rule => rules[name]

/** Rules that rank by scores; others model wins. */
export const SCORE_RULES: readonly RuleName[] = RULES.filter((name) => rules[name].unit !== 'Elo')

/** Names of rules' numbers: strengths and points are ratings; shares are weights. */
export const WEIGHED: readonly RuleName[] = RULES.filter((name) => rules[name].unit === 'share')

/** A line of a ranking; `entrant`: its index in the field. */
export interface RankedLine {
  readonly rank: number
  readonly entrant: number
  readonly value: number
  /** Of the 95 % interval; absent: nothing tells how results vary. */
  readonly low?: number
  readonly high?: number
  /** That it is truly the first (without a model: share of resamples). Absent: entrants are not compared. */
  readonly first?: Probability
  /** Absent with `first`. */
  readonly ranks?: RankInterval
  readonly flags: readonly Flag[]
  /** How probably it is above the next; absent for the last, and without a model. */
  readonly superior?: number
}

/** By entrants: how probably the one truly stands before the other. */
export type Before = readonly (readonly number[])[]

export interface Ranking {
  readonly by: RuleName
  readonly lines: readonly RankedLine[]
  /** Of all pairs, by entrant; absent without a model, and in very large fields. */
  readonly before?: Before
  /** By Bradley and Terry: what sitting first is worth. */
  readonly seat?: SeatAdvantage
  /** First places and ranks are those of the contest held again. */
  readonly again?: true
}

/** Results to be ranked. */
export interface RankedResults {
  readonly field: number
  /** Where wins count. */
  readonly games?: readonly RatedGame[]
  readonly worth: Worth
  /** If scores count; with their bounds, if the game says them. */
  readonly scored?: { readonly companies: readonly ScoredCompany[]; readonly bounds?: Bounds }
  /** Who stands before whom in the contest's own table, for `points`; absent: something else decides. */
  readonly order?: readonly number[]
  /** The contest itself, if who stays in longest is its first. */
  readonly lastStanding?: HeldTournament
  /** Whether intervals are to hold all at once. */
  readonly simultaneous?: boolean
  /** Results decided who met whom. */
  readonly adaptive?: boolean
  /** Why no order is sure: by points, or, as seats decide, by rules with a model. */
  readonly doubt?: 'unlike' | 'rare' | 'seats'
}

/** Fields up to here have all their pairs in a document. */
const PAIRED = 200

interface Judged {
  readonly rating: readonly number[]
  readonly interval: (entrant: number) => readonly [low: number, high: number] | undefined
  readonly first: readonly Probability[]
  readonly ranks: readonly RankInterval[]
  readonly flags?: Ratings['flags']
  readonly seat?: SeatAdvantage
  readonly again?: true
  /** Absent by rules without a model. */
  readonly above?: (a: number, b: number) => number | undefined
}

/** The field by one rule, the best first. */
export function rankBy(by: RuleName, results: RankedResults): Ranking {
  const { field, order, simultaneous = false, doubt } = results
  // A field's intervals hold together with 95 % (Šidák 1967).
  const confidence = simultaneous ? 0.95 ** (1 / field) : 0.95
  const { rating, interval, first, ranks, flags, seat, again, above } = rules[by].judge(results, confidence)
  const isCompared = doubt === undefined || (by !== 'points' && (doubt !== 'seats' || above === undefined))
  const own = by === 'points' && order ? order : ranksOf(rating)
  const place = (entrant: number): number => own[entrant] as number
  const entrants = rating.map((_, entrant) => entrant).sort((a, b) => place(a) - place(b) || a - b)
  const lines = entrants.map((entrant, i): RankedLine => {
    const next = entrants[i + 1]
    const [low, high] = interval(entrant) ?? []
    return {
      rank: place(entrant),
      entrant,
      value: rating[entrant] as number,
      low,
      high,
      ...(isCompared && { first: first[entrant], ranks: ranks[entrant] }),
      flags: flags?.[entrant] ?? [],
      superior: next === undefined || !isCompared ? undefined : above?.(entrant, next),
    }
  })
  const before = above && isCompared && field <= PAIRED ? beforeOf(field, above) : undefined
  return { by, lines, before, seat, again }
}

function byModel(model: typeof bradleyTerry): Rule['judge'] {
  return ({ games = [], field, adaptive }, confidence) => {
    const ratings = model(games, field, { confidence, adaptive })
    return {
      rating: ratings.rating,
      interval: (i) => [ratings.low[i] as number, ratings.high[i] as number],
      first: ratings.first(),
      ranks: ratings.ranks(),
      flags: ratings.flags,
      seat: ratings.seat,
      above: (a, b) => ratings.above(a, b),
    }
  }
}

function byPoints({ field, games = [], worth, scored }: RankedResults, confidence: number): Judged {
  const means = scored ? meansOf(scored.companies, field) : meritsOf(games, field, worth)
  const { interval } = scored
    ? scoreIntervals(scored.companies, means, confidence, scored.bounds)
    : { interval: (e: number) => studentInterval(means.of(e), confidence) }
  return {
    rating: means.mean.map((mean) => (Number.isNaN(mean) ? 0 : mean)),
    interval,
    ...placesBy(means),
    above: (a, b) => probabilityAbove(means.difference(a, b)),
  }
}

/** The contest's own result, if it is one: by how many each was outlived, and how that would repeat. */
function byLastStanding(results: RankedResults, confidence: number): Judged {
  const { lastStanding: held } = results
  if (held === undefined) return byPayoffs(lastStandingRounds)(results, confidence)
  const last = Math.max(...held.ranks)
  return {
    rating: held.ranks.map((rank) => 1 + last - rank),
    interval: () => undefined,
    ...heldAgain(held),
    again: true,
  }
}

function byNash(results: RankedResults, confidence: number): Judged {
  /** Resamples are alike: each begins with the last equilibrium's entrants. */
  let before: readonly number[] = []
  const shares = (payoffs: Payoffs): readonly number[] => {
    // Equilibria are this exact: smaller differences are none.
    const weights = nashAverage(payoffs, before).weights.map((weight) => Math.round(weight * 1e6) / 1e6)
    before = weights.flatMap((weight, entrant) => (weight > 0 ? [entrant] : []))
    return weights
  }
  return byPayoffs(shares)(results, confidence)
}

/** By a rule on the payoff matrix, without a model of the truth: results are resampled. */
function byPayoffs(rule: (payoffs: Payoffs) => readonly number[]): Rule['judge'] {
  return ({ field, games = [], scored }, confidence) => {
    const companies = scored?.companies ?? scoredCompanies(comparisonsOf(games))
    const payoffs = payoffsOf(companies, field)
    const cost = rule === lastStandingRounds ? field * field : 500 * field * field
    const drawn = bootstrap(companies, (means) => rule(payoffs(means)), { cost, coin: scored ? 0 : 0.25 })
    const factor = quantileFor(confidence) / quantileFor(0.95)
    const end = (ends: readonly number[], e: number): number =>
      (drawn.rating[e] as number) + factor * ((ends[e] as number) - (drawn.rating[e] as number))
    return { ...drawn, interval: (e) => [end(drawn.low, e), end(drawn.high, e)] }
  }
}

/** All pairs of a field. Undefined: some are unknown. */
function beforeOf(field: number, above: (a: number, b: number) => number | undefined): Before | undefined {
  const matrix = Array.from({ length: field }, () => Array.from({ length: field }, () => 0.5))
  for (let a = 0; a < field; a++) {
    for (let b = a + 1; b < field; b++) {
      const p = above(a, b)
      if (p === undefined) return undefined
      ;(matrix[a] as number[])[b] = p
      ;(matrix[b] as number[])[a] = 1 - p
    }
  }
  return matrix
}
