import { type ScoredCompany, type Worth, pointsOf, scoredCompanies } from './companies.js'
import { type Estimates, type Probability, among, beliefsOf, firstPlaces } from './first-place.js'
import type { RatedGame } from './game.js'
import { type RankInterval, rankIntervals } from './ranks.js'
import { studentCdf, studentQuantile } from './student.js'

/** Mean scores of entrants that played, and how they vary. */
export interface Means {
  /** By entrant; NaN for one without a game. */
  readonly mean: readonly number[]
  /** The difference of two means: the first's less the second's. */
  difference(a: number, b: number): Estimate
  /** The mean of one. */
  of(entrant: number): Estimate
  /** Two errors' covariance; 0 where unknown. */
  readonly covariance: (a: number, b: number) => number
  /** Two means' difference in their matches with each other alone; undefined: none. */
  between(a: number, b: number): Estimate | undefined
}

/** A number, its error's variance, and the degrees of freedom of that. */
export interface Estimate {
  readonly value: number
  /** NaN: not known. */
  readonly variance: number
  readonly df: number
}

export interface MeanOptions {
  readonly weighing?: Weighing
  /** A block's points vary by this at most: so unanimous results are not certain. 0 where scores have no bounds. */
  readonly coin?: number
}

/** A company's weight in its members' mean: by its matches, or one like another. */
type Weighing = 'matches' | 'companies'

/**
 * Each entrant's mean score, with the variance left by equal luck: opponents are no sample, so what varies is how each
 * company's blocks came out. A company mean's variance is m/(m − 1) Σ r², r being what its m blocks add to the mean
 * (the linearisation of a ratio: Cochran 1977, section 6.3), with two blocks of the others' variance, as a company has
 * few. Degrees of freedom after Welch (1947) and Satterthwaite (1946).
 */
export function meansOf(
  companies: readonly ScoredCompany[],
  field: number,
  { weighing = 'matches', coin = 0 }: MeanOptions = {},
): Means {
  const weights = companyWeights(companies, field, weighing)
  const mean = Array.from({ length: field }, () => Number.NaN)
  /** By entrant: its companies, by number. */
  const own: number[][] = Array.from({ length: field }, () => [])
  for (const [c, company] of companies.entries()) {
    company.members.forEach((e, m) => {
      const before = own[e]?.length === 0 ? 0 : (mean[e] as number)
      mean[e] = before + (weights[c]?.[m] as number) * (company.mean[m] as number)
      own[e]?.push(c)
    })
  }
  const pools = poolsOf(companies, coin)
  const pairs = new Map(companies.map((company, c) => [company.members.join(), c]))
  /** The variance of a sum of members' means, with factors. */
  const estimate = (value: number, factors: ReadonlyMap<number, number>): Estimate => {
    let variance = 0
    let squares = 0
    const seen = new Set([...factors.keys()].flatMap((e) => own[e] ?? []))
    for (const c of seen) {
      const company = companies[c] as ScoredCompany
      const factor = company.members.map((e, m) => (factors.get(e) ?? 0) * (weights[c]?.[m] as number))
      const part = varianceOf(company, factor, pools[c])
      variance += part.variance
      if (part.variance > 0) squares += part.variance ** 2 / part.df
    }
    return { value, variance, df: variance > 0 ? variance ** 2 / squares : Infinity }
  }
  return {
    mean,
    of: (e) => estimate(mean[e] as number, new Map([[e, 1]])),
    difference: (a, b) => estimate((mean[a] as number) - (mean[b] as number), new Map([[a, 1]]).set(b, -1)),
    covariance: covarianceIn(companies, weights, pools, field),
    between(a, b) {
      const c = pairs.get(`${Math.min(a, b)},${Math.max(a, b)}`) ?? -1
      const company = companies[c]
      if (company === undefined) return undefined
      const sign = a < b ? 1 : -1
      const value = sign * ((company.mean[0] as number) - (company.mean[1] as number))
      return { value, ...varianceOf(company, [1, -1], pools[c]) }
    },
  }
}

/** The same where wins count, by their worth: merit is an entrant's mean points, averaged over its companies. */
export const meritsOf = (games: readonly RatedGame[], field: number, worth: Worth): Means =>
  meansOf(scoredCompanies(pointsOf(games, worth)), field, {
    weighing: 'companies',
    coin: (worth.win - worth.loss) ** 2 / 4,
  })

/** By pair that met: what their means' errors have in common. */
function covarianceIn(
  companies: readonly ScoredCompany[],
  weights: readonly Float64Array[],
  pools: readonly (Pool | undefined)[],
  field: number,
): (a: number, b: number) => number {
  const sums = new Map<number, number>()
  companies.forEach((company, c) => {
    const { members } = company
    members.forEach((a, m) =>
      members.slice(0, m).forEach((b, k) => {
        const both = [m, k].map((at) => unitOf(members.length, [at]))
        // The variance of a sum of two gives their covariance.
        const [first = 0, second = 0] = both.map((one) => varianceOf(company, one, pools[c]).variance)
        const sum = varianceOf(company, unitOf(members.length, [m, k]), pools[c]).variance
        const shared = ((weights[c]?.[m] ?? 0) * (weights[c]?.[k] ?? 0) * (sum - first - second)) / 2
        if (Number.isFinite(shared)) sums.set(b * field + a, (sums.get(b * field + a) ?? 0) + shared)
      }),
    )
  })
  return (a, b) => sums.get(Math.min(a, b) * field + Math.max(a, b)) ?? 0
}

const unitOf = (size: number, at: readonly number[]): readonly number[] =>
  Array.from({ length: size }, (_, m) => Number(at.includes(m)))

/** By company and member: its mean's weight in the member's. */
function companyWeights(
  companies: readonly ScoredCompany[],
  field: number,
  weighing: Weighing,
): readonly Float64Array[] {
  const total = new Float64Array(field)
  const one = ({ n }: ScoredCompany): number => (weighing === 'matches' ? n : 1)
  for (const company of companies) for (const e of company.members) total[e] = (total[e] as number) + one(company)
  return companies.map((company) => Float64Array.from(company.members, (e) => one(company) / (total[e] as number)))
}

/** A company's variance has so many blocks of the others'. */
const PRIOR = 2

/** What blocks of some companies vary by. */
export interface Pool {
  /** A match score's variance, and two members' covariance, in blocks as they are. */
  readonly own: number
  readonly shared: number
  /** Degrees of freedom with which that is known. */
  readonly df: number
}

interface Part {
  readonly own: number
  readonly owns: number
  readonly shared: number
  readonly pairs: number
  readonly df: number
}

/** By company: how others' blocks of its size vary (other sizes differ); undefined without two. */
export function poolsOf(companies: readonly ScoredCompany[], coin = 0): readonly (Pool | undefined)[] {
  const parts = companies.map(partOf)
  const sums = new Map<number, Part>()
  companies.forEach(({ members }, c) =>
    sums.set(members.length, plus(sums.get(members.length) ?? NOTHING, parts[c] as Part)),
  )
  if (coin > 0) for (const [size, part] of sums) sums.set(size, plus(part, coins(companies, size, coin)))
  return parts.map((part, c) => {
    const { own, owns, shared, pairs, df } = plus(sums.get(companies[c]?.members.length ?? 0) ?? NOTHING, part, -1)
    return df < 1 ? undefined : { own: Math.max(0, own / owns), shared: pairs < 1 ? 0 : shared / pairs, df }
  })
}

/** Blocks that vary most, of companies of this size: what one gains the others lose. */
function coins(companies: readonly ScoredCompany[], size: number, variance: number): Part {
  const alike = companies.filter(({ members }) => members.length === size)
  const matches = alike.reduce((sum, { n }) => sum + n, 0) / alike.reduce((sum, { blocks }) => sum + blocks, 0)
  const own = PRIOR * size * variance * matches
  return { own, owns: PRIOR * size, shared: -own, pairs: PRIOR * size * (size - 1), df: PRIOR }
}

const NOTHING: Part = { own: 0, owns: 0, shared: 0, pairs: 0, df: 0 }

const plus = (a: Part, b: Part, times = 1): Part => ({
  own: a.own + times * b.own,
  owns: a.owns + times * b.owns,
  shared: a.shared + times * b.shared,
  pairs: a.pairs + times * b.pairs,
  df: a.df + times * b.df,
})

function partOf({ members, residuals, counts, blocks, n }: ScoredCompany): Part {
  if (blocks < 2) return NOTHING
  const size = members.length
  let own = 0
  let shared = 0
  for (let k = 0; k < counts.length; k++) {
    let sum = 0
    let squares = 0
    for (let m = 0; m < size; m++) {
      const r = residuals[k * size + m] as number
      sum += r
      squares += r * r
    }
    own += (counts[k] as number) * squares
    shared += (counts[k] as number) * (sum * sum - squares)
  }
  // Of one match: the mean's variance, times their number.
  const one = n * blocks
  const df = blocks - 1
  return { own: one * own, owns: df * size, shared: one * shared, pairs: df * size * (size - 1), df }
}

/** How much of a company's variance is the pool's, in blocks. */
export const pooledBlocks = (pool: Pool | undefined): number => (pool === undefined ? 0 : Math.min(PRIOR, pool.df))

/** The variance of a company's means along `factor`. `pool`: that of others' blocks. */
function varianceOf(
  { residuals, counts, blocks, n }: ScoredCompany,
  factor: readonly number[],
  pool: Pool | undefined,
): { readonly variance: number; readonly df: number } {
  const borrowed = pooledBlocks(pool)
  const df = blocks - 1 + borrowed
  if (df === 0) return { variance: Number.NaN, df: 1 }
  let own = 0
  for (let k = 0; k < counts.length && blocks > 1; k++) {
    let along = 0
    for (let m = 0; m < factor.length; m++)
      along += (factor[m] as number) * (residuals[k * factor.length + m] as number)
    own += (counts[k] as number) * along * along
  }
  const prior = pool === undefined ? 0 : varianceIn(pool, factor) / n
  // Σ r² by m − 1, times m: a single block has none.
  const variance = (blocks * own + borrowed * prior) / df
  // Other companies may vary otherwise, so borrowed blocks tell less than own ones.
  return { variance, df: blocks > 1 || pool === undefined ? blocks - 1 + borrowed * BORROWED : pool.df }
}

/** Degrees of freedom of a borrowed block: with a whole one, intervals of two blocks a pair would be 90 to 93 %. */
const BORROWED = 0.25

function varianceIn({ own, shared }: Pool, factor: readonly number[]): number {
  const sum = factor.reduce((all, x) => all + x, 0)
  const squares = factor.reduce((all, x) => all + x * x, 0)
  return Math.max(0, own * squares + shared * (sum * sum - squares))
}

/** Student's t interval that holds the truth with this confidence; undefined where scores have not differed. */
export function studentInterval(
  { value, variance, df }: Estimate,
  confidence: number,
): readonly [low: number, high: number] | undefined {
  if (!Number.isFinite(value) || !(variance > 0)) return undefined
  const reach = studentQuantile(confidence, df) * Math.sqrt(variance)
  return [value - reach, value + reach]
}

/** How probable it is that a difference exceeds 0; undefined where scores have not differed. */
export function probabilityAbove({ value, variance, df }: Estimate): number | undefined {
  if (!Number.isFinite(value) || !(variance > 0)) return undefined
  return studentCdf(value / Math.sqrt(variance), df)
}

/** How probable each entrant's true mean is the greatest, and its possible ranks; NaN without a game. */
export function placesBy(means: Means): {
  readonly first: readonly Probability[]
  readonly ranks: readonly RankInterval[]
} {
  const played = means.mean.flatMap((value, e) => (Number.isNaN(value) ? [] : [e]))
  const own = among(estimatesOf(means), played)
  const beliefs = beliefsOf(own)
  const [first, ranks] = [firstPlaces(own, () => beliefs), rankIntervals(beliefs, own.values)]
  const at = (e: number): number => played.indexOf(e)
  return {
    first: means.mean.map((_, e) => first[at(e)] ?? Number.NaN),
    ranks: means.mean.map((_, e) => ranks[at(e)] ?? [1, means.mean.length]),
  }
}

function estimatesOf(means: Means): Estimates {
  const known = means.mean.map((_, e) => means.of(e).variance)
  // Where nothing shows how an entrant's scores vary, they count as varying like the most varying one's.
  const most = Math.max(0, ...known.filter(Number.isFinite))
  const own = known.map((variance) => (Number.isFinite(variance) ? variance : most))
  return {
    values: means.mean,
    covariance: (a, b) => (a === b ? (own[a] as number) : means.covariance(a, b)),
  }
}
