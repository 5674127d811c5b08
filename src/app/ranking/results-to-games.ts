import type { MatchRecord, Result, ScoringSpec } from '../../core/index.js'
import { courseOf } from '../../match/index.js'
import { type RatedGame, bradleyTerry, gamesOf, plackettLuce } from '../../rating/index.js'
import type { RatingRow } from '../../store/index.js'

/** A result with what tells whether another match was the same game, or had the same luck. */
export interface Rated extends Result {
  readonly course: string
  readonly luck: string
}

export function ratedOf(result: Result, record: MatchRecord): Rated {
  return { ...result, course: result.course ?? courseOf(record), luck: record.luck.seed, turns: record.steps.length }
}

/** The same of a match that was not played, as it repeats another. It would have had a luck of its own. */
export const repeatOf = (result: Result): Rated => ({ ...result, course: result.course ?? '', luck: result.key })

/** Results as games: in the order of their keys, so that ratings are the same whichever match ended first. */
export function gamesPlayed(
  results: readonly Rated[],
  index: (entrant: number) => number = (entrant) => entrant,
): readonly RatedGame[] {
  const sorted = [...results].sort((a, b) => (a.key < b.key ? -1 : 1))
  return gamesOf(
    sorted.map((result) => ({ ...result, seats: result.seats.map(index) })),
    { course: ({ course }) => course, deal: ({ luck }) => luck },
  )
}

/**
 * The strengths that these results tell where wins count, for the store; the report has them with all that belongs to them. An end
 * without a bound is ±Number.MAX_VALUE: archives are JSON, which has no infinity.
 */
export function ratingRows(results: readonly Rated[], field: number, { by }: Pick<ScoringSpec, 'by'>): RatingRow[] {
  if (results.length === 0 || by === 'score') return []
  const games = gamesPlayed(results)
  const pairs = results.every(({ seats }) => seats.length === 2)
  const { rating, low, high } = pairs ? bradleyTerry(games, field) : plackettLuce(games, field)
  const kind = pairs ? 'Bradley–Terry' : 'Plackett–Luce'
  return rating.map((value, entrant) => ({
    entrant,
    kind,
    value,
    low: Math.max(low[entrant] ?? value, -Number.MAX_VALUE),
    high: Math.min(high[entrant] ?? value, Number.MAX_VALUE),
  }))
}
