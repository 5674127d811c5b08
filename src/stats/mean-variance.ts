import type { ScoredCompany } from './mean-games.js'
import { type Pool, pooledBlocks, poolsOf } from './mean-pool.js'
import { studentCdf, studentQuantile } from './student.js'

/** Mean scores of the entrants that have played, and how they vary. */
export interface Means {
  /** By entrant; NaN for one without a game. */
  readonly mean: readonly number[]
  /** How the means of two differ: the first's less the second's. */
  difference(a: number, b: number): Estimate
  /** The mean of one. */
  of(entrant: number): Estimate
  /** How the means of two differ in the matches that they had with each other alone; undefined: they had none. */
  between(a: number, b: number): Estimate | undefined
}

/** A number with the variance of its error and the degrees of freedom that this is known with. */
export interface Estimate {
  readonly value: number
  /** NaN: not known. */
  readonly variance: number
  readonly df: number
}

/** How a company's matches weigh in the mean of its members: as many as they are, or as one company like another. */
export type Weighing = 'matches' | 'companies'

/**
 * The mean score of each entrant, with the variance that equal luck leaves: opponents are the field and not a sample of one, so what
 * varies is how the blocks of each company came out. That of a company's mean is m/(m − 1) Σ r², r being what its m blocks add to the
 * mean (the linearisation of a ratio: Cochran 1977, section 6.3). A company has few
 * blocks, so to its variance are added two blocks of what the others vary by, which is all that is known of a company of a single one.
 * Degrees of freedom after Welch (1947) and Satterthwaite (1946).
 */
export function meansOf(companies: readonly ScoredCompany[], field: number, weighing: Weighing = 'matches'): Means {
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
  const pools = poolsOf(companies)
  const pairs = new Map(companies.map((company, c) => [company.members.join(), c]))
  /** The variance of a sum of members' means, each with a factor. */
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
    difference: (a, b) =>
      estimate(
        (mean[a] as number) - (mean[b] as number),
        new Map([
          [a, 1],
          [b, -1],
        ]),
      ),
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

/** By company and member: how much its mean weighs in the member's. */
export function companyWeights(
  companies: readonly ScoredCompany[],
  field: number,
  weighing: Weighing,
): readonly Float64Array[] {
  const total = new Float64Array(field)
  const one = ({ n }: ScoredCompany): number => (weighing === 'matches' ? n : 1)
  for (const company of companies) for (const e of company.members) total[e] = (total[e] as number) + one(company)
  return companies.map((company) => Float64Array.from(company.members, (e) => one(company) / (total[e] as number)))
}

/** A company's variance of its means along `factor`. `pool`: what blocks of the others vary by. */
function varianceOf(
  { residuals, blocks, n }: ScoredCompany,
  factor: readonly number[],
  pool: Pool | undefined,
): { readonly variance: number; readonly df: number } {
  const borrowed = pooledBlocks(pool)
  const df = blocks - 1 + borrowed
  if (df === 0) return { variance: Number.NaN, df: 1 }
  let own = 0
  for (let k = 0; k < blocks && blocks > 1; k++) {
    let along = 0
    for (let m = 0; m < factor.length; m++)
      along += (factor[m] as number) * (residuals[k * factor.length + m] as number)
    own += along * along
  }
  const prior = pool === undefined ? 0 : varianceIn(pool, factor) / n
  // Σ r² by m − 1, times m: of a single block there is none.
  const variance = (blocks * own + borrowed * prior) / df
  // Other companies may vary otherwise, so what is borrowed of them tells less than blocks of its own.
  return { variance, df: blocks > 1 || pool === undefined ? blocks - 1 + borrowed * BORROWED : pool.df }
}

/** Degrees of freedom that a borrowed block counts as. With a whole one, two blocks a pair would have intervals of 90 to 93 %. */
const BORROWED = 0.25

function varianceIn({ own, shared }: Pool, factor: readonly number[]): number {
  const sum = factor.reduce((all, x) => all + x, 0)
  const squares = factor.reduce((all, x) => all + x * x, 0)
  return Math.max(0, own * squares + shared * (sum * sum - squares))
}

/** The interval of Student's t that holds the truth with this confidence; undefined where it is not known, as scores have not differed. */
export function studentInterval(
  { value, variance, df }: Estimate,
  confidence: number,
): readonly [low: number, high: number] | undefined {
  if (!Number.isFinite(value) || !(variance > 0)) return undefined
  const reach = studentQuantile(confidence, df) * Math.sqrt(variance)
  return [value - reach, value + reach]
}

/** How probable it is that such a difference is above 0; undefined where it is not known, as scores have not differed. */
export function probabilityAbove({ value, variance, df }: Estimate): number | undefined {
  if (!Number.isFinite(value) || !(variance > 0)) return undefined
  return studentCdf(value / Math.sqrt(variance), df)
}
