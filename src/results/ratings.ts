import { createHash } from 'node:crypto'
import {
  type FormatSpec,
  type GameDefinition,
  type MatchRecord,
  type Outcome,
  type Result,
  type ScoringSpec,
  countedBounds,
  sidesOf,
} from '../core/index.js'
import { heldAgain } from '../lab/index.js'
import {
  type Flag,
  type ModelName,
  type Probability,
  type RankInterval,
  type RatedGame,
  type ScoredCompany,
  type SeatAdvantage,
  bradleyTerry,
  distinctGames,
  gamesOf,
  meansOf,
  meritsOf,
  modelName,
  placesBy,
  plackettLuce,
  probabilityAbove,
  scoreIntervals,
  scoredCompanies,
  scoredGamesOf,
  seatsDecide,
} from '../stats/index.js'
import { formatOf } from '../tournament/index.js'
import type { Doubt } from '../text/index.js'

/** A result with what shows a repeated game, or the same luck. */
export interface RatedResult extends Result {
  readonly course: string
  readonly luck: string
}

export function ratedResult(record: MatchRecord, key: string, seats: readonly number[], outcome: Outcome): RatedResult {
  const course = createHash('sha256').update(JSON.stringify(record.steps)).digest('base64url').slice(0, 16)
  return sidesOf({ key, seats, outcome, course, luck: record.luck.seed, turns: record.steps.length })
}

/** What of a contest decides how it is rated. */
export interface RatedContest {
  readonly format: FormatSpec
  readonly scoring: ScoringSpec
  /** Between which numbers the game's scores lie, if it says so. */
  readonly scores?: GameDefinition['game']['scores']
}

/** Chances of the first place, possible ranks, and of what. */
interface Places {
  readonly first: readonly Probability[]
  readonly ranks: readonly RankInterval[]
  /** By true points, mean scores or strengths, or of the same contest held again. */
  readonly by: 'points' | 'means' | 'strength' | 'again'
}

/** How good a field's entrants are, and how sure that is, by index. */
export interface RatedField {
  readonly model: ModelName | 'Mean score'
  /** NaN for an entrant without a match. */
  readonly rating: readonly number[]
  readonly confidence: number
  /** Absent: nothing tells how results vary. */
  readonly interval: (entrant: number) => readonly [low: number, high: number] | undefined
  readonly flags: readonly (readonly Flag[])[]
  readonly seat?: SeatAdvantage
  /** The chance that one is better than the other; undefined: unknown, or they are not compared. */
  above(a: number, b: number): number | undefined
  /** `ranks`: by entrant, from the contest's table. Undefined: they are not compared. */
  places(ranks: readonly number[]): Places | undefined
  /** Why no order is called sure; absent: no reason. */
  readonly doubt?: Doubt
  /** Matches that do not repeat another. */
  readonly distinct: number
}

const CONFIDENCE = 0.95
/** In larger fields strengths take minutes. */
const STRENGTHS = 1000

/** The field by its games, where wins count; undefined: no games, or too many entrants. */
export function rateGames(
  games: readonly RatedGame[],
  field: number,
  { format, scoring }: RatedContest,
  distinct = distinctGames(games),
): RatedField | undefined {
  if (games.length === 0 || field < 2 || field > STRENGTHS) return undefined
  const pairs = games.every(({ entrants }) => entrants.length === 2)
  const { unlikeOpponents, survival, openEnded } = formatOf(format.kind)
  const adaptive = unlikeOpponents || survival
  const ratings = (pairs ? bradleyTerry : plackettLuce)(games, field, { adaptive })
  const doubt = !format.swap && seatsDecide(games) ? 'seats' : undefined
  return {
    model: modelName(pairs),
    ...ratings,
    interval: (i) => [ratings.low[i] as number, ratings.high[i] as number],
    above: (a, b) => (doubt ? undefined : ratings.above(a, b)),
    places(ranks) {
      if (doubt) return undefined
      if (adaptive && pairs && !openEnded) return { ...heldAgain({ format, scoring, games, ranks }), by: 'again' }
      if (adaptive) return { first: ratings.first(), ranks: ratings.ranks(), by: 'strength' }
      return { ...placesBy(meritsOf(games, field, scoring)), by: 'points' }
    },
    doubt,
    distinct,
  }
}

/**
 * The same where scores count. Unlike opponents' means are not compared: no model of scores holds for every game, as one of wins does.
 * Nor has who stayed in longest the greatest mean.
 */
export function rateScores(
  companies: readonly ScoredCompany[],
  field: number,
  { format, scoring, scores }: RatedContest,
  distinct: number,
): RatedField | undefined {
  if (companies.length === 0 || field < 2) return undefined
  // Until settled not all play equally often, and companies count alike.
  const means = meansOf(companies, field, { weighing: format.settle ? 'companies' : 'matches' })
  const { unlikeOpponents, survival } = formatOf(format.kind)
  const { rare, interval } = scoreIntervals(companies, means, CONFIDENCE, countedBounds(scoring, scores))
  return {
    model: 'Mean score',
    rating: means.mean,
    confidence: CONFIDENCE,
    interval,
    flags: means.mean.map(() => []),
    above: (a, b) => (unlikeOpponents || rare ? undefined : probabilityAbove(means.difference(a, b))),
    places: () => (unlikeOpponents || survival || rare ? undefined : { ...placesBy(means), by: 'means' }),
    doubt: rare ? 'rare' : unlikeOpponents ? 'unlike' : undefined,
    distinct,
  }
}

interface Table {
  readonly rows: readonly { readonly entrant: number; readonly rank: number }[]
}

/** Those in a table, in the contest's order. */
const membersOf = ({ rows }: Table): readonly number[] => rows.map(({ entrant }) => entrant).sort((a, b) => a - b)

/** Ratings among some of the field, for a report: a row for an entrant that is out says only so. */
export function ratingsAmong(
  results: readonly RatedResult[],
  field: number,
  table: Table,
  contest: RatedContest,
): ReportRatings | undefined {
  const members = membersOf(table)
  const index = new Map(members.map((entrant, i) => [entrant, i]))
  const own = results.flatMap((result) => {
    const seats = result.seats.flatMap((entrant) => index.get(entrant) ?? [])
    return seats.length === result.seats.length ? [{ ...result, seats }] : []
  })
  const about = { course: ({ course }: RatedResult) => course, deal: ({ luck }: RatedResult) => luck }
  const { teams } = contest.scoring
  if (contest.scoring.by !== 'score')
    return reportRatings(rateGames(gamesOf(own, { ...about, teams }), members.length, contest), field, table)
  const companies = scoredCompanies(scoredGamesOf(own, contest.scoring, about))
  const distinct = new Set(own.map(({ seats, course }) => `${seats.join()} ${course}`)).size
  return reportRatings(rateScores(companies, members.length, contest, distinct), field, table)
}

/** The same of added-up matches; entrants by place among `membersOf`. `distinct`: matches that repeat no other. */
export const gameRatingsAmong = (
  { games, companies, distinct }: CountedGames,
  field: number,
  table: Table,
  contest: RatedContest,
): ReportRatings | undefined => {
  const size = table.rows.length
  const rated = companies ? rateScores(companies, size, contest, distinct) : rateGames(games, size, contest, distinct)
  return reportRatings(rated, field, table)
}

export interface CountedGames {
  readonly games: readonly RatedGame[]
  /** Where scores count. */
  readonly companies?: readonly ScoredCompany[]
  readonly distinct: number
}

/** Fields up to so many have all pairs in a report. */
const PAIRED = 60

/** A report's ratings; lists are by entrant. */
export type ReportRatings = NonNullable<ReturnType<typeof reportRatings>>

/** Undefined: no mean has an interval, and that needs no note. */
function reportRatings(rated: RatedField | undefined, field: number, table: Table) {
  if (rated === undefined) return undefined
  const members = membersOf(table)
  const ranks = new Map(table.rows.map(({ entrant, rank }) => [entrant, rank]))
  const scores = rated.model === 'Mean score'
  const intervals = members.map((_, i) => rated.interval(i))
  if (scores && rated.doubt !== 'rare' && intervals.every((interval) => interval === undefined)) return undefined
  const places = rated.places(members.map((entrant) => ranks.get(entrant) as number))
  const index = new Map(members.map((entrant, i) => [entrant, i]))
  const row = (i: number | undefined) => {
    const [low, high] = i === undefined ? [0, 0] : (intervals[i] ?? [null, null])
    return {
      /** In Elo units around the average of the field, or a mean score. */
      rating: i === undefined ? 0 : (rated.rating[i] as number),
      /** null: nothing tells how results vary. */
      low,
      high,
      /** The chance of the first place, or its bounds. */
      first: places && (i === undefined ? 0 : chanceOf(places.first[i])),
      /** From which to which. */
      ranks: places && (i === undefined ? ([field, field] as const) : (places.ranks[i] as RankInterval)),
      /** Why the rating rests on the prior: 'unbeaten', 'winless', 'unconnected'; 'out': none of its matches counts. */
      flags: (i === undefined ? ['out'] : (rated.flags[i] ?? [])) as readonly string[],
    }
  }
  const order = members.map((_, i) => i).sort((a, b) => (rated.rating[b] as number) - (rated.rating[a] as number))
  const name = (i: number): number => members[i] as number
  return {
    model: rated.model,
    /** Ratings are mean scores, intervals by Student's t; else strengths in Elo units. */
    scores: scores || undefined,
    /** Results decided who met whom: places go by strength, not by the contest's rule. */
    byStrength: places?.by === 'strength' || undefined,
    /** Results decided who met whom: places are those of the contest held again. */
    again: places?.by === 'again' || undefined,
    doubt: rated.doubt,
    unlike: rated.doubt === 'unlike' || undefined,
    confidence: rated.confidence,
    rows: Array.from({ length: field }, (_, entrant) => row(index.get(entrant))),
    /** The chance that an entrant is stronger than the next by rating; empty where in doubt. */
    superiority: order.slice(1).flatMap((worse, i) => {
      const better = order[i] as number
      const probability = rated.above(better, worse)
      return probability === undefined ? [] : [{ better: name(better), worse: name(worse), probability }]
    }),
    before: beforeIn(order, (a, b) => rated.above(a, b), name),
    seat: rated.seat,
    /** Matches that did not repeat one before. */
    distinct: rated.distinct,
  }
}

/** For all pairs by rating: the chance that the row's is better than the column's; not of large fields. */
function beforeIn(
  order: readonly number[],
  above: (a: number, b: number) => number | undefined,
  name: (i: number) => number,
) {
  if (order.length > PAIRED) return undefined
  const upper = order.map((a, i) => order.map((b, j) => (i < j ? above(a, b) : 0)))
  if (upper.some((row) => row.includes(undefined))) return undefined
  const at = (i: number, j: number): number => Math.round(1000 * (upper[i]?.[j] ?? 0)) / 1000
  const row = (i: number) => order.map((_, j) => (i < j ? at(i, j) : 1 - at(j, i)))
  return { order: order.map(name), above: order.map((_, i) => row(i)) }
}

/** An entrant without a match has no known chance. */
const chanceOf = (first: Probability = 0): Probability =>
  typeof first === 'number' && Number.isNaN(first) ? [0, 1] : first
