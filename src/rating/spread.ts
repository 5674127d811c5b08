import type { Strength } from './davidson.js'
import { seatAt, sizeOf } from './parameters.js'
import { leadOf, termOf } from './terms.js'
import type { BlockEffects } from './block-effects.js'
import type { Line } from './lines.js'

/** Fields up to here have the effect of each pair; larger ones that of the field. */
const MANY = 300

/** Whether all pairs have the effect of the field. */
export const isAlike = ({ field }: Pick<Strength, 'field'>): boolean => field > MANY

/**
 * The covariance of all parameters, with the variance that blocks of equal luck have: C·M·C, C being the inverse of the information and M
 * the information with each pair's part as often as its effect says (the sandwich of White 1982).
 */
export function covarianceWith(strength: Strength, lines: readonly Line[], effects: BlockEffects): Float64Array {
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
