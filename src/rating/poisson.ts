import type { Stream } from '../core/stream.js'

/** The probability of 0 at this mean, where `poisson` needs it: for many numbers of the same mean it is computed once. */
export const noneOf = (mean: number): number => (mean < SMALL ? Math.exp(-mean) : 0)

/** A mean below this is small. */
const SMALL = 10

/** A Poisson number of this mean: by inversion where it is small, else by transformed rejection (PTRS: Hörmann 1993). */
export function poisson(luck: Stream, mean: number, none = noneOf(mean)): number {
  return mean < SMALL ? byInversion(luck, mean, none) : byRejection(luck, mean)
}

function byInversion(luck: Stream, mean: number, none: number): number {
  let u = luck.uniform()
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
