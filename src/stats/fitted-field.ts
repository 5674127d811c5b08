import type { BlockEffects } from './block-effects.js'
import { fitLines, type Strength } from './davidson.js'
import type { Line } from './lines.js'
import { type Parameters, parametersOf, seatAt, sizeOf, leadOf, termOf } from './terms.js'
import { type Contrast, type Profile, contrastsOf, profilesOf, varianceAlong } from './profile.js'
import { centred } from './strengths.js'

/** A fit of strengths by games of two, with all that intervals are made of. Strengths are logarithms of odds. */
export interface FittedField {
  readonly parameters: Parameters
  /** The parameters at the maximum. */
  readonly at: Float64Array
  /** An entrant against the average of the core, and one against another. */
  readonly aboveCore: (i: number) => Contrast
  readonly between: (a: number, b: number) => Contrast
  readonly profile: (contrast: Contrast) => Profile
  /** By how much blocks of equal luck change the variance of a contrast. */
  readonly effectOf: (contrast: Contrast) => number
  /** Of two strengths relative to the core's average, blocks of equal luck considered. */
  readonly covariance: (a: number, b: number) => number
  /** Of ln γ, where seats are known. */
  readonly seatVariance: number
}

/** What is fitted. */
export interface FieldLines {
  readonly lines: readonly Line[]
  readonly seated: boolean
  readonly field: number
  /** Those with whose average the others are compared. */
  readonly core: readonly number[]
  readonly effects: BlockEffects
}

/** The fit with the whole matrix of its covariances: exact, and with the cube of the field in time. */
export function fitField({ lines, seated, field, core, effects }: FieldLines): FittedField {
  const strength = fitLines(lines, parametersOf(lines, field, seated))
  const { at } = strength
  const size = sizeOf(strength)
  const whole = covarianceWith(strength, lines, effects)
  const relative = centred(whole, size, field, core)
  const seat = seatAt(strength)
  return {
    parameters: strength,
    at,
    ...contrastsOf(strength, core),
    profile: profilesOf(strength, lines),
    effectOf({ weights, variance }) {
      if (whole === strength.inverse || variance === 0) return 1
      return isAlike(strength) ? effects.common : varianceAlong(whole, weights, size) / variance
    },
    covariance: (a, b) => relative[a * field + b] as number,
    seatVariance: seat < 0 ? 0 : (strength.inverse[seat * size + seat] as number),
  }
}

/** Fields up to here have the effect of each pair; larger ones that of the field. */
const MANY = 300

/** Whether all pairs have the effect of the field. */
const isAlike = ({ field }: Pick<Strength, 'field'>): boolean => field > MANY

/**
 * The covariance of all parameters, with the variance that blocks of equal luck have: C·M·C, C being the inverse of the information and M
 * the information with each pair's part as often as its effect says (the sandwich of White 1982).
 */
function covarianceWith(strength: Strength, lines: readonly Line[], effects: BlockEffects): Float64Array {
  const { at, field, drawn, inverse } = strength
  if (!Number.isFinite(effects.df([]))) return inverse
  const size = sizeOf(strength)
  const seat = seatAt(strength)
  if (isAlike(strength)) return inverse.map((value) => value * effects.common)
  const eta = drawn ? (at[field] as number) : -Infinity
  // C·M·C = C + Σ (effect − 1) · C·I_line·C, of which the prior's part of C keeps what it had.
  const extra = new Float64Array(size * size)
  for (const line of lines) {
    const more = effects.of(line.i, line.j) - 1
    const { bend, cross, readyBend } = termOf(line, leadOf(line, at, seat), eta)
    const leads: (readonly [number, number])[] = [
      [line.i, 1],
      [line.j, -1],
    ]
    for (const [k, sign] of leads) {
      for (const [m, other] of leads) extra[k * size + m] = (extra[k * size + m] as number) + more * sign * other * bend
      if (!drawn) continue
      extra[k * size + field] = (extra[k * size + field] as number) + more * sign * cross
      extra[field * size + k] = (extra[field * size + k] as number) + more * sign * cross
    }
    if (drawn) extra[field * size + field] = (extra[field * size + field] as number) + more * readyBend
  }
  const changed = product(product(inverse, extra, size), inverse, size)
  return inverse.map((value, k) => value + (changed[k] as number))
}

function product(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const whole = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < size; k++) {
      const factor = a[i * size + k] as number
      if (factor === 0) continue
      for (let j = 0; j < size; j++)
        whole[i * size + j] = (whole[i * size + j] as number) + factor * (b[k * size + j] as number)
    }
  }
  return whole
}
