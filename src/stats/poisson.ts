import type { Stream } from '../core/stream.js'

/** The probability of 0 at this mean, where `poisson` needs it: for many numbers of the same mean it is computed once. */
const noneOf = (mean: number): number => (mean < SMALL ? Math.exp(-mean) : 0)

/** A mean below this is small. */
const SMALL = 10

/** A Poisson number of this mean: by inversion where it is small, else by transformed rejection (PTRS: Hörmann 1993). */
export function poisson(luck: Stream, mean: number, none = noneOf(mean)): number {
  return mean < SMALL ? byInversion(luck.uniform(), mean, none) : byRejection(luck, mean)
}

/** Numbers of many means, each drawn again and again: looked up, they are what inversion would come to. */
export interface PoissonLimits {
  /** By mean: which row of the tables is its; −1: it is not looked up. */
  readonly row: Int32Array
  /** By row: the uniform numbers from which on it is 1, 2, 3 and so on. */
  readonly limits: Float64Array
  /** Whether all are looked up. */
  readonly isWhole: boolean
  /** By row and 256th of the uniform numbers: what the least of these comes to. Most come to the same: nothing has to be searched for. */
  readonly guide: Uint8Array
}

/** So many different means are looked up: to find the limits of one takes as long as some thousand draws. */
const ROWS = 64
/** A small mean's probabilities end before; and in so many parts a guide has the uniform numbers. */
const MOST = 64
const PARTS = 256

/** What `poisson` needs to look numbers up instead of computing them: of the same stream they are the same. */
export function poissonLimits(means: ArrayLike<number>): PoissonLimits {
  const known = new Map<number, number>()
  const row = new Int32Array(means.length)
  for (let i = 0; i < means.length; i++) {
    const mean = means[i] as number
    if (mean < SMALL && known.size < ROWS && !known.has(mean)) known.set(mean, known.size)
    row[i] = known.get(mean) ?? -1
  }
  const limits = new Float64Array(known.size * MOST).fill(Infinity)
  const guide = new Uint8Array(known.size * PARTS)
  for (const [mean, at] of known) {
    const own = limitsOf(mean)
    limits.set(own, at * MOST)
    for (let part = 0; part < PARTS; part++)
      guide[at * PARTS + part] = own.filter((limit) => limit <= part / PARTS).length
  }
  return { row, isWhole: row.every((at) => at >= 0), limits, guide }
}

/** Draws a Poisson number of each mean, in their order; `limits` are theirs. */
export function poissons(luck: Stream, means: Float64Array, limits: PoissonLimits, into: Float32Array): void {
  const uniform = new Float64Array(limits.isWhole ? DRAWN : 1)
  for (let from = 0; from < means.length; from += uniform.length) {
    if ((limits.row[from] as number) < 0) {
      into[from] = poisson(luck, means[from] as number)
      continue
    }
    const part = limits.isWhole ? uniform.subarray(0, means.length - from) : uniform
    if (limits.isWhole) luck.uniforms(part)
    else part[0] = luck.uniform()
    lookUp(part, limits, into, from)
  }
}

/** So many uniform numbers are drawn together. */
const DRAWN = 1024

/** What these uniform numbers come to for as many means, from one on. */
function lookUp(uniform: Float64Array, { row, limits, guide }: PoissonLimits, into: Float32Array, from: number): void {
  for (let i = 0; i < uniform.length; i++) {
    const u = uniform[i] as number
    const own = row[from + i] as number
    let k = guide[own * PARTS + Math.floor(u * PARTS)] as number
    while (u >= (limits[own * MOST + k] as number)) k++
    into[from + i] = k
  }
}

function limitsOf(mean: number): readonly number[] {
  const none = noneOf(mean)
  const limits: number[] = []
  for (let low = 0; low < WORDS; limits.push(low / WORDS)) {
    // The least uniform number for which it is more than for all before, by halving: there are 2³² of them.
    for (let high = WORDS; low < high;) {
      const middle = Math.floor((low + high) / 2)
      if (byInversion(middle / WORDS, mean, none) > limits.length) high = middle
      else low = middle + 1
    }
  }
  return limits
}
const WORDS = 2 ** 32

function byInversion(uniform: number, mean: number, none: number): number {
  let u = uniform
  let probability = none
  let k = 0
  while (u >= probability && probability > 1e-12) {
    u -= probability
    k++
    probability *= mean / k
  }
  return k
}

function byRejection(luck: Stream, mean: number): number {
  const b = 0.931 + 2.53 * Math.sqrt(mean)
  const a = -0.059 + 0.02483 * b
  const scale = 1.1239 + 1.1328 / (b - 3.4)
  const quick = 0.9277 - 3.6224 / (b - 2)
  for (;;) {
    const u = luck.uniform() - 0.5
    const v = 1 - luck.uniform()
    const margin = 0.5 - Math.abs(u)
    const k = Math.floor(((2 * a) / margin + b) * u + mean + 0.43)
    if (margin >= 0.07 && v <= quick) return k
    if (k < 0 || (margin < 0.013 && v > margin)) continue
    const density = k * Math.log(mean) - mean - logFactorial(k)
    if (Math.log((v * scale) / (a / (margin * margin) + b)) <= density) return k
  }
}

/** The logarithm of k!, by Stirling's series from 10 on. */
function logFactorial(k: number): number {
  let sum = 0
  let n = k
  for (; n < 10 && n > 0; n--) sum += Math.log(n)
  if (k < 10) return sum
  return (k + 0.5) * Math.log(k) - k + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * k) - 1 / (360 * k ** 3)
}
