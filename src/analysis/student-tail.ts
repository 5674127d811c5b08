import { betaCdf } from '../core/beta.js'

/** The probability that a variable of Student's t with `df` degrees of freedom is above t: by the incomplete beta function (DLMF 8.17.18). */
export function studentTail(t: number, df: number): number {
  const tail = betaCdf(df / (df + t * t), df / 2, 0.5) / 2
  return t > 0 ? tail : 1 - tail
}
