import { conjugateMany, type Operator } from '../core/linear.js'
import type { LineColumns } from './lines.js'
import { addPrior, addPriors } from './priors.js'
import { type Ties, tiesOf } from './strength-rows.js'
import type { Hill } from './strengths.js'
import { Terms, type Parameters, seatAt, sizeOf } from './terms.js'

/** So close to a Newton step, in parts of the gradient. */
const STEP_CLOSE = 1e-9

/**
 * The log-likelihood of `davidson` for a large field. Its information is kept line by line and multiplied with, never written out: of ten
 * thousand entrants it would take 800 MB, nearly all of it zeros.
 */
export class LargeDavidson implements Hill, Operator {
  readonly size: number
  /** At the point that was looked at last, as all that follows. */
  readonly gradient: Float64Array
  readonly diagonal: Float64Array
  /** Of the diagonal, the priors' part. */
  private readonly prior: Float64Array
  /** By line, as in `Term`. */
  private readonly bend: Float64Array
  private readonly cross: Float64Array
  private readonly readyBend: Float64Array
  private readonly seat: number

  constructor(
    private readonly lines: LineColumns,
    private readonly parameters: Parameters,
  ) {
    this.size = sizeOf(parameters)
    this.seat = seatAt(parameters)
    this.gradient = new Float64Array(this.size)
    this.diagonal = new Float64Array(this.size)
    this.prior = new Float64Array(this.size)
    this.bend = new Float64Array(lines.i.length)
    this.cross = new Float64Array(lines.i.length)
    this.readyBend = new Float64Array(lines.i.length)
  }

  look(at: Float64Array): number {
    const { gradient, diagonal, prior, parameters, lines, seat } = this
    const { field, drawn } = parameters
    gradient.fill(0)
    prior.fill(0)
    const value = addPrior(field, at, gradient, prior, 1, 1) + addPriors(parameters, at, gradient, prior, 1)
    diagonal.set(prior)
    const terms = new Terms(lines, parameters, at)
    const { term } = terms
    for (let k = 0; k < lines.i.length; k++) {
      const i = lines.i[k] as number
      const j = lines.j[k] as number
      const isSeated = this.isSeated(k)
      terms.read(k, i, j, isSeated)
      const [slope, bend] = [term[0] as number, term[2] as number]
      this.bend[k] = bend
      gradient[i] = (gradient[i] as number) + slope
      gradient[j] = (gradient[j] as number) - slope
      diagonal[i] = (diagonal[i] as number) + bend
      diagonal[j] = (diagonal[j] as number) + bend
      if (isSeated) {
        gradient[seat] = (gradient[seat] as number) + slope
        diagonal[seat] = (diagonal[seat] as number) + bend
      }
      if (!drawn) continue
      this.cross[k] = term[3] as number
      this.readyBend[k] = term[4] as number
      gradient[field] = (gradient[field] as number) + (term[1] as number)
      diagonal[field] = (diagonal[field] as number) + (term[4] as number)
    }
    return value + terms.value()
  }

  step(): Float64Array {
    return conjugateMany(this, this.gradient, 1, STEP_CLOSE)
  }

  /** How strengths are tied to each other, what all share left out. */
  ties(): Ties {
    const { lines, bend, diagonal, parameters } = this
    return tiesOf(parameters.field, diagonal, lines.i, lines.j, bend)
  }

  times(x: Float64Array, into: Float64Array, columns: number): void {
    const { prior, lines, bend, cross, readyBend } = this
    const { field, drawn } = this.parameters
    for (let i = 0, k = 0; i < this.size; i++)
      for (let c = 0; c < columns; c++, k++) into[k] = (prior[i] as number) * (x[k] as number)
    const [ready, seat] = [field * columns, this.seat * columns]
    for (let k = 0; k < bend.length; k++) {
      const i = (lines.i[k] as number) * columns
      const j = (lines.j[k] as number) * columns
      const isSeated = this.isSeated(k)
      const by = bend[k] as number
      for (let c = 0; c < columns; c++) {
        const lead = (x[i + c] as number) - (x[j + c] as number) + (isSeated ? (x[seat + c] as number) : 0)
        let change = by * lead
        if (drawn) {
          const eta = x[ready + c] as number
          change += (cross[k] as number) * eta
          into[ready + c] = (into[ready + c] as number) + (cross[k] as number) * lead + (readyBend[k] as number) * eta
        }
        into[i + c] = (into[i + c] as number) + change
        into[j + c] = (into[j + c] as number) - change
        if (isSeated) into[seat + c] = (into[seat + c] as number) + change
      }
    }
  }

  private isSeated(k: number): boolean {
    return this.seat >= 0 && this.lines.seated[k] === 1
  }
}
