import { betaCdf } from './beta.js'
import { normalCdf } from './normal.js'

/** Beyond so many degrees of freedom the law is normal to 1e-6. */
const MANY = 1e6

/**
 * Student's t distribution function with `df` degrees of freedom, any number above 0: by the incomplete beta function (DLMF 8.17.18).
 * With very many it is the normal one.
 */
export function studentCdf(t: number, df: number): number {
  if (!(df > 0)) throw new RangeError(`degrees of freedom are above 0, not ${df}`)
  if (t === 0) return 0.5
  if (df > MANY) return normalCdf(t)
  if (!Number.isFinite(t)) return t > 0 ? 1 : 0
  const tail = betaCdf(df / (df + t * t), df / 2, 0.5) / 2
  return t > 0 ? 1 - tail : tail
}

/** The t that such a variable exceeds with half of the probability 1 − `confidence`: 2.571 for 0.95 and 5. By bisection. */
export function studentQuantile(confidence: number, df: number): number {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`a confidence is between 0 and 1, not ${confidence}`)
  let low = 0
  let high = 1
  while (studentCdf(high, df) < (1 + confidence) / 2 && high < 1e12) high *= 2
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2
    if (studentCdf(middle, df) < (1 + confidence) / 2) low = middle
    else high = middle
  }
  return (low + high) / 2
}
