import { davidson, type Strength } from './davidson.js'
import { leadOf, termOf, seatAt, sizeOf } from './terms.js'
import { factorize, solve } from '../core/linear.js'
import type { Line } from './lines.js'
import type { Likelihood } from './strengths.js'

/** A sum of strengths, each with a weight, that sum to 0; and the entrants that it is about. */
export interface Contrast {
  readonly weights: Float64Array
  readonly about: readonly number[]
  /** By parameter: its covariance with the contrast. */
  readonly covariance: Float64Array
  readonly variance: number
}

/** The contrasts that tables show: one entrant against the average of some, and one against another. Each is made at the cost of a row. */
export function contrastsOf(
  strength: Strength,
  core: readonly number[],
): { readonly aboveCore: (i: number) => Contrast; readonly between: (a: number, b: number) => Contrast } {
  const { inverse, field } = strength
  const size = sizeOf(strength)
  const row = (i: number): Float64Array => inverse.subarray(i * size, (i + 1) * size)
  const mean = new Float64Array(size)
  const share = new Float64Array(field)
  for (const c of core) {
    share[c] = 1 / core.length
    const own = row(c)
    for (let k = 0; k < size; k++) mean[k] = (mean[k] as number) + (own[k] as number) / core.length
  }
  const contrast = (weights: Float64Array, about: readonly number[], covariance: Float64Array): Contrast => ({
    weights,
    about,
    covariance,
    variance: dot(weights, covariance),
  })
  return {
    aboveCore(i) {
      const weights = share.map((x, k) => (k === i ? 1 : 0) - x)
      return contrast(
        weights,
        [i],
        row(i).map((x, k) => x - (mean[k] as number)),
      )
    },
    between(a, b) {
      const weights = new Float64Array(field)
      weights[a] = 1
      weights[b] = -1
      const other = row(b)
      return contrast(
        weights,
        [a, b],
        row(a).map((x, k) => x - (other[k] as number)),
      )
    },
  }
}

/** How the likelihood falls away from its maximum as a contrast changes. */
export interface Profile {
  /** The values of the contrast at which ln of the likelihood is no more than `drop` below its maximum. */
  within(drop: number): { readonly low: number; readonly high: number }
  /** The root of twice what it is below its maximum at a value, with the sign of the maximum's distance from there. */
  rootAt(value: number): number
}

/** So far, in logarithms of odds, a contrast is followed: a chance of e⁻²⁰ is none. */
const FAR = 20
/** Fields up to here have exact profiles; those of larger ones follow a tangent. */
const SMALL = 25
/** The profiles of all contrasts of a field. */
export function profilesOf(strength: Strength, lines: readonly Line[]): (contrast: Contrast) => Profile {
  if (strength.field > SMALL) return tangentProfiles(strength, lines)
  const likelihood = davidson(lines, strength)
  const size = sizeOf(strength)
  const most = likelihood(strength.at, new Float64Array(size), new Float64Array(size * size))
  return (contrast) => {
    const { weights } = contrast
    const { course, scale } = courseOf(contrast)
    const from = dot(weights, strength.at)
    return profileAlong(most, from, scale, (value) =>
      heldAt(
        likelihood,
        strength.at.map((x, k) => x + (value - from) * (course[k] as number)),
        weights,
      ),
    )
  }
}

/** The same by the tangents of their courses. Of a contrast's covariance, only what its own entrants met is looked at. */
export function tangentProfiles(
  strength: Omit<Strength, 'inverse'>,
  lines: readonly Line[],
): (contrast: Contrast) => Profile {
  const own = linesByEntrant(lines, strength.field)
  return (contrast) => tangentProfile(strength, own, contrast)
}

/** What all parameters do as a contrast changes by 1, to the first order; and the contrast's standard error. */
function courseOf({ covariance, variance }: Contrast): { readonly course: Float64Array; readonly scale: number } {
  return { course: covariance.map((x) => (variance > 0 ? x / variance : 0)), scale: Math.sqrt(variance) }
}

/** The greatest value of a likelihood with a contrast as at `start`: by Newton's method with a multiplier, steps halved until they gain. */
function heldAt(likelihood: Likelihood, start: Float64Array, weights: Float64Array): number {
  const size = start.length
  const normal = new Float64Array(size)
  normal.set(weights)
  let at = start
  const gradient = new Float64Array(size)
  const information = new Float64Array(size * size)
  let reached = likelihood(at, gradient, information)
  for (let round = 0; round < 50; round++) {
    const factor = factorize(information, size)
    const free = solve(factor, gradient)
    const held = solve(factor, normal)
    const multiplier = dot(normal, free) / dot(normal, held)
    const step = free.map((x, k) => x - multiplier * (held[k] as number))
    if (dot(step, gradient) < 1e-8) break
    let stride = 1
    let next = at
    let better = -Infinity
    for (; stride > 1e-6; stride /= 2) {
      next = at.map((x, k) => x + stride * (step[k] as number))
      better = likelihood(next, gradient, information)
      if (better >= reached) break
    }
    if (!(better >= reached)) break
    at = next
    reached = better
  }
  return reached
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  const n = Math.min(a.length, b.length)
  for (let k = 0; k < n; k++) sum += (a[k] as number) * (b[k] as number)
  return sum
}

/** aᵀ·C·a. */
export function varianceAlong(matrix: Float64Array, weights: Float64Array, size: number): number {
  let sum = 0
  weights.forEach((w, i) => {
    if (w === 0) return
    for (let j = 0; j < weights.length; j++) sum += w * (weights[j] as number) * (matrix[i * size + j] as number)
  })
  return sum
}

/** By entrant: the lines that it stands in. */
function linesByEntrant(lines: readonly Line[], field: number): readonly (readonly Line[])[] {
  const own = Array.from({ length: field }, (): Line[] => [])
  for (const line of lines) {
    own[line.i]?.push(line)
    own[line.j]?.push(line)
  }
  return own
}

/**
 * The profile of a contrast in a large field. What the other parameters do as it changes is taken from the tangent of their course at the
 * fit, and lines between others, and the priors, are taken to be quadratic: most of what changes is how the contrast's own entrants do.
 * The others need not be looked at for that. At the maximum all slopes sum to 0, and all bends along the course to 1 / the variance, so
 * what the others have is that less what the own lines have there.
 */
function tangentProfile(
  strength: Omit<Strength, 'inverse'>,
  lines: readonly (readonly Line[])[],
  contrast: Contrast,
): Profile {
  const { at, field, drawn } = strength
  const { about, weights, variance } = contrast
  const seat = seatAt(strength)
  const eta = drawn ? (at[field] as number) : -Infinity
  const { course, scale } = courseOf(contrast)
  const readiness = drawn ? (course[field] as number) : 0
  const own: { readonly line: Line; readonly lead: number; readonly by: number }[] = []
  let slopes = 0
  let bends = variance > 0 ? 1 / variance : 0
  for (const line of new Set(about.flatMap((entrant) => lines[entrant] ?? []))) {
    const lead = leadOf(line, at, seat)
    const by = leadOf(line, course, seat)
    const { slope, ready, bend, cross, readyBend } = termOf(line, lead, eta)
    slopes -= slope * by + ready * readiness
    bends -= bend * by * by + 2 * cross * by * readiness + readyBend * readiness * readiness
    own.push({ line, lead, by })
  }
  /** ln of the likelihood at a step along the course. */
  const look = (t: number): number => {
    let value = slopes * t - (bends * t * t) / 2
    for (const { line, lead, by } of own)
      value += termOf(line, lead + t * by, drawn ? eta + t * readiness : -Infinity).value
    return value
  }
  // Rounding leaves those a trace of the wrong sign who have none.
  bends = Math.max(0, bends)
  const from = dot(weights, at)
  return profileAlong(look(0), from, scale, (value) => look(value - from))
}

/** `most`: the greatest value, at `top`; `scale`: about how far from there the contrast may be. */
function profileAlong(most: number, top: number, scale: number, of: (value: number) => number): Profile {
  return {
    within(drop) {
      const inside = (value: number): number => drop - (most - of(value))
      const step = scale * Math.sqrt(2 * drop)
      return { low: crossing(inside, top, -step), high: crossing(inside, top, step) }
    },
    rootAt: (value) => Math.sign(top - value) * Math.sqrt(Math.max(0, 2 * (most - of(value)))),
  }
}

/** Where a function that is above 0 at `start` becomes 0, `step` by step and ever longer; ±Infinity where it is not so far away. */
function crossing(of: (t: number) => number, start: number, step: number): number {
  let [a, fa] = [start, of(start)]
  if (fa <= 0) return start
  let b = a + step
  let fb = of(b)
  while (fb > 0) {
    if (!(Math.abs(b - start) < FAR)) return Math.sign(step) * Infinity
    ;[a, fa] = [b, fb]
    b = start + 2 * (b - start)
    fb = of(b)
  }
  // The false position, with the end that stays given less weight (the Illinois rule: Dowell and Jarratt 1971).
  for (let round = 0; round < 40 && Math.abs(b - a) > 1e-6; round++) {
    const c = (a * fb - b * fa) / (fb - fa)
    const fc = of(c)
    if (Math.abs(fc) < 1e-6) return c
    if (fc > 0 === fb > 0) fa /= 2
    else [a, fa] = [b, fb]
    ;[b, fb] = [c, fc]
  }
  return b
}
