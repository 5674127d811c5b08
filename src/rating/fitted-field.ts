import type { BlockEffects } from './block-effects.js'
import { fitLines } from './davidson.js'
import type { Line } from './lines.js'
import { type Parameters, parametersOf, seatAt, sizeOf } from './parameters.js'
import { type Contrast, type Profile, contrastsOf, profilesOf, varianceAlong } from './profile.js'
import { covarianceWith, isAlike } from './spread.js'
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
