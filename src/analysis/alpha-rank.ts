import type { Payoffs } from './nash.js'

export interface AlphaRankOptions {
  /** How strongly the better is preferred (α). With scores from 0 to 1 and 50 individuals, 10 is near the limit of large α. */
  readonly intensity?: number
  /** How many individuals the population has (m). */
  readonly population?: number
}

/** Rates below this are raised to it: the chain stays connected where floating point would say never. */
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
  const chain = payoffs.map((_, from) =>
    payoffs.map((_row, to) =>
      from === to ? 0 : Math.max(LEAST, fixation(payoffs, to, from, intensity, population)) / Math.max(1, n - 1),
    ),
  )
  return stationary(chain)
}

/**
 * The probability that one rogue r takes over a population of m − 1 who play s: 1 / (1 + Σ_l Π_{j≤l} exp(−α·(f_r − f_s))), with
 * the mean payoffs f among j rogues.
 */
function fixation(payoffs: Payoffs, r: number, s: number, alpha: number, m: number): number {
  const of = (i: number, j: number): number => payoffs[i]?.[j] ?? 0
  let exponent = 0
  let sum = 1
  for (let j = 1; j < m; j++) {
    const rogue = (j - 1) * of(r, r) + (m - j) * of(r, s)
    const resident = (m - j - 1) * of(s, s) + j * of(s, r)
    exponent -= (alpha * (rogue - resident)) / (m - 1)
    sum += Math.exp(exponent)
  }
  return 1 / sum
}

/**
 * The stationary distribution of a chain with these rates between different states, by the elimination of Grassmann, Taksar and
 * Heyman (1985): it never subtracts, so rates of very different size lose no digits.
 */
export function stationary(rates: readonly (readonly number[])[]): readonly number[] {
  const n = rates.length
  const p = rates.map((row) => [...row])
  const of = (i: number, j: number): number => p[i]?.[j] ?? 0
  for (let k = n - 1; k > 0; k--) {
    let out = 0
    for (let j = 0; j < k; j++) out += of(k, j)
    for (let i = 0; i < k; i++) {
      const row = p[i] as number[]
      row[k] = of(i, k) / out
      for (let j = 0; j < k; j++) if (i !== j) row[j] = of(i, j) + of(i, k) * of(k, j)
    }
  }
  const weights = [1]
  for (let k = 1; k < n; k++) {
    let into = 0
    for (let i = 0; i < k; i++) into += (weights[i] as number) * of(i, k)
    weights.push(into)
  }
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.slice(0, n).map((w) => w / sum)
}
