import { type Means, probabilityAbove } from '../stats/index.js'
import { factorize, inverse, solve } from '../stats/linear.js'

/** A beats B beats C beats A. */
export interface Cycle {
  /** Each beats the next, the last the first; smallest index first. */
  readonly members: readonly [number, number, number]
  /** The probability that all three do, if looked for among all. */
  readonly confidence: number
}

/** How much more one scores of another than that of it, its variance (0: known), and how probably it is above 0. */
type Lead = NonNullable<ReturnType<typeof leadOf>>

/**
 * Cycles of three: A scores more of B than B of A, and so around. Leads are first fitted as differences of strengths
 * (weighted least squares); only if that fails, at 5 %, is there any cycle. A cycle's confidence is the product of its
 * leads' probabilities, less for the number of possible cycles (Bonferroni); below `least` it is left out. Surest
 * first. Where all have met, longer cycles come only with one of three.
 */
export function cycles({ mean, between }: Pick<Means, 'mean' | 'between'>, { least = 0.5 } = {}): readonly Cycle[] {
  const field = mean.length
  const leads = mean.map((_, a) => mean.map((_unused, b) => (a < b ? leadOf(between(a, b)) : undefined)))
  if (areOrdered(field, leads)) return []
  const of = (a: number, b: number): number => {
    const known = a < b ? leads[a]?.[b]?.above : leads[b]?.[a]?.above
    return known === undefined ? 0 : a < b ? known : 1 - known
  }
  const possible = (field * (field - 1) * (field - 2)) / 3
  const found: Cycle[] = []
  for (let a = 0; a < field; a++) {
    for (let b = a + 1; b < field; b++) {
      if (of(a, b) <= 0.5) continue
      for (let c = a + 1; c < field; c++) {
        if (of(b, c) <= 0.5 || of(c, a) <= 0.5) continue
        const confidence = 1 - (1 - of(a, b) * of(b, c) * of(c, a)) * possible
        if (confidence >= least) found.push({ members: [a, b, c], confidence })
      }
    }
  }
  return found.sort((x, y) => y.confidence - x.confidence)
}

function leadOf(estimate: ReturnType<Means['between']>) {
  const above = estimate && probabilityAbove(estimate)
  return estimate === undefined || above === undefined ? undefined : { ...estimate, above }
}

/** Whether strengths explain all leads, as far as chance lets one see. */
function areOrdered(field: number, leads: readonly (readonly (Lead | undefined)[])[]): boolean {
  const pairs = leads.flatMap((row, a) => row.flatMap((one, b) => (one === undefined ? [] : [{ a, b, ...one }])))
  const greatest = Math.max(0, ...pairs.map(({ value }) => Math.abs(value)))
  // Certain knowledge counts as known to a thousandth: all weights then fit one matrix.
  const weighed = pairs.map((pair) => ({
    ...pair,
    weight: 1 / Math.max(pair.variance, (1e-3 * greatest) ** 2, 1e-300),
  }))
  const top = Math.max(0, ...weighed.map(({ weight }) => weight))
  const matrix = new Float64Array(field * field)
  const sums = new Float64Array(field)
  const add = (at: number, what: number): void => void (matrix[at] = (matrix[at] as number) + what)
  for (const { a, b, value, weight } of weighed) {
    const w = weight / top
    add(a * field + a, w)
    add(b * field + b, w)
    add(b * field + a, -w)
    add(a * field + b, -w)
    sums[a] = (sums[a] as number) + w * value
    sums[b] = (sums[b] as number) - w * value
  }
  // Strengths are determined up to a constant in each part that has met: this holds them near 0.
  for (let a = 0; a < field; a++) add(a * field + a, 1e-9)
  const factor = factorize(matrix, field)
  const strength = solve(factor, sums)
  const spread = inverse(factor)
  const of = (a: number, b: number): number => spread[a * field + b] as number
  let misfit = 0
  let unsure = 0
  for (const { a, b, value, weight, variance, df } of weighed) {
    misfit += weight * (value - ((strength[a] as number) - (strength[b] as number))) ** 2
    const free = 1 - (weight / top) * (of(a, a) + of(b, b) - 2 * of(a, b))
    if (variance > 0) unsure += free ** 2 / df
  }
  const met = new Set(weighed.flatMap(({ a, b }) => [a, b])).size
  const df = weighed.length - met + 1
  return df < 1 || misfit <= estimatedBound(df, unsure)
}

/**
 * The bound for squares by estimated variances (James 1954, first order). `unsure`: the sum of (1 − leverage)² / df.
 */
function estimatedBound(df: number, unsure: number): number {
  const bound = chiSquareBound(df)
  return bound * (1 + ((3 * bound + df + 2) / (2 * df * (df + 2))) * unsure)
}

/** What a χ² variable of so many degrees of freedom exceeds at 5 % (Wilson and Hilferty 1931). */
function chiSquareBound(df: number): number {
  const z = 1.6448536269514722
  return df * (1 - 2 / (9 * df) + z * Math.sqrt(2 / (9 * df))) ** 3
}
