import type { ScoredCompany } from '../stats/index.js'
import type { Payoffs } from './nash.js'

/**
 * Mean scores of each against each. Unmet: of itself half of what both sides of its matches scored, of others its own
 * mean.
 */
export function payoffsOf(
  companies: readonly ScoredCompany[],
  field: number,
): (means: readonly Float64Array[]) => readonly (readonly number[])[] {
  const pairs = companies.flatMap(({ members }, c) => (members.length <= 2 ? [{ members, c }] : []))
  return (means) => {
    const made = Array.from({ length: field }, () => Array.from({ length: field }, () => Number.NaN))
    for (const { members, c } of pairs) {
      const [a = 0, b = a] = members
      ;(made[a] as number[])[b] = means[c]?.[0] ?? Number.NaN
      if (a !== b) (made[b] as number[])[a] = means[c]?.[1] ?? Number.NaN
    }
    const met = (i: number): number[] => made.flatMap((_, j) => (i !== j && !Number.isNaN(made[i]?.[j]) ? [j] : []))
    const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length
    return made.map((row, i) => {
      const others = met(i)
      const own = others.length === 0 ? 0 : mean(others.map((j) => row[j] as number))
      const shared =
        others.length === 0 ? 0 : mean(others.map((j) => ((row[j] as number) + (made[j]?.[i] as number)) / 2))
      return row.map((value, j) => (!Number.isNaN(value) ? value : i === j ? shared : own))
    })
  }
}

/** Payoffs from 0 to 1: the intensity of selection means the same in any unit. */
export function scaled(payoffs: Payoffs): Payoffs {
  const all = payoffs.flat()
  const least = Math.min(...all)
  const range = Math.max(...all) - least
  return payoffs.map((row) => row.map((value) => (range === 0 ? 0 : (value - least) / range)))
}

/** Payoffs without negative ones, for an ecological run: raised by the least, if below 0. */
export function raised(payoffs: Payoffs): Payoffs {
  const least = Math.min(0, ...payoffs.flat())
  return least === 0 ? payoffs : payoffs.map((row) => row.map((value) => value - least))
}

/**
 * Last player standing on a matrix of mean scores: each round the one with the least sum against those left leaves; of
 * several, those with the least sum against the whole field, and all still level. Returns the round after which each
 * left; for those who stay, one more than all rounds: more is better.
 */
export function lastStandingRounds(scores: readonly (readonly number[])[]): readonly number[] {
  const rounds = scores.map(() => 0)
  let alive = scores.map((_, i) => i)
  const against = (i: number, others: readonly number[]): number =>
    others.reduce((sum, j) => (i === j ? sum : sum + (scores[i]?.[j] ?? 0)), 0)
  const everyone = alive
  for (let round = 1; ; round++) {
    const least = lowest(alive, (i) => against(i, alive))
    const out = lowest(least, (i) => against(i, everyone))
    if (out.length === alive.length) {
      for (const i of alive) rounds[i] = round
      return rounds
    }
    for (const i of out) rounds[i] = round
    alive = alive.filter((i) => !out.includes(i))
  }
}

/** Those with the least value; sums equal but for rounding are equal. */
function lowest(items: readonly number[], value: (item: number) => number): readonly number[] {
  const values = items.map(value)
  const least = Math.min(...values)
  return items.filter((_, k) => (values[k] as number) - least < 1e-9)
}

export interface EcologyOptions {
  /** How many generations are bred; Axelrod showed 1,000. */
  readonly generations?: number
  /** The population to begin with; left out, equal parts. */
  readonly start?: readonly number[]
}

/**
 * An ecological run (Axelrod, The Evolution of Cooperation, 1984, chapter 2; Axelrod and Hamilton 1981): each entrant
 * has a share of the population, which grows by generation as it scores, x_i ← x_i · f_i / Σ x·f with f_i = Σ_j
 * payoffs[i][j] · x_j. A bot that thrives on bots that die out dies out after them. Payoffs must not be negative.
 * Returns shares of all generations, the first included.
 */
export function ecology(
  payoffs: Payoffs,
  { generations = 1000, start }: EcologyOptions = {},
): readonly (readonly number[])[] {
  if (payoffs.some((row) => row.some((v) => v < 0)))
    throw new RangeError('an ecological run needs payoffs of 0 or more')
  const n = payoffs.length
  const flat = Float64Array.from(payoffs.flat())
  let shares: readonly number[] = start ?? payoffs.map(() => 1 / n)
  const course = [shares]
  for (let generation = 0; generation < generations; generation++) {
    shares = bred(flat, shares)
    course.push(shares)
  }
  return course
}

/** The next generation; the same object if no bot scores, or nothing changes. */
function bred(payoffs: Float64Array, shares: readonly number[]): readonly number[] {
  const n = shares.length
  const grown = new Float64Array(n)
  let all = 0
  for (let i = 0; i < n; i++) {
    const share = shares[i] as number
    // A bot that has died out stays so.
    if (share === 0) continue
    let score = 0
    for (let j = 0, row = i * n; j < n; j++) score += (payoffs[row + j] as number) * (shares[j] as number)
    all += grown[i] = share * score
  }
  return all > 0 ? Array.from(grown, (x) => x / all) : shares
}

export interface AlphaRankOptions {
  /** Preference for the better (α). With scores from 0 to 1 and 50 individuals, 10 is near the limit of large α. */
  readonly intensity?: number
  /** How many individuals the population has (m). */
  readonly population?: number
}

/** Lower rates are raised to it: the chain stays connected where floating point rounds to never. */
const LEAST = 1e-100

/**
 * α-Rank (Omidshafiei et al. 2019): the share of time that an evolving population spends as each entrant. All m
 * individuals play the same; now and then one tries another, which takes over by the Fermi rule's probability of
 * fixation; the take-overs' chain has one stationary distribution. `payoffs`: a symmetric game of two, with diagonal;
 * weights sum to 1.
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
 * The probability that a rogue r takes over m − 1 who play s: 1 / (1 + Σ_l Π_{j≤l} exp(−α·(f_r − f_s))), with mean
 * payoffs f among j rogues. Leads are linear in j: each factor is the one before times a constant.
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
 * A chain's stationary distribution (Grassmann, Taksar, Heyman 1985), without subtractions: no digits lost. Uses up
 * `rates` (by rows).
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
