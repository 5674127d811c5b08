import type { ScoringSpec, Standings } from '../../core/index.js'
import { type RatedContest, rateScores } from '../../results/ratings.js'
import {
  type Probability,
  type RankInterval,
  type ScoredCompany,
  type ScoredGame,
  scoredCompanies,
  scoredGamesOf,
} from '../../stats/index.js'
import { type Doubt, chance, number } from '../../text/index.js'
import { formatOf } from '../../tournament/index.js'
import { type Neighbours, neighboursIn } from './elo-table.js'
import type { Rated } from './results-to-games.js'

/** What stands beside the points where scores count: how sure they are, and which neighbours are not separated. */
export interface ScoreTable {
  readonly confidence: number
  /** Points are others than these means, and what stands beside them is of the means. Absent: it is of the points. */
  readonly means?: true
  /** Means are against unlike opponents and are not compared: there is neither a first place nor a rank, and `neighbours` is empty. */
  readonly unlike?: true
  /** Why no neighbours are compared. */
  readonly doubt?: Doubt
  /** In the table's order; without an interval where nothing tells how scores vary. In the unit of the points. */
  readonly rows: readonly {
    readonly name: string
    readonly mean: number | null
    readonly low?: number
    readonly high?: number
    /** The same interval, if it is by Student's t. */
    readonly t?: readonly [low: number, high: number]
    /** How probable it is that its true mean is the greatest, and which ranks by means it might as well have; where the table goes by means. */
    readonly first?: Probability
    readonly ranks?: RankInterval
  }[]
  /** Of each and the next in the table: how probable it is that the upper has the greater mean; absent where nothing tells. */
  readonly neighbours: Neighbours
}

/** How sure the scores of those in the table are; undefined where no match with a score was played. */
export function scoreTable(
  standings: Standings,
  results: readonly Rated[],
  contest: RatedContest,
): ScoreTable | undefined {
  const index = new Map(standings.rows.map(({ entrant }, i) => [entrant, i]))
  return scoreTableOf(standings, companiesIn(results, contest.scoring, index), contest)
}

/** The same of companies, whose members are named by their places in the table. */
export function scoreTableOf(
  { rows }: Standings,
  companies: readonly ScoredCompany[],
  contest: RatedContest,
): ScoreTable | undefined {
  const rated = rateScores(companies, rows.length, contest, 0)
  if (rated === undefined) return undefined
  const places = rated.places(rows.map(({ rank }) => rank))
  const { unlikeOpponents, partialPoints } = formatOf(contest.format.kind)
  const isSum = contest.scoring.of === 'total' && !contest.format.settle && !partialPoints
  return {
    confidence: rated.confidence,
    means: partialPoints,
    unlike: unlikeOpponents ? true : undefined,
    doubt: rated.doubt,
    rows: rows.map(({ name, points }, i) => {
      const mean = rated.rating[i] as number
      if (Number.isNaN(mean)) return { name, mean: null }
      const interval = rated.interval(i)
      if (interval === undefined) return { name, mean }
      // Points are sums where totals count, and their intervals as many times as wide. A bye adds to the sum, too.
      const times = !isSum ? 1 : mean === 0 ? matchesOf(companies, i) : points / mean
      const [low, high] = interval.map((end) => times * end) as [number, number]
      return {
        name,
        mean,
        low,
        high,
        t: rated.doubt === 'rare' ? undefined : [low, high],
        ...(places && { first: places.first[i], ranks: places.ranks[i] }),
      }
    }),
    neighbours: neighboursIn(rows, rated),
  }
}

const matchesOf = (companies: readonly ScoredCompany[], entrant: number): number =>
  companies.reduce((sum, { members, n }) => sum + (members.includes(entrant) ? n : 0), 0)

/** The companies of those in the field, by its own numbers. */
function companiesIn(results: readonly Rated[], scoring: ScoringSpec, index: ReadonlyMap<number, number>) {
  const own = results.flatMap((result) => {
    const seats = result.seats.flatMap((entrant) => index.get(entrant) ?? [])
    return seats.length === result.seats.length ? [{ ...result, seats }] : []
  })
  return scoredCompanies(scoredGames(own, scoring))
}

/** Results as scored games: in the order of their keys, so that sums do not depend on which match ended first. */
export function scoredGames(results: readonly Rated[], scoring: ScoringSpec): readonly ScoredGame[] {
  const sorted = [...results].sort((a, b) => (a.key < b.key ? -1 : 1))
  return scoredGamesOf(sorted, scoring, { deal: ({ luck }) => luck, course: ({ course }) => course })
}

/** Whether anything tells how scores vary. */
export const hasIntervals = ({ rows }: Pick<ScoreTable, 'rows'>): boolean => rows.some(({ low }) => low !== undefined)

/** The columns of the table. */
export const scoreColumns = ({ rows, means }: ScoreTable) => {
  if (!hasIntervals({ rows })) return []
  const column = (head: string, cells: readonly string[]) => ({ head, cells, right: true })
  return [
    ...(means
      ? [
          column(
            'Mean',
            rows.map(({ mean }) => (mean === null ? '' : number(mean))),
          ),
        ]
      : []),
    column(
      '95 % interval',
      rows.map(({ low, high }) => (low === undefined || high === undefined ? '' : `${number(low)} … ${number(high)}`)),
    ),
    ...(rows.some(({ first }) => first !== undefined)
      ? [
          column(
            'First',
            rows.map(({ first }) => (first === undefined ? '' : chance(first))),
          ),
        ]
      : []),
  ]
}
