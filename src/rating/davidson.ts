import { inverse } from '../core/linear.js'
import type { Line } from './lines.js'
import { addPrior, type Likelihood, type Maximum, maximize } from './strengths.js'

/** Which parameters there are beside θ by entrant, which come first: ln ν where games are drawn, then ln γ where seats are known. */
export interface Parameters {
  readonly field: number
  readonly drawn: boolean
  readonly seated: boolean
}

/** The strengths at a maximum. */
export interface Strength extends Parameters {
  readonly at: Float64Array
  /** Of the information there, by rows. */
  readonly inverse: Float64Array
}

export const parametersOf = (lines: readonly Line[], field: number, seated: boolean): Parameters => ({
  field,
  drawn: lines.some(({ drawn }) => drawn > 0),
  seated,
})

export const sizeOf = ({ field, drawn, seated }: Parameters): number => field + (drawn ? 1 : 0) + (seated ? 1 : 0)

/** Where ln γ stands; −1 where there is none. */
export const seatAt = (parameters: Parameters): number => (parameters.seated ? sizeOf(parameters) - 1 : -1)

interface FitOptions {
  /** The fit of a similar table, which saves steps. */
  readonly start?: Float64Array
  /** Instead of one virtual draw of each. */
  readonly prior?: typeof addPrior
}

/** The maximum. */
export function maximizeLines(
  lines: readonly Line[],
  parameters: Parameters,
  { start, prior }: FitOptions = {},
): Maximum {
  const size = sizeOf(parameters)
  return maximize(davidson(lines, parameters, prior), start?.length === size ? start : new Float64Array(size))
}

/** The maximum with the inverse of the information. */
export function fitLines(lines: readonly Line[], parameters: Parameters): Strength {
  const { at, factor } = maximizeLines(lines, parameters)
  return { ...parameters, at, inverse: inverse(factor) }
}

/** What a line's log-likelihood is at a lead (θ_i − θ_j, and ln γ for who sits first) and a readiness to draw (ln ν), with derivatives. */
export interface Term {
  readonly value: number
  /** By lead, and by ln ν. */
  readonly slope: number
  readonly ready: number
  /** Minus the second derivatives. */
  readonly bend: number
  readonly cross: number
  readonly readyBend: number
}

/** `eta`: −Infinity where there are no draws. */
export function termOf({ won, drawn, lost }: Line, lead: number, eta: number): Term {
  const n = won + drawn + lost
  const half = lead / 2
  // The exponents are taken from their greatest: no overflow however far apart the two are.
  const top = Math.max(Math.abs(half), eta)
  const w = Math.exp(half - top)
  const d = eta === -Infinity ? 0 : Math.exp(eta - top)
  const l = Math.exp(-half - top)
  const sum = w + d + l
  const [p, r, q] = [w / sum, d / sum, l / sum]
  return {
    value: (won - lost) * half + (drawn > 0 ? drawn * eta : 0) - n * (top + Math.log(sum)),
    // In the lead the three outcomes score ½, 0, −½: the slope is what was scored above expectation.
    slope: (won - lost) / 2 - (n * (p - q)) / 2,
    ready: drawn - n * r,
    bend: (n * (p + q - (p - q) ** 2)) / 4,
    cross: (-n * r * (p - q)) / 2,
    readyBend: n * r * (1 - r),
  }
}

/** The lead of a line's first at these parameters. */
export function leadOf({ i, j, seated }: Line, at: Float64Array, seat: number): number {
  return (at[i] as number) - (at[j] as number) + (seated && seat >= 0 ? (at[seat] as number) : 0)
}

/** The log-likelihood with its derivatives. */
export function davidson(lines: readonly Line[], parameters: Parameters, prior = addPrior): Likelihood {
  const { field, drawn: open } = parameters
  const size = sizeOf(parameters)
  const seat = seatAt(parameters)
  return (at, gradient, information) => {
    gradient.fill(0)
    information.fill(0)
    const eta = open ? (at[field] as number) : -Infinity
    let value = prior(field, at, gradient, information)
    for (const line of lines) {
      const { i, j } = line
      const lead = line.seated ? seat : -1
      const { value: part, slope, ready, bend, cross, readyBend } = termOf(line, leadOf(line, at, seat), eta)
      value += part
      add(gradient, i, slope)
      add(gradient, j, -slope)
      add(information, i * size + i, bend)
      add(information, j * size + j, bend)
      addBoth(information, size, i, j, -bend)
      if (lead >= 0) {
        add(gradient, lead, slope)
        add(information, lead * size + lead, bend)
        addBoth(information, size, i, lead, bend)
        addBoth(information, size, j, lead, -bend)
      }
      if (!open) continue
      add(gradient, field, ready)
      add(information, field * size + field, readyBend)
      addBoth(information, size, i, field, cross)
      addBoth(information, size, j, field, -cross)
      if (lead >= 0) addBoth(information, size, lead, field, cross)
    }
    return value + addPriors(parameters, at, gradient, information)
  }
}

/** One virtual game between equals, half drawn, where games are drawn at all; one between equals, won by either, for the seat. */
function addPriors(
  parameters: Parameters,
  at: Float64Array,
  gradient: Float64Array,
  information: Float64Array,
): number {
  const { field, drawn } = parameters
  const size = sizeOf(parameters)
  const seat = seatAt(parameters)
  let value = 0
  if (drawn) {
    const r = 1 / (1 + 2 * Math.exp(-(at[field] as number)))
    value += (Math.log(r) + Math.log(1 - r)) / 2
    add(gradient, field, 0.5 - r)
    add(information, field * size + field, r * (1 - r))
  }
  if (seat >= 0) {
    const lead = Math.abs(at[seat] as number)
    const p = 1 / (1 + Math.exp(-(at[seat] as number)))
    value -= lead / 2 + Math.log1p(Math.exp(-lead))
    add(gradient, seat, 0.5 - p)
    add(information, seat * size + seat, p * (1 - p))
  }
  return value
}

function addBoth(matrix: Float64Array, size: number, i: number, j: number, value: number): void {
  add(matrix, i * size + j, value)
  add(matrix, j * size + i, value)
}

function add(array: Float64Array, at: number, value: number): void {
  array[at] = (array[at] as number) + value
}
