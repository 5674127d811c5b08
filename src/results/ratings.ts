import { createHash } from 'node:crypto'
import { type MatchRecord, type Outcome, type Result, sidesOf } from '../core/index.js'
import {
  type Bootstrap,
  type Probability,
  type MeanRule,
  type RatedGame,
  type Ratings,
  type Rule,
  WHOLE,
  bootstrap,
  bootstrapMeans,
  bradleyTerry,
  byElo,
  byMeans,
  byPlackettLuce,
  byPoints,
  byScores,
  distinctGames,
  drawnRanks,
  firstByMeans,
  firstByPoints,
  firstByStrength,
  firstOf,
  meritsOf,
  gamesOf,
  lastStandingRounds,
  meansOf,
  payoffsOf,
  plackettLuce,
  strengthModel,
  probabilityAbove,
  scoredCompanies,
  scoredGamesOf,
  studentInterval,
  superiority,
} from '../stats/index.js'
import type { ReportRatings } from '../web/document.js'
import type { PlayedContest } from './sources.js'
import { formatOf } from '../tournament/index.js'

/** A result with what shows whether another was the same game, or had the same luck. */
export interface RatedResult extends Result {
  readonly course: string
  readonly luck: string
}

export function ratedResult(record: MatchRecord, key: string, seats: readonly number[], outcome: Outcome): RatedResult {
  const course = createHash('sha256').update(JSON.stringify(record.steps)).digest('base64url').slice(0, 16)
  return sidesOf({ key, seats, outcome, course, luck: record.luck.seed, turns: record.steps.length })
}

/** What of a contest decides how it is rated. */
type RatedContest = Pick<PlayedContest, 'seed' | 'format' | 'scoring'>

/** What resamples may cost in all: games times resamples. A fit of strengths costs as much as so many games for each two of the field. */
const COST = 3e7
const FIT = 20

/** The ratings among some of the field: an entrant that is out has a row that says so and nothing else. */
export function ratingsAmong(
  results: readonly RatedResult[],
  field: number,
  members: readonly number[],
  contest: RatedContest,
): ReportRatings | undefined {
  const index = new Map(members.map((entrant, i) => [entrant, i]))
  const own = results.flatMap((result) => {
    const seats = result.seats.flatMap((entrant) => index.get(entrant) ?? [])
    return seats.length === result.seats.length ? [{ ...result, seats }] : []
  })
  return named(ratingsOf(own, members.length, contest), field, members)
}

/** The same of games that are named by their entrants' places among `members` already. `distinct`: of them no repetition of another. */
export const gameRatingsAmong = (
  { games, distinct }: { readonly games: readonly RatedGame[]; readonly distinct: number },
  field: number,
  members: readonly number[],
  contest: RatedContest,
): ReportRatings | undefined =>
  named(games.length === 0 ? undefined : gameRatings(games, distinct, members.length, contest), field, members)

function named(
  ratings: ReportRatings | undefined,
  field: number,
  members: readonly number[],
): ReportRatings | undefined {
  const index = new Map(members.map((entrant, i) => [entrant, i]))
  const last = ratings?.unlike ? {} : { first: 0, ranks: [field, field] as const }
  const out = { rating: 0, low: 0, high: 0, ...last, flags: ['out'] }
  const name = (i: number): number => members[i] ?? i
  return (
    ratings && {
      ...ratings,
      rows: Array.from({ length: field }, (_, entrant) => ratings.rows[index.get(entrant) ?? -1] ?? out),
      superiority: ratings.superiority.map((one) => ({ ...one, better: name(one.better), worse: name(one.worse) })),
      before: ratings.before ? { ...ratings.before, order: ratings.before.order.map(name) } : undefined,
    }
  )
}

/**
 * Strengths with their intervals, and how sure the ranks are; undefined where nothing was played. Games without chance that
 * repeat each other count once.
 */
function ratingsOf(results: readonly RatedResult[], field: number, contest: RatedContest): ReportRatings | undefined {
  if (results.length === 0) return undefined
  if (contest.scoring.by === 'score') return field < 2 ? undefined : scoreRatings(results, field, contest)
  const games = gamesOf(results, {
    course: (result) => result.course,
    deal: (result) => result.luck,
  })
  return gameRatings(games, distinctGames(games), field, contest)
}

function gameRatings(
  games: readonly RatedGame[],
  distinct: number,
  field: number,
  contest: RatedContest,
): ReportRatings | undefined {
  if (field < 2) return undefined
  const pairs = games.every(({ entrants }) => entrants.length === 2)
  const elo = pairs ? bradleyTerry(games, field) : undefined
  const ratings = elo ?? plackettLuce(games, field)
  const { first, ranks, resamples } = crownOf(games, field, ratings, contest)
  const order = ratings.rating.map((_, entrant) => entrant)
  order.sort((a, b) => (ratings.rating[b] ?? 0) - (ratings.rating[a] ?? 0))
  return {
    model: strengthModel(pairs, field),
    byStrength: formatOf(contest.format.kind).unlikeOpponents || undefined,
    confidence: ratings.confidence,
    rows: ratings.rating.map((rating, entrant) => ({
      rating,
      low: bounded(ratings.low[entrant]),
      high: bounded(ratings.high[entrant]),
      first: chanceOf(first[entrant]),
      ranks: ranks[entrant] ?? [1, field],
      flags: ratings.flags[entrant] ?? [],
    })),
    superiority: order.slice(1).map((worse, i) => {
      const better = order[i] ?? worse
      return { better, worse, probability: superiority(ratings, better, worse) }
    }),
    ...pairsOf(order, (a, b) => ratings.above(a, b)),
    seat: elo?.seat ? elo.seat : undefined,
    distinct,
    resamples,
  }
}

/** Fields up to here have their strengths fitted anew for each spread that they may have. */
const FITTED = 200

/** How likely the first place is, and the interval of each rank: by the contest's own rule, or by strength where opponents are unlike. */
function crownOf(
  games: readonly RatedGame[],
  field: number,
  ratings: Ratings,
  { seed, format, scoring }: RatedContest,
): { readonly first: readonly Probability[]; readonly ranks: Bootstrap['ranks']; readonly resamples: number } {
  const { unlikeOpponents, survival } = formatOf(format.kind)
  const cost = games.length + (unlikeOpponents ? FIT * field * field : 0)
  const resamples = Math.min(1000, Math.max(100, Math.floor(COST / cost)))
  const drawn = (rule: Rule) => bootstrap(games, field, rule, { seed, resamples })
  if (survival) return { ...drawn(byScores(lastStandingRounds)), resamples }
  if (!unlikeOpponents)
    return {
      first: firstByPoints(meritsOf(games, field, scoring), seed),
      ranks: drawn(byPoints(scoring)).ranks,
      resamples,
    }
  const pairs = games.every(({ entrants }) => entrants.length === 2)
  return {
    first:
      pairs && field <= FITTED
        ? firstByStrength(games, field, seed)
        : firstOf(ratings.rating, ratings.covariance, seed),
    ranks: field > WHOLE ? drawnRanks(ratings, seed) : drawn(pairs ? byElo : byPlackettLuce).ranks,
    resamples: field > WHOLE ? 0 : resamples,
  }
}

/**
 * Mean scores with their intervals; undefined where nothing shows how they vary. Means against unlike opponents are not compared: no model of
 * scores holds for every game, as one of wins does.
 */
function scoreRatings(
  results: readonly RatedResult[],
  field: number,
  { seed, format, scoring }: RatedContest,
): ReportRatings | undefined {
  const companies = scoredCompanies(scoredGamesOf(results, scoring, { deal: ({ luck }) => luck }))
  const means = meansOf(companies, field)
  const intervals = means.mean.map((_, e) => studentInterval(means.of(e), CONFIDENCE))
  if (intervals.some((interval) => interval === undefined)) return undefined
  const distinct = new Set(results.map(({ seats, course }) => `${seats.join()} ${course}`)).size
  const rows = means.mean.map((mean, e) => ({
    rating: mean,
    low: intervals[e]?.[0] ?? mean,
    high: intervals[e]?.[1] ?? mean,
    flags: [],
  }))
  const head = { model: 'Mean score', scores: true, confidence: CONFIDENCE, distinct } as const
  const { unlikeOpponents, survival } = formatOf(format.kind)
  if (unlikeOpponents) return { ...head, unlike: true, rows, superiority: [], resamples: 0 }
  const payoffs = payoffsOf(companies, field)
  const rule: MeanRule = survival ? (drawn) => lastStandingRounds(payoffs(drawn)) : byMeans(companies, field)
  const drawn = bootstrapMeans(companies, rule, { seed, cost: survival ? field * field : 0 })
  const first = survival ? drawn.first : firstByMeans(companies, field, { seed })
  const order = means.mean.map((_, e) => e).sort((a, b) => (means.mean[b] ?? 0) - (means.mean[a] ?? 0))
  return {
    ...head,
    rows: rows.map((row, e) => ({ ...row, first: chanceOf(first[e]), ranks: drawn.ranks[e] ?? [1, field] })),
    superiority: order.slice(1).map((worse, i) => {
      const better = order[i] ?? worse
      return { better, worse, probability: probabilityAbove(means.difference(better, worse)) ?? 0.5 }
    }),
    ...pairsOf(order, (a, b) => probabilityAbove(means.difference(a, b)) ?? 0.5),
    resamples: drawn.resamples,
  }
}

/** Fields up to here have all their pairs in a report. */
const PAIRED = 60

/** Of all pairs, in the order of the ratings: how probable it is that the one of the row is better than that of the column. */
function pairsOf(order: readonly number[], above: (a: number, b: number) => number): Pick<ReportRatings, 'before'> {
  if (order.length > PAIRED) return {}
  const upper = order.map((a, i) => order.map((b, j) => (i < j ? Math.round(1000 * above(a, b)) / 1000 : 0)))
  const row = (a: number, i: number) => order.map((_, j) => (i < j ? (upper[i]?.[j] ?? 0) : 1 - (upper[j]?.[i] ?? 0)))
  return { before: { order, above: order.map((a, i) => row(a, i)) } }
}

const bounded = (end: number | undefined): number | null => (end !== undefined && Number.isFinite(end) ? end : null)

const CONFIDENCE = 0.95

/** Of an entrant that has no match yet nothing is known. */
const chanceOf = (first: Probability = 0): Probability =>
  typeof first === 'number' && Number.isNaN(first) ? [0, 1] : first
