import { type FormatSpec, type ScoringSpec, type Standings } from '../../core/index.js'
import {
  type Probability,
  type ScoredCompany,
  type ScoredGame,
  bootstrapMeans,
  byMeans,
  firstByMeans,
  meansOf,
  probabilityAbove,
  scoredCompanies,
  scoredGamesOf,
  studentInterval,
} from '../../stats/index.js'
import { chance, number } from '../../text/index.js'
import type { Rated } from './results-to-games.js'
import { formatOf } from '../../tournament/index.js'

/** What stands beside the points where scores count: how sure they are, and which neighbours are not separated. */
export interface ScoreTable {
  readonly confidence: number
  /** How often the blocks of equal luck were drawn anew. */
  readonly resamples: number
  /** Points are others than these means, and what stands beside them is of the means. Absent: it is of the points. */
  readonly means?: true
  /** Means are against unlike opponents and are not compared: there is neither a first place nor a rank, and `neighbours` is empty. */
  readonly unlike?: true
  /** In the table's order; without an interval where nothing tells how scores vary. In the unit of the points. */
  readonly rows: readonly {
    readonly name: string
    readonly mean: number | null
    /** By the bootstrap. */
    readonly low?: number
    readonly high?: number
    /** By Student's t. */
    readonly t?: readonly [low: number, high: number]
    /** How probable it is that its true mean is the greatest, and which ranks by means it might as well have; where the table goes by means. */
    readonly first?: Probability
    readonly ranks?: readonly [best: number, worst: number]
  }[]
  /** Of each and the next in the table: how probable it is that the upper has the greater mean; absent where nothing tells. */
  readonly neighbours: readonly { readonly upper: string; readonly lower: string; readonly superior: number }[]
}

/** What a score table is made by. */
interface ScoreSetting {
  readonly scoring: ScoringSpec
  readonly format: Pick<FormatSpec, 'kind' | 'settle'>
  readonly seed: string
}

/** How sure the scores of those in the table are; undefined where no match with a score was played. */
export function scoreTable(
  standings: Standings,
  results: readonly Rated[],
  setting: ScoreSetting,
): ScoreTable | undefined {
  const index = new Map(standings.rows.map(({ entrant }, i) => [entrant, i]))
  return scoreTableOf(standings, companiesIn(results, setting.scoring, index), setting)
}

/** The same of companies, whose members are named by their places in the table. */
export function scoreTableOf(
  { rows }: Standings,
  companies: readonly ScoredCompany[],
  { scoring, format, seed }: ScoreSetting,
): ScoreTable | undefined {
  if (companies.length === 0) return undefined
  const field = rows.length
  // Until settled not all play equally often, and companies count alike.
  const weighing = format.settle ? 'companies' : 'matches'
  const means = meansOf(companies, field, weighing)
  const drawn = bootstrapMeans(companies, byMeans(companies, field, weighing), { seed, df: (e) => means.of(e).df })
  const { unlikeOpponents: unlike, survival, partialPoints } = formatOf(format.kind)
  // Who stayed in longest is first, and not who has the greatest mean of all matches.
  const isByMeans = !unlike && survival === undefined
  const first = isByMeans ? firstByMeans(companies, field, { seed }, weighing) : undefined
  const played = rows.map((_, i) => companies.reduce((sum, { members, n }) => sum + (members.includes(i) ? n : 0), 0))
  return {
    confidence: drawn.confidence,
    resamples: drawn.resamples,
    means: partialPoints,
    unlike: unlike ? true : undefined,
    rows: rows.map(({ name, points }, i) => {
      const mean = means.mean[i] ?? Number.NaN
      if (Number.isNaN(mean)) return { name, mean: null }
      const t = studentInterval(means.of(i), drawn.confidence)
      // Points are sums where totals count, and their intervals as many times as wide. A bye adds to the sum, too.
      const sum = mean === 0 ? (played[i] ?? 0) : points / mean
      const times = scoring.of === 'total' && !format.settle && !partialPoints ? sum : 1
      return {
        name,
        mean,
        ...(t && { low: times * (drawn.low[i] ?? mean), high: times * (drawn.high[i] ?? mean) }),
        ...(t && { t: [times * t[0], times * t[1]] as const }),
        ...(t && first && { first: first[i] ?? 0, ranks: drawn.ranks[i] ?? ([1, field] as const) }),
      }
    }),
    neighbours: rows.slice(1).flatMap(({ name }, i) => {
      if (unlike) return []
      const superior = probabilityAbove(means.difference(i, i + 1))
      return superior === undefined ? [] : [{ upper: rows[i]?.name ?? '', lower: name, superior }]
    }),
  }
}

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
  return scoredGamesOf(sorted, scoring, { deal: ({ luck }) => luck })
}

/** Whether anything tells how scores vary. */
export const hasIntervals = ({ rows }: Pick<ScoreTable, 'rows'>): boolean => rows.some(({ t }) => t !== undefined)

/** The columns of the table. */
export const scoreColumns = ({ rows, means }: ScoreTable) => {
  const interval = (low: number | undefined, high: number | undefined): string =>
    low === undefined || high === undefined ? '' : `${number(low)} … ${number(high)}`
  return hasIntervals({ rows })
    ? [
        ...(means
          ? [{ head: 'Mean', cells: rows.map(({ mean }) => (mean === null ? '' : number(mean))), right: true }]
          : []),
        { head: '95 % interval', cells: rows.map(({ low, high }) => interval(low, high)), right: true },
        { head: "by Student's t", cells: rows.map(({ t }) => interval(t?.[0], t?.[1])), right: true },
        ...(rows.some(({ first }) => first !== undefined)
          ? [
              {
                head: 'First',
                cells: rows.map(({ first }) => (first === undefined ? '' : chance(first))),
                right: true,
              },
            ]
          : []),
      ]
    : []
}
