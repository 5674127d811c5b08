import { type Factor, conjugate, factorize, solve } from './linear.js'

/** A concave log-likelihood: writes its gradient and information (minus the second derivatives) and returns its value. */
export type Likelihood = (at: Float64Array, gradient: Float64Array, information: Float64Array) => number

export interface Maximum {
  readonly at: Float64Array
  readonly value: number
  /** Of the information there. */
  readonly factor: Factor
}

/** Beyond so many parameters, conjugate gradients: games tie each entrant to few others, or to all of them alike. */
const LARGE = 100

/** The longest step: far from its maximum an entrant of few games has hardly any information. */
const FAR = 4

/** The maximum of a concave log-likelihood by Newton's method from `start`, each step halved until it does not lose. */
export function maximize(likelihood: Likelihood, start: Float64Array): Maximum {
  const size = start.length
  const gradient = new Float64Array(size)
  const information = new Float64Array(size * size)
  const maximum = (at: Float64Array, value: number): Maximum => ({ at, value, factor: factorize(information, size) })
  let at = Float64Array.from(start)
  let value = likelihood(at, gradient, information)
  for (let round = 0; round < 100; round++) {
    const step =
      (size > LARGE ? conjugate(information, size, gradient) : undefined) ??
      solve(factorize(information, size), gradient)
    const gain = step.reduce((sum, d, i) => sum + d * (gradient[i] as number), 0)
    if (gain < 1e-10) break
    const reach = step.reduce((most, d) => Math.max(most, Math.abs(d)), 0)
    let next = at
    let better = -Infinity
    for (let stride = Math.min(1, FAR / reach); stride > 1e-9; stride /= 2) {
      next = at.map((x, i) => x + stride * (step[i] as number))
      better = likelihood(next, gradient, information)
      if (better >= value - 1e-12 * Math.abs(value)) break
    }
    // No step gains: the last digit of the sum is reached.
    if (!(better > value)) {
      value = likelihood(at, gradient, information)
      break
    }
    at = next
    value = better
  }
  return maximum(at, value)
}
