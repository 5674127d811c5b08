import { createHash } from 'node:crypto'
import type { MatchRecord, Result } from '../core/index.js'
import { bradleyTerry, distinctGames, gamesOf, superiority } from '../rating/index.js'
import type { ReportRatings } from '../web/document.js'

/** A result with what tells whether another was the same game, or had the same luck. */
export interface RatedResult extends Result {
  readonly course: string
  readonly luck: string
}

export function ratedResult(record: MatchRecord, key: string, seats: readonly number[]): RatedResult {
  const course = createHash('sha256').update(JSON.stringify(record.steps)).digest('base64url').slice(0, 16)
  return { key, seats, outcome: record.outcome, course, luck: record.luck.seed }
}

/** Strengths with their intervals; undefined where nothing was played. Games without chance that repeat each other count once. */
export function ratingsOf(results: readonly RatedResult[], field: number): ReportRatings | undefined {
  if (results.length === 0 || field < 2) return undefined
  const games = gamesOf(results, {
    course: (result) => result.course,
    deal: (result) => result.luck,
  })
  const ratings = bradleyTerry(games, field)
  const order = ratings.rating.map((_, entrant) => entrant)
  order.sort((a, b) => (ratings.rating[b] ?? 0) - (ratings.rating[a] ?? 0))
  return {
    model: 'Bradley–Terry',
    confidence: ratings.confidence,
    rows: ratings.rating.map((rating, entrant) => ({
      rating,
      low: ratings.low[entrant] ?? rating,
      high: ratings.high[entrant] ?? rating,
      flags: ratings.flags[entrant] ?? [],
    })),
    superiority: order.slice(1).map((worse, i) => {
      const better = order[i] ?? worse
      return { better, worse, probability: superiority(ratings, better, worse) }
    }),
    distinct: distinctGames(games),
  }
}
