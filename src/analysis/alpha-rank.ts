import type { Payoffs } from './nash.js'

export interface AlphaRankOptions {
  /** How strongly the better is preferred (α). With scores from 0 to 1 and 50 individuals, 10 is near the limit of large α. */
  readonly intensity?: number
  /** How many individuals the population has (m). */
  readonly population?: number
}

/** Rates below this are raised to it: the chain stays connected where floating point would round to never. */
const LEAST = 1e-100

/**
 * α-Rank (Omidshafiei et al. 2019): the share of time that an evolving population spends as each entrant. All m individuals
 * play the same; now and then one tries another, which takes the population over with the probability of fixation under the
 * Fermi rule; the chain of take-overs has one stationary distribution. `payoffs` are those of a symmetric game of two, the
 * diagonal included; weights sum to 1.
 */
export function alphaRank(
  payoffs: Payoffs,
  { intensity = 10, population = 50 }: AlphaRankOptions = {},
): readonly number[] {
  const n = payoffs.length
  const rates = new Float64Array(n * n)
  const rate = (probability: number): number => Math.max(LEAST, Number.isNaN(probability) ? 0 : probability) / (n - 1)
  for (let r = 0; r < n; r++) {
    for (let s = 0; s < r; s++) {
      const { over, under } = fixations(payoffs, r, s, intensity, population)
      rates[s * n + r] = rate(over)
      rates[r * n + s] = rate(under)
    }
  }
  return stationary(rates, n)
}

/**
 * The probability that one rogue r takes over a population of m − 1 who play s: 1 / (1 + Σ_l Π_{j≤l} exp(−α·(f_r − f_s))), with
 * the mean payoffs f among j rogues; and the same for one s among r. Leads are linear in j, so each factor of the product is the one before
 * it times a constant. The products of the second are the inverses of the first's, from the last one back: its sum is the first's divided
 * by the product of all.
 */
function fixations(
  payoffs: Payoffs,
  r: number,
  s: number,
  alpha: number,
  m: number,
): { readonly over: number; readonly under: number } {
  const of = (i: number, j: number): number => payoffs[i]?.[j] ?? 0
  const lead = (j: number): number =>
    ((j - 1) * of(r, r) + (m - j) * of(r, s) - (m - j - 1) * of(s, s) - j * of(s, r)) / (m - 1)
  // From the end from which the product of all is at most 1, however strong the preference.
  const forwards = lead(1) + lead(m - 1) >= 0
  const [first, last] = forwards ? [lead(1), lead(m - 1)] : [-lead(m - 1), -lead(1)]
  const { sum, product } =
    alpha * m * Math.abs(last - first) < LEVEL ? geometric(-alpha * first, m) : stepwise(-alpha, first, last, m)
  const [one, other] = [1 / sum, product / sum]
  return forwards ? { over: one, under: other } : { over: other, under: one }
}

/** Exponents that differ by less in all are equal but for rounding. */
const LEVEL = 1e-11

/** 1 + Σ_l x^l for l from 1 to m − 1, x = exp(exponent), and the last power: as where wins count, for who wins, loses. */
function geometric(exponent: number, m: number): { readonly sum: number; readonly product: number } {
  const sum = exponent === 0 ? m : Math.expm1(m * exponent) / Math.expm1(exponent)
  return { sum, product: Math.exp((m - 1) * exponent) }
}

/** The same of factors that change from one to the next by a constant ratio. */
function stepwise(
  factorBy: number,
  first: number,
  last: number,
  m: number,
): { readonly sum: number; readonly product: number } {
  const ratio = Math.exp((factorBy * (last - first)) / Math.max(1, m - 2))
  let factor = Math.exp(factorBy * first)
  let product = 1
  let sum = 1
  for (let j = 1; j < m; j++) {
    product *= factor
    sum += product
    factor *= ratio
  }
  return { sum, product }
}

/**
 * The stationary distribution of a chain of n states with these rates between different ones, by rows, by the elimination of
 * Grassmann, Taksar and Heyman (1985): it never subtracts, so rates of very different size lose no digits. `rates` is used up.
 */
export function stationary(rates: Float64Array, n: number): readonly number[] {
  for (let k = n - 1; k > 0; k--) {
    const last = k * n
    let out = 0
    for (let j = 0; j < k; j++) out += rates[last + j] as number
    for (let i = 0; i < k; i++) {
      const row = i * n
      const into = (rates[row + k] as number) / out
      rates[row + k] = into
      // What stands on the diagonal is read by nobody.
      for (let j = 0; j < k; j++) rates[row + j] = (rates[row + j] as number) + into * (rates[last + j] as number)
    }
  }
  const weights = [1]
  for (let k = 1; k < n; k++) {
    let into = 0
    for (let i = 0; i < k; i++) into += (weights[i] as number) * (rates[i * n + k] as number)
    weights.push(into)
  }
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.slice(0, n).map((w) => w / sum)
}
