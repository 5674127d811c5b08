import { type MatchRecord, type Result, type ScoringSpec, type Standings, answersDigest } from '../../core/index.js'
import {
  type RatedGame,
  type StrengthModel,
  bradleyTerry,
  gamesOf,
  plackettLuce,
  strengthModel,
} from '../../stats/index.js'
import type { RatingRow } from '../../store/index.js'
import type { EloTable } from './elo-table.js'

/** A result with what tells whether another match was the same game, or had the same luck. */
export interface Rated extends Result {
  readonly course: string
  readonly luck: string
}

export function ratedOf(result: Result, record: MatchRecord): Rated {
  return {
    ...result,
    course: result.course ?? String(answersDigest(record)),
    luck: record.luck.seed,
    turns: record.steps.length,
  }
}

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
  const kind = strengthModel(pairs, field)
  return rating.map((value, entrant) =>
    ratingRow(entrant, kind, value, [low[entrant] ?? value, high[entrant] ?? value]),
  )
}

/** The same out of a table that has them already, where all of the field are in it; `results` is asked where not. */
export async function ratingRowsOf(
  { rows }: Standings,
  elo: Pick<EloTable, 'rows'> | undefined,
  results: () => Promise<readonly Rated[]>,
  field: number,
  scoring: Pick<ScoringSpec, 'by'>,
): Promise<RatingRow[]> {
  if (scoring.by === 'score') return []
  if (elo === undefined || elo.rows.length !== field) return ratingRows(await results(), field, scoring)
  const own = rows.map(({ entrant }, i) => {
    const { rating, low, high } = elo.rows[i] as EloTable['rows'][number]
    return ratingRow(entrant, BRADLEY_TERRY, rating, [low, high])
  })
  return own.sort((a, b) => a.entrant - b.entrant)
}

const BRADLEY_TERRY: StrengthModel = 'Bradley–Terry'

const ratingRow = (
  entrant: number,
  kind: string,
  value: number,
  [low, high]: readonly [number, number],
): RatingRow => ({
  entrant,
  kind,
  value,
  low: Math.max(low, -Number.MAX_VALUE),
  high: Math.min(high, Number.MAX_VALUE),
})
