import { inverse } from '../core/linear.js'
import { type Line, type LineColumns, columnsOf } from './lines.js'
import { addPrior, addPriors } from './priors.js'
import { type Likelihood, type Maximum, maximize } from './strengths.js'
import { Terms, type Parameters, seatAt, sizeOf } from './terms.js'

/** The strengths at a maximum. */
export interface Strength extends Parameters {
  readonly at: Float64Array
  /** Of the information there, by rows. */
  readonly inverse: Float64Array
}

interface FitOptions {
  /** The fit of a similar table, which saves steps. */
  readonly start?: Float64Array
  /** Instead of one virtual draw of each. */
  readonly prior?: typeof addPrior
  /** Gains that are not worth another look (`maximize`). */
  readonly trusted?: number
}

/** The maximum. */
export function maximizeLines(
  lines: readonly Line[] | LineColumns,
  parameters: Parameters,
  { start, prior, trusted }: FitOptions = {},
): Maximum {
  const size = sizeOf(parameters)
  const from = start?.length === size ? start : new Float64Array(size)
  return maximize(davidson(lines, parameters, prior), from, trusted)
}

/** The maximum with the inverse of the information. */
export function fitLines(lines: readonly Line[], parameters: Parameters): Strength {
  const { at, factor } = maximizeLines(lines, parameters)
  return { ...parameters, at, inverse: inverse(factor) }
}

/** The log-likelihood with its derivatives. */
export function davidson(lines: readonly Line[] | LineColumns, parameters: Parameters, prior = addPrior): Likelihood {
  const columns = 'won' in lines ? lines : columnsOf(lines)
  const { field } = parameters
  return (at, gradient, information) => {
    gradient.fill(0)
    information.fill(0)
    const own = prior(field, at, gradient, information)
    const value = addLines(columns, parameters, at, gradient, information, own)
    mirror(information, sizeOf(parameters))
    return value + addPriors(parameters, at, gradient, information)
  }
}

/** Adds the lines' part to a value and its gradient, and to the lower half of the information. */
function addLines(
  columns: LineColumns,
  parameters: Parameters,
  at: Float64Array,
  gradient: Float64Array,
  information: Float64Array,
  from: number,
): number {
  const { i: firsts, j: seconds, seated } = columns
  const { field, drawn: open } = parameters
  const size = sizeOf(parameters)
  const seat = seatAt(parameters)
  const [readyRow, seatRow] = [field * size, seat * size]
  const terms = new Terms(columns, parameters, at)
  const { term } = terms
  for (let k = 0; k < firsts.length; k++) {
    const i = firsts[k] as number
    const j = seconds[k] as number
    const isSeated = seat >= 0 && seated[k] === 1
    terms.read(k, i, j, isSeated)
    const slope = term[0] as number
    const bend = term[2] as number
    add(gradient, i, slope)
    add(gradient, j, -slope)
    add(information, i * size + i, bend)
    add(information, j * size + j, bend)
    add(information, i > j ? i * size + j : j * size + i, -bend)
    if (isSeated) {
      add(gradient, seat, slope)
      add(information, seatRow + seat, bend)
      add(information, seatRow + i, bend)
      add(information, seatRow + j, -bend)
    }
    if (!open) continue
    const cross = term[3] as number
    add(gradient, field, term[1] as number)
    add(information, readyRow + field, term[4] as number)
    add(information, readyRow + i, cross)
    add(information, readyRow + j, -cross)
    if (isSeated) add(information, seatRow + field, cross)
  }
  return from + terms.value()
}

/** Copies the lower half of a symmetric matrix to the upper one. */
function mirror(matrix: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) matrix[j * size + i] = matrix[i * size + j] as number
}

function add(array: Float64Array, at: number, value: number): void {
  array[at] = (array[at] as number) + value
}
