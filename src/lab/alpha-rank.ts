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
  const of = (a: number, b: number): number => payoffs[a]?.[b] as number
  const rates = new Float64Array(n * n)
  for (let r = 0; r < n; r++) {
    for (let s = 0; s < n; s++) {
      if (r === s) continue
      const takenOver = fixation([of(r, r), of(r, s), of(s, r), of(s, s)], intensity, population)
      rates[s * n + r] = Math.max(LEAST, takenOver) / (n - 1)
    }
  }
  return stationary(rates, n)
}

/**
 * The probability that one rogue r takes over a population of m − 1 who play s: 1 / (1 + Σ_l Π_{j≤l} exp(−α·(f_r − f_s))), with
 * the mean payoffs f among j rogues. Leads are linear in j, so each factor of the product is the one before it times a constant.
 */
function fixation([rr, rs, sr, ss]: readonly [number, number, number, number], alpha: number, m: number): number {
  const lead = (j: number): number => ((j - 1) * rr + (m - j) * rs - (m - j - 1) * ss - j * sr) / (m - 1)
  const ratio = Math.exp(alpha * (lead(1) - lead(2)))
  let factor = Math.exp(-alpha * lead(1))
  let product = 1
  let sum = 1
  for (let j = 1; j < m; j++) {
    product *= factor
    sum += product
    factor *= ratio
  }
  return 1 / sum
}

/**
 * The stationary distribution of a chain of n states with these rates between different ones, by rows, by the elimination of
 * Grassmann, Taksar and Heyman (1985): it never subtracts, so rates of very different size lose no digits. `rates` is used up.
 */
export function stationary(rates: Float64Array, n: number): readonly number[] {
  for (let k = n - 1; k > 0; k--) {
    let out = 0
    for (let j = 0; j < k; j++) out += rates[k * n + j] as number
    for (let i = 0; i < k; i++) {
      const into = (rates[i * n + k] as number) / out
      rates[i * n + k] = into
      for (let j = 0; j < k; j++) rates[i * n + j] = (rates[i * n + j] as number) + into * (rates[k * n + j] as number)
    }
  }
  const weights = [1]
  for (let k = 1; k < n; k++) weights.push(weights.reduce((sum, w, i) => sum + w * (rates[i * n + k] as number), 0))
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((w) => w / sum)
}
