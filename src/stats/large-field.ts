import { conjugateMany } from '../core/linear.js'
import type { FieldLines, FittedField } from './fitted-field.js'
import { LargeDavidson } from './large-davidson.js'
import { columnsOf } from './lines.js'
import { parametersOf, seatAt, sizeOf } from './terms.js'
import { type Contrast, tangentProfiles } from './profile.js'
import { type StrengthRows, rowsOf } from './strength-rows.js'
import { climb } from './strengths.js'

/**
 * The fit of a field that is too large for the matrix of all its covariances. The maximum is the same (`LargeDavidson`). Each entrant's row
 * of the inverse is solved for, and what stands in it of those that the entrant met is kept (`rowsOf`): the others are tied to it by way of
 * these alone, and count as independent of it. How often equals draw and what the first seat is worth follow from all games, and count as
 * known. Profiles follow a tangent, as in all but small fields, and need no more. The effect of blocks of equal luck is the field's. Memory
 * is linear in the pairs that met; time is that, times the entrants.
 */
export function fitLargeField({ lines, seated, field, core, effects }: FieldLines): FittedField {
  const parameters = parametersOf(lines, field, seated)
  const columns = columnsOf(lines)
  const likelihood = new LargeDavidson(columns, parameters)
  const { at } = climb(likelihood, new Float64Array(sizeOf(parameters)))
  likelihood.look(at)
  const rows = rowsOf(likelihood.ties(), core)
  const effect = Number.isFinite(effects.df([])) ? effects.common : 1
  const share = new Float64Array(field)
  for (const c of core) share[c] = 1 / core.length
  return {
    parameters,
    at,
    profile: tangentProfiles({ ...parameters, at }, lines),
    aboveCore(i) {
      const weights = Float64Array.from(share, (x) => -x)
      weights[i] = (weights[i] as number) + 1
      return { weights, about: [i], covariance: addRow(rows, i, 1, at.length), variance: rows.variance[i] as number }
    },
    between: (a, b) => between(rows, a, b, at.length),
    effectOf: ({ variance }) => (variance === 0 ? 1 : effect),
    covariance: (a, b) => effect * covarianceOf(rows, a, b),
    seatVariance: seatVariance(likelihood, seatAt(parameters)),
  }
}

/** The variance of ln γ. */
function seatVariance(likelihood: LargeDavidson, seat: number): number {
  if (seat < 0) return 0
  const right = new Float64Array(likelihood.size)
  right[seat] = 1
  return conjugateMany(likelihood, right, 1, CLOSE)[seat] as number
}
const CLOSE = 1e-6

/** An entrant's row, as often as said, zeros where nothing is kept; added to another one. */
function addRow(
  { ties: { starts, to }, variance, covariance }: StrengthRows,
  i: number,
  times: number,
  size: number,
  row: Float64Array = new Float64Array(size),
): Float64Array {
  row[i] = (row[i] as number) + times * (variance[i] as number)
  for (let k = starts[i] as number; k < (starts[i + 1] as number); k++) {
    const j = to[k] as number
    row[j] = (row[j] as number) + times * (covariance[k] as number)
  }
  return row
}

function between(rows: StrengthRows, a: number, b: number, size: number): Contrast {
  const weights = new Float64Array(size)
  weights[a] = 1
  weights[b] = -1
  const covariance = addRow(rows, b, -1, size, addRow(rows, a, 1, size))
  return { weights, about: [a, b], covariance, variance: (covariance[a] as number) - (covariance[b] as number) }
}

function covarianceOf(rows: StrengthRows, a: number, b: number): number {
  const { ties, variance, covariance } = rows
  if (a === b) return variance[a] as number
  const from = ties.starts[a] as number
  const k = ties.to.subarray(from, ties.starts[a + 1]).indexOf(b)
  return k < 0 ? 0 : (covariance[from + k] as number)
}
