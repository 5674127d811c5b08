import { type Factor, conjugate, factorize, inverse, solve } from '../core/linear.js'
import { normalCdf, quantileFor } from './normal.js'

/** What makes an entrant's rating rest on the prior. */
export type Flag = 'unbeaten' | 'winless' | 'unconnected'

/** Strengths in Elo units, around 0 for the average of the field: 400 more is ten times the odds of winning. */
export interface Ratings {
  readonly rating: readonly number[]
  /** The ends of the interval, by entrant. */
  readonly low: readonly number[]
  readonly high: readonly number[]
  /** The same ends with the prior's word taken where the games tell no bound. */
  readonly withPrior: { readonly low: readonly number[]; readonly high: readonly number[] }
  /** Of the ratings of two, in Elo². In a large field (`fitLargeField`) two that never met count as independent. */
  readonly covariance: (a: number, b: number) => number
  /**
   * 'unbeaten': won every game; 'winless': lost every game; 'unconnected': no chain of games leads to the largest group of
   * the field. Without the prior, none of these would have a finite rating.
   */
  readonly flags: readonly (readonly Flag[])[]
  /** Of the intervals, of each by itself. */
  readonly confidence: number
  /** How probable it is that a is stronger than b. */
  above(a: number, b: number): number
}

/** Elo points for a unit of the natural logarithm of strength: 400 / ln 10. */
export const ELO = 400 / Math.LN10

/** A log-likelihood that is concave: writes its gradient and its information (minus the second derivatives) and returns it. */
export type Likelihood = (at: Float64Array, gradient: Float64Array, information: Float64Array) => number

/** A maximum of a log-likelihood. */
export interface Maximum {
  readonly at: Float64Array
  readonly value: number
  /** Of the information there. In a large field it is decomposed when it is asked for. */
  readonly factor: Factor
}

/** Beyond so many parameters a step is found by conjugate gradients: games tie each entrant to few others, or to all of them alike. */
const LARGE = 100

/**
 * No step moves a parameter further. Far from its maximum an entrant of few games has next to no information, so that its step is without bound;
 * where the others gain, it would be taken, to where the information is 0 in all digits.
 */
const FAR = 4

/** A concave log-likelihood that is climbed. */
export interface Hill {
  /** At the point that was looked at last. */
  readonly gradient: Float64Array
  /** The value at a point. */
  look(at: Float64Array): number
  /** Newton's step from the point that was looked at last. */
  step(): Float64Array
}

/**
 * The top of a hill by Newton's method, each step halved until it does not lose; it was looked at last, unless the last step was trusted.
 * `start` is where to begin; `trusted`: a step that promises to gain less is the last one, and what it comes to is not looked at: what is
 * left then is its square.
 */
export function climb(hill: Hill, start: Float64Array, trusted = 0): Pick<Maximum, 'at' | 'value'> {
  const { gradient } = hill
  let at: Float64Array = Float64Array.from(start)
  let value = hill.look(at)
  for (let round = 0; round < 100; round++) {
    const step = hill.step()
    const gain = step.reduce((sum, d, i) => sum + d * (gradient[i] as number), 0)
    if (gain < 1e-12) return { at, value }
    const reach = step.reduce((most, d) => Math.max(most, Math.abs(d)), 0)
    if (gain < trusted && reach <= FAR) return { at: stepped(at, step, 1), value: value + gain / 2 }
    let stride = Math.min(1, FAR / reach)
    let next = at
    let better = -Infinity
    for (; stride > 1e-9; stride /= 2) {
      next = stepped(at, step, stride)
      better = hill.look(next)
      if (better >= value - 1e-12 * Math.abs(value)) break
    }
    // No step gains: the last digit of the sum is reached.
    if (!(better > value)) {
      hill.look(at)
      return { at, value }
    }
    at = next
    value = better
  }
  return { at, value }
}

/** The maximum of a concave log-likelihood, by `climb`. */
export function maximize(likelihood: Likelihood, start: Float64Array, trusted = 0): Maximum {
  const size = start.length
  const gradient = new Float64Array(size)
  const information = new Float64Array(size * size)
  let factor: Factor | undefined
  const hill: Hill = {
    gradient,
    look(at) {
      factor = undefined
      return likelihood(at, gradient, information)
    },
    step() {
      const found = stepOf(information, size, gradient)
      factor = found.factor
      return found.step
    },
  }
  const { at, value } = climb(hill, start, trusted)
  return maximumAt(at, value, information, factor)
}

const stepped = (at: Float64Array, step: Float64Array, stride: number): Float64Array =>
  at.map((x, i) => x + stride * (step[i] as number))

/** Newton's step, and the factor of the information where that was needed for it. */
function stepOf(
  information: Float64Array,
  size: number,
  gradient: Float64Array,
): { readonly step: Float64Array; readonly factor?: Factor } {
  const step = size > LARGE ? conjugate(information, size, gradient) : undefined
  if (step !== undefined) return { step }
  const factor = factorize(information, size)
  return { step: solve(factor, gradient), factor }
}

function maximumAt(at: Float64Array, value: number, information: Float64Array, factor?: Factor): Maximum {
  let known = factor
  return {
    at,
    value,
    get factor() {
      return (known ??= factorize(information, at.length))
    },
  }
}

/** The fit as ratings: relative to the average of the field, in Elo, with intervals; `effect` multiplies the variance. */
export function ratingsOf(
  { at, factor }: { readonly at: Float64Array; readonly factor: Factor },
  flags: readonly (readonly Flag[])[],
  { confidence, effect }: { readonly confidence: number; readonly effect: number },
): Ratings {
  const field = flags.length
  const everyone = flags.map((_, i) => i)
  const covariance = centred(inverse(factor), factor.size, field, everyone).map((v) => v * ELO * ELO * effect)
  const mean = at.slice(0, field).reduce((sum, theta) => sum + theta, 0) / field
  const rating = Array.from({ length: field }, (_, i) => ((at[i] as number) - mean) * ELO)
  const of = (a: number, b: number): number => covariance[a * field + b] as number
  const z = quantileFor(confidence)
  const half = rating.map((_, i) => z * Math.sqrt(covariance[i * field + i] as number))
  const ends = {
    low: rating.map((r, i) => r - (half[i] as number)),
    high: rating.map((r, i) => r + (half[i] as number)),
  }
  return {
    rating,
    ...ends,
    withPrior: ends,
    covariance: of,
    flags,
    confidence,
    above(a, b) {
      const variance = of(a, a) + of(b, b) - 2 * of(a, b)
      return variance > 0 ? normalCdf(((rating[a] ?? 0) - (rating[b] ?? 0)) / Math.sqrt(variance)) : 0.5
    },
  }
}

/** P·C·P of the first `field` parameters, where P takes the mean of the core off: the covariance of strengths relative to that. */
export function centred(whole: Float64Array, size: number, field: number, core: readonly number[]): Float64Array {
  const at = (i: number, j: number): number => whole[i * size + j] as number
  const mean = (of: (c: number) => number): number => core.reduce((sum, c) => sum + of(c), 0) / core.length
  const rows = Array.from({ length: field }, (_, i) => mean((c) => at(i, c)))
  const all = mean((c) => rows[c] as number)
  return Float64Array.from({ length: field * field }, (_, k) => {
    const i = Math.floor(k / field)
    const j = k % field
    return at(i, j) - (rows[i] as number) - (rows[j] as number) + all
  })
}

/**
 * Two are separable where one is stronger with this probability: zero then lies outside the 95 % interval of their difference, at
 * the one end that matters.
 */
export const SEPARABLE = 0.975

/** The likelihood of superiority: how probable it is that `a` is stronger than `b`. */
export const superiority = (ratings: Ratings, a: number, b: number): number => ratings.above(a, b)
