import { bisect, normalCdf } from './normal.js'

/** Beyond so many degrees of freedom the law is normal to 1e-6. */
const MANY = 1e6

/** Student's t distribution function with `df` > 0 degrees of freedom: by the incomplete beta function (DLMF 8.17.18). */
export function studentCdf(t: number, df: number): number {
  if (!(df > 0)) throw new RangeError(`degrees of freedom are above 0, not ${df}`)
  if (t === 0) return 0.5
  if (df > MANY) return normalCdf(t)
  if (!Number.isFinite(t)) return t > 0 ? 1 : 0
  const tail = betaCdf(df / (df + t * t), df / 2, 0.5) / 2
  return t > 0 ? 1 - tail : tail
}

/** The t that such a variable exceeds with half of 1 − `confidence`: 2.571 for 0.95 and 5. By bisection. */
export function studentQuantile(confidence: number, df: number): number {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`a confidence is between 0 and 1, not ${confidence}`)
  const isBelow = (t: number): boolean => studentCdf(t, df) < (1 + confidence) / 2
  let high = 1
  while (isBelow(high) && high < 1e12) high *= 2
  return bisect(0, high, 80, isBelow)
}

/** The regularised incomplete beta function I_x(a, b) (DLMF 8.17.22, Lentz). a, b > 0; 0 ≤ x ≤ 1. */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b
}

function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  let c = 1
  let d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny)
  let value = d
  for (let m = 1; m < 10_000; m++) {
    for (const numerator of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / (1 + numerator * d || tiny)
      c = 1 + numerator / c || tiny
      value *= c * d
    }
    if (Math.abs(c * d - 1) < 1e-14) break
  }
  return value
}

/** ln Γ(x) for x > 0: raised by the recurrence to where Stirling's series has all its digits (DLMF 5.11.1). */
export function lnGamma(x: number): number {
  let lift = 0
  let z = x
  for (; z < 10; z++) lift += Math.log(z)
  const w = 1 / (z * z)
  const series = (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / z
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - lift
}
