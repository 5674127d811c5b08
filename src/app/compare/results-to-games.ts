import { type MatchRecord, type Result, type ScoringSpec, type Standings, answersDigest } from '../../core/index.js'
import { type RatedContest, rateGames } from '../../results/ratings.js'
import { type RatedGame, gamesOf } from '../../stats/index.js'
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
export function gamesPlayed(results: readonly Rated[], { teams }: Pick<ScoringSpec, 'teams'>): readonly RatedGame[] {
  const sorted = [...results].sort((a, b) => (a.key < b.key ? -1 : 1))
  return gamesOf(sorted, { course: ({ course }) => course, deal: ({ luck }) => luck, teams })
}

/** The strengths that these results tell where wins count, for the store; the report has them with all that belongs to them. */
export function ratingRows(results: readonly Rated[], field: number, contest: RatedContest): RatingRow[] {
  if (results.length === 0 || contest.scoring.by === 'score') return []
  const rated = rateGames(gamesPlayed(results, contest.scoring), field, contest)
  if (rated === undefined) return []
  return rated.rating.map((value, entrant) => {
    const [low, high] = rated.interval(entrant) ?? [value, value]
    return { entrant, kind: rated.model, value, low, high }
  })
}

/** The same out of a table that has them already, where all of the field are in it; `results` is asked where not. */
export async function ratingRowsOf(
  { rows }: Standings,
  elo: Pick<EloTable, 'rows'> | undefined,
  results: () => Promise<readonly Rated[]>,
  field: number,
  contest: RatedContest,
): Promise<RatingRow[]> {
  if (contest.scoring.by === 'score') return []
  if (elo === undefined || elo.rows.length !== field) return ratingRows(await results(), field, contest)
  const own = rows.map(({ entrant }, i): RatingRow => {
    const { rating, low = rating, high = rating } = elo.rows[i] as EloTable['rows'][number]
    return { entrant, kind: 'Bradley–Terry', value: rating, low, high }
  })
  return own.sort((a, b) => a.entrant - b.entrant)
}
