import type { Standings } from '../../core/index.js'
import { type RatedContest, type RatedField, rateGames, rateScores } from '../../results/ratings.js'
import {
  type Flag,
  type Probability,
  type RankInterval,
  type ScoredCompany,
  type SeatAdvantage,
  modelName,
} from '../../stats/index.js'
import type { RatingRow } from '../../store/index.js'
import type { Doubt } from '../../text/index.js'
import { formatOf } from '../../tournament/index.js'
import type { PlayedMatches } from './played-matches.js'

/** Of each and the next in a table: how probable it is that the upper is the better. */
export type Neighbours = readonly { readonly upper: string; readonly lower: string; readonly superior: number }[]

/** What stands beside the points in a table of a game of two: strengths in Elo, and which neighbours are not separated. */
export interface EloTable {
  /** In the table's order. */
  readonly rows: readonly {
    readonly name: string
    readonly rating: number
    readonly low?: number
    readonly high?: number
    readonly flags: readonly Flag[]
  }[]
  /** What sitting first is worth; absent where nothing tells it from strength. */
  readonly seat?: SeatAdvantage
  readonly neighbours: Neighbours
  /** Why no neighbour is said to be stronger. */
  readonly doubt?: Doubt
}

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
  readonly neighbours: Neighbours
}

/** What stands beside the points, by what counts. */
export interface Strengths {
  /** Of games of two, where wins count. */
  readonly elo: EloTable | undefined
  readonly scores: ScoreTable | undefined
  /** Names of entrants that played the same game each time that they sat the same way, and more than once; absent: it was not looked for. */
  readonly repeating?: readonly (readonly string[])[]
}

/** How strong those in a table are, with the rows that a store keeps of it. `played`: their matches, named by their places in the table. */
export function strengthsOf(
  standings: Standings,
  played: PlayedMatches,
  contest: RatedContest,
): Strengths & { readonly ratings: readonly RatingRow[] } {
  const { rows } = standings
  const name = (i: number): string => rows[i]?.name ?? ''
  const repeating = played.games
    .repeating()
    .map((members) => members.map(name))
    .sort((a, b) => (a.join() < b.join() ? -1 : 1))
  if (contest.scoring.by === 'score')
    return { elo: undefined, scores: scoreTable(standings, played.sums.companies(), contest), repeating, ratings: [] }
  const rated = rateGames(played.games.games(), rows.length, contest)
  if (rated === undefined) return { elo: undefined, scores: undefined, repeating, ratings: [] }
  const isOfTwo = rated.model === modelName(true)
  const ratings = rows.map(({ entrant }, i): RatingRow => {
    const value = rated.rating[i] as number
    const [low, high] = rated.interval(i) ?? [value, value]
    return { entrant, kind: rated.model, value, low, high }
  })
  return {
    elo: isOfTwo ? eloTable(standings, rated) : undefined,
    scores: undefined,
    repeating,
    ratings: ratings.sort((a, b) => a.entrant - b.entrant),
  }
}

function eloTable({ rows }: Standings, rated: RatedField): EloTable {
  return {
    rows: rows.map(({ name }, i) => {
      const [low, high] = rated.interval(i) ?? []
      return { name, rating: rated.rating[i] as number, low, high, flags: rated.flags[i] ?? [] }
    }),
    neighbours: neighboursIn(rows, rated),
    seat: rated.seat,
    doubt: rated.doubt,
  }
}

/** The strengths that were kept of a field; undefined if they are not of all in the table. */
export function keptElo({ rows }: Standings, kept: readonly RatingRow[]): EloTable | undefined {
  const own = rows.flatMap(({ entrant, name }) => {
    const row = kept.find((one) => one.kind === modelName(true) && one.entrant === entrant)
    return row ? [{ name, rating: row.value, low: row.low, high: row.high, flags: [] }] : []
  })
  return own.length === rows.length ? { rows: own, neighbours: [] } : undefined
}

function scoreTable(
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

const neighboursIn = (rows: Standings['rows'], rated: RatedField): Neighbours =>
  rows.slice(1).flatMap(({ name }, i) => {
    const superior = rated.above(i, i + 1)
    return superior === undefined ? [] : [{ upper: rows[i]?.name ?? '', lower: name, superior }]
  })

/** The strengths of games of two as documents have them. */
export const eloDocument = (table: EloTable): object => ({
  ...table,
  rows: table.rows.map((row) => ({ ...row, unbounded: unboundedBy(row.flags) })),
})

/** The ends of an interval that rest on the prior alone, as games tell no bound there. */
export function unboundedBy(flags: readonly Flag[]): readonly string[] | undefined {
  if (flags.includes('unconnected')) return ['low', 'high']
  if (flags.includes('winless')) return ['low']
  return flags.includes('unbeaten') ? ['high'] : undefined
}
