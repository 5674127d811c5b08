import { createHash } from 'node:crypto'
import type { MatchRecord, Result } from '../core/index.js'
import { bradleyTerry, gamesOf, plackettLuce } from '../rating/index.js'
import type { RatingRow } from '../store/index.js'

/** A result with what tells whether another match was the same game, or had the same luck. */
export interface Rated extends Result {
  readonly course: string
  readonly luck: string
}

export function ratedOf(result: Result, { steps, luck }: MatchRecord): Rated {
  const course = createHash('sha256').update(JSON.stringify(steps)).digest('base64url').slice(0, 16)
  return { ...result, course, luck: luck.seed }
}

/** The strengths that these results tell, for the store; the report has them with all that belongs to them. */
export function ratingRows(results: readonly Rated[], field: number): RatingRow[] {
  if (results.length === 0) return []
  const games = gamesOf(results, { course: ({ course }) => course, deal: ({ luck }) => luck })
  const pairs = results.every(({ seats }) => seats.length === 2)
  const { rating, low, high } = pairs ? bradleyTerry(games, field) : plackettLuce(games, field)
  const kind = pairs ? 'Bradley–Terry' : 'Plackett–Luce'
  return rating.map((value, entrant) => ({
    entrant,
    kind,
    value,
    low: low[entrant] ?? value,
    high: high[entrant] ?? value,
  }))
}
