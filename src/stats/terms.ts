import type { Line, LineColumns } from './lines.js'

/** Which parameters there are beside θ by entrant, which come first: ln ν where games are drawn, then ln γ where seats are known. */
export interface Parameters {
  readonly field: number
  readonly drawn: boolean
  readonly seated: boolean
}

export const parametersOf = (lines: readonly Line[], field: number, seated: boolean): Parameters => ({
  field,
  drawn: lines.some(({ drawn }) => drawn > 0),
  seated,
})

export const sizeOf = ({ field, drawn, seated }: Parameters): number => field + (drawn ? 1 : 0) + (seated ? 1 : 0)

/** Where ln γ stands; −1 where there is none. */
export const seatAt = (parameters: Parameters): number => (parameters.seated ? sizeOf(parameters) - 1 : -1)

/** Fields of at most so many entrants have the matrix of all their covariances; for larger ones it would take too much memory and time. */
export const WHOLE = 1000

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

/** So far from 0 a parameter may be that powers of e can be multiplied. */
const NEAR = 100
/** A product that is greater is not multiplied further. */
const LARGE = 1e100

/**
 * The terms of lines one after another, and the sum of their values. Of parameters that are not extreme, a power of e is taken once for each
 * of them instead of three times for each line, and a logarithm once for the product of many.
 */
export class Terms {
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
