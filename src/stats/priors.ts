import { type Parameters, seatAt } from './terms.js'

/**
 * The prior: each entrant has one virtual draw with an average player (strength 0), counted as half a win and half a loss so
 * that it does not change how often games are drawn. Adds its part of the log-likelihood, ½ ln σ(θ) + ½ ln σ(−θ), for each of
 * the first `field` parameters, `times` as often. Of the information, the diagonal's numbers stand `stride` apart: as in a whole matrix, or
 * one after another.
 */
export function addPrior(
  field: number,
  at: Float64Array,
  gradient: Float64Array,
  information: Float64Array,
  times = 1,
  stride = at.length + 1,
): number {
  let value = 0
  for (let i = 0; i < field; i++) {
    const theta = at[i] as number
    const p = 1 / (1 + Math.exp(-theta))
    value -= times * (Math.abs(theta) / 2 + Math.log1p(Math.exp(-Math.abs(theta))))
    gradient[i] = (gradient[i] as number) + times * (0.5 - p)
    information[i * stride] = (information[i * stride] as number) + times * p * (1 - p)
  }
  return value
}

/**
 * One virtual game between equals, half drawn, where games are drawn at all; one between equals, won by either, for the seat. `stride` as in
 * `addPrior`.
 */
export function addPriors(
  parameters: Parameters,
  at: Float64Array,
  gradient: Float64Array,
  information: Float64Array,
  stride = at.length + 1,
): number {
  const { field, drawn } = parameters
  const seat = seatAt(parameters)
  let value = 0
  if (drawn) {
    const r = 1 / (1 + 2 * Math.exp(-(at[field] as number)))
    value += (Math.log(r) + Math.log(1 - r)) / 2
    add(gradient, field, 0.5 - r)
    add(information, field * stride, r * (1 - r))
  }
  if (seat >= 0) {
    const lead = Math.abs(at[seat] as number)
    const p = 1 / (1 + Math.exp(-(at[seat] as number)))
    value -= lead / 2 + Math.log1p(Math.exp(-lead))
    add(gradient, seat, 0.5 - p)
    add(information, seat * stride, p * (1 - p))
  }
  return value
}

function add(array: Float64Array, at: number, value: number): void {
  array[at] = (array[at] as number) + value
}
