import { stream, type Stream } from '../core/stream.js'
import { type Bootstrap, type BootstrapOptions, ranksOf } from './bootstrap.js'
import type { ScoredCompany } from './mean-games.js'
import { type Pool, pooledBlocks, poolsOf } from './mean-pool.js'
import { companyWeights, meansOf, type Weighing } from './mean-variance.js'
import { type Probability, firstOf, inMatrix } from './first-place.js'
import { normalDraw, quantileFor } from './normal.js'
import { studentQuantile } from './student.js'

/** What follows from the mean scores of each company (by company and member): a number for each entrant, more being better. */
export type MeanRule = (means: readonly Float64Array[]) => readonly number[]

/** How many resamples of so many blocks take a second or two; `cost`: of the rule, in the same unit. */
const COST = 2e7

export interface MeanBootstrapOptions extends BootstrapOptions {
  /** What the rule costs, as blocks drawn. */
  readonly cost?: number
  /** With how many degrees of freedom it is known how an entrant's value varies: the interval is as much wider as Student's t has it. */
  readonly df?: (entrant: number) => number
}

/**
 * How a ranking by mean scores would have varied: the blocks of each company are drawn anew, as many as there were, with repetition
 * (Efron 1979, by strata: who met whom was no chance). What they add to a mean is stretched, so that its variance is not too small; two
 * blocks of each company come from a normal law with the variance of the others' blocks, as in `meansOf`; and one whose matches would go
 * the same again does not vary. Of very many blocks some are drawn, and what they add is stretched. Throws a RangeError where there is
 * no game.
 */
export function bootstrapMeans(
  companies: readonly ScoredCompany[],
  rule: MeanRule,
  { seed, resamples = 1000, confidence = 0.95, cost = 0, df = () => Infinity }: MeanBootstrapOptions,
): Bootstrap {
  if (companies.length === 0) throw new RangeError('there are no games to resample')
  const luck = stream('mean scores', seed)
  const drawn = companies.reduce((sum, { blocks, members }) => sum + Math.min(blocks, ENOUGH) * members.length, cost)
  const times = Math.min(resamples, Math.max(100, Math.floor(COST / drawn)))
  const pools = poolsOf(companies)
  const rating = rule(companies.map(({ mean }) => Float64Array.from(mean)))
  const values = rating.map(() => new Float64Array(times))
  const ranks = rating.map(() => new Float64Array(times))
  const first = new Float64Array(rating.length)
  for (let b = 0; b < times; b++) {
    const sample = rule(companies.map((company, c) => drawAnew(company, pools[c], luck)))
    const ranking = ranksOf(sample.map((value) => (Number.isNaN(value) ? -Infinity : value)))
    const top = ranking.filter((rank) => rank === 1).length
    sample.forEach((value, e) => {
      ;(values[e] as Float64Array)[b] = value
      ;(ranks[e] as Float64Array)[b] = ranking[e] as number
      if (ranking[e] === 1) first[e] = (first[e] as number) + 1 / top
    })
  }
  const tail = (1 - confidence) / 2
  for (const list of [...values, ...ranks]) list.sort()
  const at = (sorted: Float64Array, share: number): number => sorted[Math.round(share * (times - 1))] as number
  const wider = (end: number, e: number): number =>
    (rating[e] as number) +
    (studentQuantile(confidence, df(e)) / quantileFor(confidence)) * (end - (rating[e] as number))
  return {
    rating,
    low: values.map((sorted, e) => wider(at(sorted, tail), e)),
    high: values.map((sorted, e) => wider(at(sorted, 1 - tail), e)),
    first: Array.from(first, (n) => n / times),
    ranks: ranks.map((sorted) => [at(sorted, tail), at(sorted, 1 - tail)]),
    confidence,
    resamples: times,
  }
}

/** Each entrant's mean of the means of its companies. */
export function byMeans(companies: readonly ScoredCompany[], field: number, weighing: Weighing = 'matches'): MeanRule {
  const weights = companyWeights(companies, field, weighing)
  const played = new Set(companies.flatMap(({ members }) => members))
  return (means) => {
    const sums = Array.from({ length: field }, (_, e) => (played.has(e) ? 0 : Number.NaN))
    companies.forEach(({ members }, c) =>
      members.forEach((e, m) => (sums[e] = (sums[e] as number) + (weights[c]?.[m] ?? 0) * (means[c]?.[m] ?? 0))),
    )
    return sums
  }
}

/** How probable it is that each entrant's true mean is the greatest (`firstOf`); NaN for an entrant without a game. */
export function firstByMeans(
  companies: readonly ScoredCompany[],
  field: number,
  { seed }: { readonly seed: string },
  weighing: Weighing = 'matches',
): readonly Probability[] {
  const means = meansOf(companies, field, weighing)
  const known = means.mean.map((_, e) => means.of(e).variance)
  // Where nothing shows how an entrant's scores vary, they are taken to vary as much as those of the one that varies most.
  const most = Math.max(0, ...known.filter(Number.isFinite))
  const own = known.map((variance) => (Number.isFinite(variance) ? variance : most))
  if (field > MANY) return firstOf(means.mean, (a, b) => (a === b ? (own[a] as number) : 0), seed)
  const covariance = new Float64Array(field * field)
  for (let a = 0; a < field; a++) {
    for (let b = 0; b <= a; b++) {
      // Of two: the variance of their difference gives their covariance.
      const both = a === b ? Number.NaN : (own[a] as number) + (own[b] as number)
      const shared = (both - means.difference(a, b).variance) / 2
      covariance[a * field + b] = covariance[b * field + a] =
        a === b ? (own[a] as number) : Number.isFinite(shared) ? shared : 0
    }
  }
  return firstOf(means.mean, inMatrix(covariance, means.mean.length), seed)
}

/** In larger fields what means have in common is left out. */
const MANY = 150

/** With so many blocks of a company the variance of its mean is known as well as with more of them. */
const ENOUGH = 500

/** A company's means with its blocks drawn anew. `pool`: what blocks of the others vary by. */
function drawAnew(
  { members, residuals, blocks, mean, n }: ScoredCompany,
  pool: Pool | undefined,
  luck: Stream,
): Float64Array {
  const drawn = Float64Array.from(mean)
  const size = members.length
  const borrowed = pooledBlocks(pool)
  const df = blocks - 1 + borrowed
  if (blocks > 1) {
    const times = Math.min(blocks, ENOUGH)
    const stretch = Math.sqrt(((blocks / df) * blocks) / times)
    for (let i = 0; i < times; i++) {
      const k = luck.below(blocks)
      for (let m = 0; m < size; m++) drawn[m] = (drawn[m] as number) + stretch * (residuals[k * size + m] as number)
    }
  }
  if (pool === undefined) return drawn
  const chance = together(pool, size, luck)
  return drawn.map((value, m) => value + (chance[m] as number) * Math.sqrt(borrowed / df / n))
}

/** Normal numbers with the pool's variance, every two of which have its covariance. */
function together({ own, shared }: Pool, size: number, luck: Stream): Float64Array {
  const alone = Float64Array.from({ length: size }, () => normalDraw(luck))
  const mean = alone.reduce((sum, x) => sum + x, 0) / size
  // Such a matrix has one eigenvalue along all of them, and another one across.
  const [along, across] = [Math.max(0, own + (size - 1) * shared), Math.max(0, own - shared)]
  return alone.map((x) => Math.sqrt(across) * (x - mean) + Math.sqrt(along) * mean)
}
