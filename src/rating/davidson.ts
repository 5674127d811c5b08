import { inverse } from '../core/linear.js'
import { type Line, type LineColumns, columnsOf } from './lines.js'
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
  const half = lead / 2
  // The exponents are taken from their greatest: no overflow however far apart the two are.
  const top = Math.max(Math.abs(half), eta)
  const sum = derive(SCRATCH, won, drawn, lost, Math.exp(half - top), Math.exp(eta - top), Math.exp(-half - top))
  return {
    value: (won - lost) * half + (drawn > 0 ? drawn * eta : 0) - (won + drawn + lost) * (top + Math.log(sum)),
    slope: SCRATCH[0] as number,
    ready: SCRATCH[1] as number,
    bend: SCRATCH[2] as number,
    cross: SCRATCH[3] as number,
    readyBend: SCRATCH[4] as number,
  }
}
const SCRATCH = new Float64Array(5)

/**
 * Writes a term's derivatives in the order in which `Term` has them, from what win, draw and loss have of 1 but for a common factor, and
 * gives the sum of these. Millions of terms are asked for, and none is an object.
 */
function derive(
  into: Float64Array,
  won: number,
  drawn: number,
  lost: number,
  win: number,
  draw: number,
  loss: number,
): number {
  const n = won + drawn + lost
  const sum = win + draw + loss
  const p = win / sum
  const r = draw / sum
  const q = loss / sum
  // In the lead the three outcomes score ½, 0, −½: the slope is what was scored above expectation.
  into[0] = (won - lost) / 2 - (n * (p - q)) / 2
  into[1] = drawn - n * r
  into[2] = (n * (p + q - (p - q) * (p - q))) / 4
  into[3] = (-n * r * (p - q)) / 2
  into[4] = n * r * (1 - r)
  return sum
}

/** The lead of a line's first at these parameters. */
export function leadOf({ i, j, seated }: Line, at: Float64Array, seat: number): number {
  return (at[i] as number) - (at[j] as number) + (seated && seat >= 0 ? (at[seat] as number) : 0)
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

/** So far from 0 a parameter may be that powers of e can be multiplied. */
const NEAR = 100
/** A product that is greater is not multiplied further. */
const LARGE = 1e100

/**
 * The terms of lines one after another, and the sum of their values. Of parameters that are not extreme, a power of e is taken once for each
 * of them instead of three times for each line, and a logarithm once for the product of many.
 */
class Terms {
  /** The derivatives of the line that was read last, in the order in which `Term` has them. */
  readonly term = new Float64Array(5)
  private readonly isNear: boolean
  private readonly up: Float64Array
  private readonly down: Float64Array
  private readonly eta: number
  private readonly nu: number
  private readonly seat: number
  private sum = 0
  /** Of lines of so many games each, what their logarithms are of, multiplied. */
  private product = 1
  private games = 0

  constructor(
    private readonly lines: LineColumns,
    parameters: Parameters,
    private readonly at: Float64Array,
  ) {
    this.isNear = at.every((x) => Math.abs(x) < NEAR)
    this.up = at.map((x) => Math.exp(x / 2))
    this.down = at.map((x) => Math.exp(-x / 2))
    this.eta = parameters.drawn ? (at[parameters.field] as number) : -Infinity
    this.nu = Math.exp(this.eta)
    this.seat = seatAt(parameters)
  }

  /** Reads line k, of i and j; `isSeated`: what the first seat is worth is known, and i has it. */
  read(k: number, i: number, j: number, isSeated: boolean): void {
    const { lines, at, up, down, seat, eta } = this
    const won = lines.won[k] as number
    const drawn = lines.drawn[k] as number
    const lost = lines.lost[k] as number
    const n = won + drawn + lost
    const half = ((at[i] as number) - (at[j] as number) + (isSeated ? (at[seat] as number) : 0)) / 2
    const linear = (won - lost) * half + (drawn > 0 ? drawn * eta : 0)
    if (!this.isNear) {
      // The exponents are taken from their greatest: no overflow however far apart the two are.
      const top = Math.max(Math.abs(half), eta)
      const whole = derive(
        this.term,
        won,
        drawn,
        lost,
        Math.exp(half - top),
        Math.exp(eta - top),
        Math.exp(-half - top),
      )
      this.sum += linear - n * (top + Math.log(whole))
      return
    }
    const win = (up[i] as number) * (down[j] as number) * (isSeated ? (up[seat] as number) : 1)
    const loss = (down[i] as number) * (up[j] as number) * (isSeated ? (down[seat] as number) : 1)
    const whole = derive(this.term, won, drawn, lost, win, this.nu, loss)
    if (n !== this.games || this.product > LARGE) this.close(n)
    this.product *= whole
    this.sum += linear
  }

  /** The sum of the values of all that was read. */
  value(): number {
    this.close(0)
    return this.sum
  }

  private close(games: number): void {
    this.sum -= this.games * Math.log(this.product)
    this.product = 1
    this.games = games
  }
}

/** Copies the lower half of a symmetric matrix to the upper one. */
function mirror(matrix: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) matrix[j * size + i] = matrix[i * size + j] as number
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

function add(array: Float64Array, at: number, value: number): void {
  array[at] = (array[at] as number) + value
}
