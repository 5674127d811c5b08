import type { Stream } from './stream.js'

/** Φ to 1e-7: by its power series near 0, by Mills's ratio beyond (Abramowitz and Stegun 26.2.10 and 26.2.14). */
export function normalCdf(z: number): number {
  const x = Math.abs(z)
  if (x > 38) return z > 0 ? 1 : 0
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  if (x < 3) {
    let term = x
    let sum = x
    for (let n = 3; term > 1e-17; n += 2) {
      term *= (x * x) / n
      sum += term
    }
    return 0.5 + Math.sign(z) * density * sum
  }
  let fraction = x
  for (let n = 60; n > 0; n--) fraction = x + n / fraction
  const tail = density / fraction
  return z > 0 ? 1 - tail : tail
}

/** The z that a normal variable exceeds with half of 1 − `confidence`: 1.96 for 0.95. By bisection. */
export function quantileFor(confidence: number): number {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`a confidence is between 0 and 1, not ${confidence}`)
  return bisect(0, 40, 60, (z) => normalCdf(z) < (1 + confidence) / 2)
}

/** Where a condition that holds at `low` ends to hold, up to `high`: the interval is halved so many times. */
export function bisect(low: number, high: number, rounds: number, holds: (x: number) => boolean): number {
  let [from, to] = [low, high]
  for (let round = 0; round < rounds; round++) {
    const middle = (from + to) / 2
    if (holds(middle)) from = middle
    else to = middle
  }
  return (from + to) / 2
}

/** A standard normal number (Box and Muller 1958). */
export const normalDraw = (luck: Stream): number =>
  Math.sqrt(-2 * Math.log(1 - luck.uniform())) * Math.cos(2 * Math.PI * luck.uniform())
