import { factorize, solve } from './linear.js'
import { normalDraw } from './normal.js'
import { type Stream, stream } from './stream.js'

/** A probability; or between which two, where it depends on what is unknown. */
export type Probability = number | readonly [low: number, high: number]

/** Possible true values with that spread: normal, by entrant, by rows. */
export interface Belief {
  /** How probable this spread is; all sum to 1. */
  readonly share: number
  /** ln of how likely the results are with it. */
  readonly evidence: number
  readonly mean: ArrayLike<number>
  /** By rows; in a large field the variances alone: its errors count as independent. */
  readonly covariance: ArrayLike<number>
}

/** Draws in all; fewer in large fields: each takes the square of the field. */
const DRAWS = 20_000
const COST = 3e8
/** Spreads with ln of the evidence no more than this below the best stay plausible: 95 % of χ² with one degree. */
const PLAUSIBLE = 1.92
/** The least share of the draws for each of these. */
const LEAST = 0.1
/** What differs by no more, over all spreads, is given as one figure. */
const NARROW = 0.1
/** Who trails the leader by more standard errors is no contender. */
const BEHIND = 3
/** Larger fields are looked at by their contenders alone. */
const MANY = 200

/** Estimates with normal errors: by entrant, and by rows. */
export interface Estimates {
  readonly values: readonly number[]
  readonly covariance: (a: number, b: number) => number
}

/**
 * How probable it is that each entrant's true value is the greatest. The best of many was also lucky, so true values
 * are taken as spread normally, how widely being unknown (`beliefs`). As no such law is right for every field, each
 * spread that results do not refute is asked too, and the contenders alone, who may be a group apart. If these differ,
 * the answer is between which two. NaN for a value that is not finite.
 */
export function firstPlaces(
  estimates: Estimates,
  beliefs: () => readonly Belief[] = () => beliefsOf(estimates),
): readonly Probability[] {
  const { values } = estimates
  const known = values.flatMap((value, i) => (Number.isFinite(value) ? [i] : []))
  const first = values.map((value): Probability => (Number.isFinite(value) ? 0 : Number.NaN))
  if (known.length === 0) return first
  // In the values' order: draws do not depend on places in a file.
  known.sort((a, b) => (values[b] as number) - (values[a] as number))
  const contenders = contendersOf(estimates, known)
  const isLarge = known.length > MANY
  const alone = isLarge || contenders.length < known.length ? said(beliefsOf(among(estimates, contenders))) : undefined
  if (isLarge) {
    contenders.forEach((i, k) => (first[i] = alone?.range[k] ?? 0))
    return first
  }
  const all = said(beliefs().map((belief) => picked(belief, known, values.length)))
  known.forEach((i, k) => {
    const middle = all.average[k] as number
    const apart = alone?.average[contenders.indexOf(i)] ?? (alone ? 0 : middle)
    const [low, high] = all.plausible[k] as readonly [number, number]
    first[i] = rangeOf(middle, Math.min(low, apart), Math.max(high, apart))
  })
  return first
}

/** Of entrants, best first: those that may be the best. */
function contendersOf({ values, covariance }: Estimates, entrants: readonly number[]): readonly number[] {
  const [leader = 0] = entrants
  return entrants.filter((i) => {
    const variance = covariance(i, i) + covariance(leader, leader) - 2 * covariance(i, leader)
    const behind = (values[leader] as number) - (values[i] as number)
    return i === leader || behind <= BEHIND * Math.sqrt(Math.max(0, variance))
  })
}

/** Draws the values of the possible best as of a field of their own; undefined if all may be. Of finite values. */
export function contendersApart(
  estimates: Estimates,
): ((luck: Stream) => readonly { readonly entrant: number; readonly value: number }[]) | undefined {
  const order = estimates.values
    .map((_, i) => i)
    .sort((a, b) => (estimates.values[b] as number) - (estimates.values[a] as number))
  const contenders = contendersOf(estimates, order)
  if (contenders.length === order.length) return undefined
  const beliefs = beliefsOf(among(estimates, contenders)).map((belief) => ({ ...belief, draw: drawing(belief) }))
  return (luck) => {
    const values = atShare(beliefs, luck.uniform()).draw(luck)
    return contenders.map((entrant, k) => ({ entrant, value: values[k] as number }))
  }
}

/** The one in whose share a number between 0 and 1 falls. */
export function atShare<T extends { readonly share: number }>(parts: readonly T[], at: number): T {
  let left = at
  return parts.find(({ share }) => (left -= share) < 0) ?? (parts.at(-1) as T)
}

/** How often a belief is drawn of so many times, and whether results do not refute it. */
export function drawnOf({ share, evidence }: Pick<Belief, 'share' | 'evidence'>, best: number, times: number) {
  const isPlausible = evidence >= best - PLAUSIBLE
  return { isPlausible, times: Math.round(times * (isPlausible ? Math.max(LEAST, share) : share)) }
}

export const rangeOf = (middle: number, low: number, high: number): Probability =>
  high - low > NARROW ? [low, high] : middle

/** The estimates of some of the entrants, in this order. */
export function among({ values, covariance }: Estimates, entrants: readonly number[]): Estimates {
  return {
    values: entrants.map((i) => values[i] as number),
    covariance: (a, b) => covariance(entrants[a] as number, entrants[b] as number),
  }
}

export function picked(
  { share, evidence, mean, covariance }: Belief,
  entrants: readonly number[],
  field: number,
): Belief {
  const n = entrants.length
  return {
    share,
    evidence,
    mean: entrants.map((i) => mean[i] as number),
    covariance:
      covariance.length === field
        ? Float64Array.from(entrants, (i) => covariance[i] as number)
        : Float64Array.from({ length: n * n }, (_, k) => {
            const [i, j] = [entrants[Math.floor(k / n)] as number, entrants[k % n] as number]
            return covariance[i * field + j] as number
          }),
  }
}

/** These beliefs together, and each plausible one alone. */
function said(beliefs: readonly Belief[]) {
  const [{ mean }] = beliefs as [Belief]
  const field = mean.length
  const best = Math.max(...beliefs.map(({ evidence }) => evidence))
  const draws = Math.min(DRAWS, Math.max(500, Math.floor(COST / field ** 2)))
  const average = new Float64Array(field)
  const plausible = Array.from({ length: field }, (): [number, number] => [1, 0])
  for (const belief of beliefs) {
    const { isPlausible, times } = drawnOf(belief, best, draws)
    if (times === 0) continue
    const shares = firstIn(belief, times, stream('first place'))
    shares.forEach((share, i) => {
      average[i] = (average[i] as number) + belief.share * share
      const range = plausible[i] as [number, number]
      if (isPlausible) plausible[i] = [Math.min(range[0], share), Math.max(range[1], share)]
    })
  }
  return {
    average,
    plausible,
    range: plausible.map(([low, high], i) => rangeOf(average[i] as number, low, high)),
  }
}

/** Equals share the first place. */
function firstIn(belief: Belief, times: number, luck: Stream): Float64Array {
  const field = belief.mean.length
  const first = new Float64Array(field)
  const draw = drawing(belief)
  for (let t = 0; t < times; t++) {
    const drawn = draw(luck)
    let top = -Infinity
    let tops = 0
    for (let i = 0; i < field; i++) {
      const x = drawn[i] as number
      if (x > top) [top, tops] = [x, 0]
      if (x === top) tops++
    }
    for (let i = 0; i < field; i++) if (drawn[i] === top) first[i] = (first[i] as number) + 1 / tops
  }
  return first.map((sum) => sum / times)
}

/** A trace of variance that makes covariances of known sum regular. */
const TRACE = 1e-9

/** Draws true values from a belief. */
export function drawing({ mean, covariance }: Belief): (luck: Stream) => Float64Array {
  const n = mean.length
  if (covariance.length === n)
    return (luck) =>
      Float64Array.from(mean, (value, i) => value + Math.sqrt(covariance[i] as number) * normalDraw(luck))
  const matrix = Float64Array.from(covariance)
  let most = 0
  for (let i = 0; i < n; i++) most = Math.max(most, matrix[i * n + i] as number)
  if (most === 0) return () => Float64Array.from(mean)
  for (let i = 0; i < n; i++) matrix[i * n + i] = (matrix[i * n + i] as number) + TRACE * most
  const { lower } = factorize(matrix, n)
  const chance = new Float64Array(n)
  return (luck) => {
    const drawn = Float64Array.from(mean)
    for (let i = 0; i < n; i++) {
      chance[i] = normalDraw(luck)
      let x = drawn[i] as number
      for (let k = 0; k <= i; k++) x += (lower[i * n + k] as number) * (chance[k] as number)
      drawn[i] = x
    }
    return drawn
  }
}

/** How widely true values may be spread, in the joint spread of values and errors. */
const SPREADS = [0, 0.03, 0.07, 0.12, 0.18, 0.25, 0.35, 0.5, 0.7, 0.95, 1.3, 1.8, 2.5]
/** The scale of the prior of spreads, in the same unit. */
const CLOSE = 0.4

/** Possible true values, by spread: each as likely as it makes them, from a half-Cauchy prior (Gelman 2006). */
export function beliefsOf({ values, covariance: of }: Estimates): readonly Belief[] {
  const n = values.length
  const mean = values.reduce((sum, x) => sum + x, 0) / n
  const seen = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / Math.max(1, n - 1)
  const error = values.reduce((sum, _, i) => sum + of(i, i), 0) / n
  // What is certain stays; in a large field each spread would take its cube in time.
  if (!(error > 1e-12 * seen) || n > MANY)
    return [{ share: 1, evidence: 0, mean: values, covariance: Float64Array.from(values, (_, i) => of(i, i)) }]
  const unit = Math.sqrt(seen + error)
  const all = SPREADS.map((spread, k) => ({
    ...beliefWith({ values, covariance: of }, spread * unit, error),
    weight: priorWeight(SPREADS, k, CLOSE),
  }))
  const best = Math.max(...all.map(({ evidence }) => evidence))
  const whole = all.reduce((sum, { evidence, weight }) => sum + Math.exp(evidence - best) * weight, 0)
  return all.map(({ weight, ...belief }) => ({ ...belief, share: (Math.exp(belief.evidence - best) * weight) / whole }))
}

/**
 * The weight of one of some ascending spreads by a half-Cauchy prior of that scale: its range's width times the
 * density.
 */
export function priorWeight(spreads: readonly number[], k: number, scale: number): number {
  const at = (i: number): number => spreads[Math.min(spreads.length - 1, i)] ?? 0
  return (at(k + 1) - at(k - 1)) / 2 / (1 + (at(k) / scale) ** 2)
}

/** The field with this spread. `error`: the errors' mean variance. */
function beliefWith({ values, covariance: of }: Estimates, spread: number, error: number): Omit<Belief, 'share'> {
  const n = values.length
  const square = spread * spread
  const matrix = new Float64Array(n * n)
  // Errors of means in a closed field sum to 0: a trace of their own makes the matrix regular.
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) matrix[i * n + j] = of(i, j) + (i === j ? square + 1e-6 * error : 0)
  const whole = factorize(matrix, n)
  const ones = solve(whole, new Float64Array(n).fill(1))
  const weight = ones.reduce((sum, x) => sum + x, 0)
  const centre = values.reduce((sum, x, i) => sum + x * (ones[i] as number), 0) / weight
  const off = Float64Array.from(values, (x) => x - centre)
  const solved = solve(whole, off)
  let evidence = -Math.log(weight) / 2
  for (let i = 0; i < n; i++)
    evidence -= Math.log(whole.lower[i * n + i] as number) + ((off[i] as number) * (solved[i] as number)) / 2
  const covariance = new Float64Array(n * n)
  for (let j = 0; j < n && spread > 0; j++) {
    const unit = new Float64Array(n)
    unit[j] = 1
    const column = solve(whole, unit)
    for (let i = 0; i < n; i++) covariance[i * n + j] = (i === j ? square : 0) - square * square * (column[i] as number)
  }
  return { evidence, mean: solved.map((x) => centre + square * x), covariance }
}
