import { type Payoffs, tableOf } from './nash.js'

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
export function alphaRank(payoffs: Payoffs, options: AlphaRankOptions = {}): readonly number[] {
  return alphaRanking(payoffs.length, options)(tableOf(payoffs))
}

/** The same for many matrices of n by n payoffs, the rows of each one after another: what it is computed in is made once. */
export function alphaRanking(
  n: number,
  { intensity = 10, population = 50 }: AlphaRankOptions = {},
): (payoffs: Float64Array) => readonly number[] {
  const rates = new Float64Array(n * n)
  const rate = (probability: number): number => Math.max(LEAST, Number.isNaN(probability) ? 0 : probability) / (n - 1)
  const known = new Known()
  return (payoffs) => {
    for (let r = 0; r < n; r++) {
      for (let s = 0; s < r; s++) {
        const rr = payoffs[r * n + r] as number
        const rs = payoffs[r * n + s] as number
        const sr = payoffs[s * n + r] as number
        const ss = payoffs[s * n + s] as number
        const at = known.find(rr, rs, sr, ss)
        if (!known.hit) {
          const { over, under } = fixations([rr, rs, sr, ss], intensity, population)
          known.rates[at] = rate(over)
          known.rates[at + 1] = rate(under)
        }
        rates[s * n + r] = known.rates[at] as number
        rates[r * n + s] = known.rates[at + 1] as number
      }
    }
    return stationary(rates, n)
  }
}

/** Shares of few games are few different numbers: what was computed of four payoffs is kept until others need its place. */
class Known {
  /** By place: the four payoffs. */
  private readonly of = new Float64Array(PLACES * 4).fill(Number.NaN)
  private readonly number = new Float64Array(1)
  private readonly bits = new Uint32Array(this.number.buffer)
  /** Two numbers a place. */
  readonly rates = new Float64Array(PLACES * 2)
  /** Whether the place that was found last holds these payoffs. */
  hit = false

  /** Where the rates of these payoffs stand, or are to be written. */
  find(rr: number, rs: number, sr: number, ss: number): number {
    this.number[0] = rs + 3 * sr
    const place = (Math.imul((this.bits[0] as number) ^ (this.bits[1] as number), 0x9e3779b1) >>> 16) & (PLACES - 1)
    const { of } = this
    const at = place * 4
    this.hit = of[at] === rr && of[at + 1] === rs && of[at + 2] === sr && of[at + 3] === ss
    if (!this.hit) {
      of[at] = rr
      of[at + 1] = rs
      of[at + 2] = sr
      of[at + 3] = ss
    }
    return place * 2
  }
}
const PLACES = 4096

/**
 * The probability that one rogue r takes over a population of m − 1 who play s: 1 / (1 + Σ_l Π_{j≤l} exp(−α·(f_r − f_s))), with
 * the mean payoffs f among j rogues; and the same for one s among r. Leads are linear in j, so each factor of the product is the one before
 * it times a constant. The products of the second are the inverses of the first's, from the last one back: its sum is the first's divided
 * by the product of all.
 */
function fixations(
  [rr, rs, sr, ss]: readonly [number, number, number, number],
  alpha: number,
  m: number,
): { readonly over: number; readonly under: number } {
  const lead = (j: number): number => ((j - 1) * rr + (m - j) * rs - (m - j - 1) * ss - j * sr) / (m - 1)
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
  // Row by row, from the last state down: what the eliminated states behind each add to it, four of them at a time.
  const row = new Float64Array(n)
  const out = new Float64Array(n)
  for (let i = n - 1; i >= 0; i--) {
    const start = i * n
    row.set(rates.subarray(start, start + n))
    addBehind(rates, n, row, out, i)
    let sum = 0
    for (let j = 0; j < i; j++) sum += row[j] as number
    out[i] = sum
    rates.set(row, start)
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

/** So many states are eliminated at a time. */
const TOGETHER = 8

/**
 * Eliminates all states behind i from its row: what goes to them comes to others in the shares in which they go on. `out`: all that goes on
 * from each. The sums are those of one state after the other, in the same order: each number of the row is read and written for eight.
 */
function addBehind(rates: Float64Array, n: number, row: Float64Array, out: Float64Array, i: number): void {
  let k = n - 1
  for (; k >= i + TOGETHER; k -= TOGETHER) {
    const rest = k - TOGETHER + 1
    for (let m = k; m >= rest; m--) {
      const into = share(row, out, m)
      for (let j = rest; j < m; j++) row[j] = (row[j] as number) + into * (rates[m * n + j] as number)
    }
    addEight(rates, n, row, k)
  }
  for (; k > i; k--) {
    const into = share(row, out, k)
    for (let j = 0; j < k; j++) row[j] = (row[j] as number) + into * (rates[k * n + j] as number)
  }
}

/** Adds what comes of the shares of k and of seven states before it to those before these. */
function addEight(rates: Float64Array, n: number, row: Float64Array, k: number): void {
  const [a, b, c, d] = [k * n, (k - 1) * n, (k - 2) * n, (k - 3) * n]
  const [e, f, g, h] = [(k - 4) * n, (k - 5) * n, (k - 6) * n, (k - 7) * n]
  const [p, q, r, s] = [row[k] as number, row[k - 1] as number, row[k - 2] as number, row[k - 3] as number]
  const [t, u, v, w] = [row[k - 4] as number, row[k - 5] as number, row[k - 6] as number, row[k - 7] as number]
  const rest = k - 7
  for (let j = 0; j < rest; j++) {
    const two = (row[j] as number) + p * (rates[a + j] as number) + q * (rates[b + j] as number)
    const four = two + r * (rates[c + j] as number) + s * (rates[d + j] as number)
    const six = four + t * (rates[e + j] as number) + u * (rates[f + j] as number)
    row[j] = six + v * (rates[g + j] as number) + w * (rates[h + j] as number)
  }
}

/** Makes what goes to a state the share of what goes on from there. */
function share(row: Float64Array, out: Float64Array, k: number): number {
  const into = (row[k] as number) / (out[k] as number)
  row[k] = into
  return into
}
