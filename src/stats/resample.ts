import type { ScoredCompany } from './companies.js'
import { type Pool, pooledBlocks, poolsOf } from './means.js'
import { normalDraw } from './normal.js'
import { type RankInterval, intervalsOf, ranksOf } from './ranks.js'
import { type Stream, stream } from './stream.js'

/** What follows from each company's mean scores (by company and member): a number an entrant, more being better. */
export type MeanRule = (means: readonly Float64Array[]) => readonly number[]

/** How a ranking would have varied, by entrant. */
export interface Bootstrap {
  /** Of the matches as they are. */
  readonly rating: readonly number[]
  /** 95 % of the resamples lie within, equal shares left out on both sides. */
  readonly low: readonly number[]
  readonly high: readonly number[]
  /** The share of resamples with the entrant first; a shared place is divided. */
  readonly first: readonly number[]
  readonly ranks: readonly RankInterval[]
  readonly resamples: number
}

export interface BootstrapOptions {
  /** What the rule costs, as blocks drawn. */
  readonly cost?: number
  /** As of `meansOf`. */
  readonly coin?: number
  readonly resamples?: number
}

/** So many resamples × blocks take a second or two. */
const COST = 5e7
const TIMES = 4000
/** With so many blocks the variance of a company's mean is known as well as with more. */
const ENOUGH = 500

/**
 * How a ranking by mean scores would have varied: each company's blocks are drawn anew, with repetition (Efron 1979, by
 * strata: who met whom was no chance). What they add is stretched, so the variance is not too small; two blocks a
 * company come from a normal law with the others' variance, as in `meansOf`. Of very many blocks some are drawn. Throws
 * RangeError without a game.
 */
export function bootstrap(
  companies: readonly ScoredCompany[],
  rule: MeanRule,
  { cost = 0, coin = 0, resamples = TIMES }: BootstrapOptions = {},
): Bootstrap {
  if (companies.length === 0) throw new RangeError('there are no games to resample')
  const luck = stream('resamples')
  const drawn = companies.reduce((sum, { blocks, members }) => sum + Math.min(blocks, ENOUGH) * members.length, cost)
  const times = Math.min(resamples, Math.max(100, Math.floor(COST / drawn)))
  const pools = poolsOf(companies, coin)
  const draws = companies.map((company, c) => drawingAnew(company, pools[c]))
  const rating = rule(companies.map(({ mean }) => Float64Array.from(mean)))
  const values = rating.map(() => new Float64Array(times))
  const ranks = rating.map((): number[] => [])
  const first = new Float64Array(rating.length)
  for (let b = 0; b < times; b++) {
    const sample = rule(draws.map((draw) => draw(luck)))
    const ranking = ranksOf(sample)
    const top = ranking.filter((rank) => rank === 1).length
    sample.forEach((value, e) => {
      ;(values[e] as Float64Array)[b] = value
      ranks[e]?.push(ranking[e] as number)
      if (ranking[e] === 1) first[e] = (first[e] as number) + 1 / top
    })
  }
  for (const list of values) list.sort()
  const at = (sorted: Float64Array, share: number): number => sorted[Math.round(share * (times - 1))] as number
  return {
    rating,
    low: values.map((sorted) => at(sorted, 0.025)),
    high: values.map((sorted) => at(sorted, 0.975)),
    first: Array.from(first, (n) => n / times),
    ranks: intervalsOf(ranks, ranksOf(rating)),
    resamples: times,
  }
}

/** Draws a company's means, its blocks anew. `pool`: how others' blocks vary. */
function drawingAnew(
  { members, residuals, counts, blocks, mean, n }: ScoredCompany,
  pool: Pool | undefined,
): (luck: Stream) => Float64Array {
  const size = members.length
  const borrowed = pooledBlocks(pool)
  const df = blocks - 1 + borrowed
  const times = blocks > 1 ? Math.min(blocks, ENOUGH) : 0
  const stretch = Math.sqrt(((blocks / df) * blocks) / times)
  const ends = new Float64Array(counts.length)
  counts.forEach((count, k) => (ends[k] = (ends[k - 1] ?? 0) + count))
  const isPlain = counts.length === blocks
  return (luck) => {
    const drawn = Float64Array.from(mean)
    for (let i = 0; i < times; i++) {
      const at = luck.below(blocks)
      const k = isPlain ? at : ends.findIndex((end) => at < end)
      for (let m = 0; m < size; m++) drawn[m] = (drawn[m] as number) + stretch * (residuals[k * size + m] as number)
    }
    if (pool === undefined) return drawn
    const chance = together(pool, size, luck)
    return drawn.map((value, m) => value + (chance[m] as number) * Math.sqrt(borrowed / df / n))
  }
}

/** Normal numbers with the pool's variance and covariance. */
function together({ own, shared }: Pool, size: number, luck: Stream): Float64Array {
  const alone = Float64Array.from({ length: size }, () => normalDraw(luck))
  const mean = alone.reduce((sum, x) => sum + x, 0) / size
  // Such a matrix has one eigenvalue along all, and another across.
  const [along, across] = [Math.max(0, own + (size - 1) * shared), Math.max(0, own - shared)]
  return alone.map((x) => Math.sqrt(across) * (x - mean) + Math.sqrt(along) * mean)
}
