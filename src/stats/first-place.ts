import { factorize, solve } from '../core/linear.js'
import { stream, type Stream } from '../core/stream.js'
import { normalDraw } from './normal.js'

/** Draws in all, and in large fields. */
const DRAWS = 4000
const FEWER = 1000
const MANY_DRAWN = 100
/** Fields beyond this are taken to have independent errors. */
const MANY = 200
/** How widely true values may be spread, in what values of such a kind are usually spread by. */
export const SPREADS = [0, 0.03, 0.07, 0.12, 0.18, 0.25, 0.35, 0.5, 0.7, 0.95, 1.3, 1.8, 2.5]
/**
 * The scale of the prior of spreads, in the same unit: fields are rather close. Over simulated fields of a single spread, with too few games
 * to show it, claims for near equals are as much too high as those for spread fields are too low.
 */
const CLOSE = 0.4
/** Spreads of which ln of the evidence is no more than this below the best are as good as told apart by nothing: 99 % of χ² with one degree. */
const PLAUSIBLE = 3.32
/** Draws of each of these. */
const EACH = 500
/** What differs by no more, whichever of these is the spread, is said as one figure. */
const NARROW = 0.1

/** A probability; or between which two it is, where it depends on what is not known. */
export type Probability = number | readonly [low: number, high: number]

/**
 * How probable it is that each entrant's true value is the greatest, values having normal errors of this covariance. The best of many was lucky as well: true values are taken to be spread normally around a common mean, how widely being unknown.
 * Each spread is believed as the values make it likely, from a half-Cauchy prior (Gelman 2006) whose scale is two fifths of what values
 * and errors are spread by; for each, true values are drawn given what was seen (Matheron's rule). So near equals are nearly as likely the first.
 * No prior is right for every field, and few entrants do not tell how widely they are spread: where that matters, it is between what the
 * spreads that are plausible say. An entrant whose values are not finite gets NaN.
 */
export function firstOf(values: readonly number[], covariance: Covariance, seed: string): readonly Probability[] {
  const known = values.flatMap((value, i) => (Number.isFinite(value) ? [i] : []))
  const first = values.map((value): Probability => (Number.isFinite(value) ? 0 : Number.NaN))
  if (known.length === 0) return first
  const own = known.map((i) => values[i] as number)
  const of = (a: number, b: number): number => {
    const i = known[a] as number
    const j = known[b] as number
    return i === j || known.length <= MANY ? covariance(i, j) : 0
  }
  const shares = sharesOf(own, of, stream('first place', seed))
  known.forEach((i, k) => (first[i] = shares[k] as Probability))
  return first
}

/** Of two entrants' errors. */
type Covariance = (a: number, b: number) => number

/** The covariances in a matrix of `field` rows, one after another. */
export const inMatrix =
  (matrix: ArrayLike<number>, field: number): Covariance =>
  (a, b) =>
    matrix[a * field + b] as number

const TRACE = 1e-6

function sharesOf(values: readonly number[], of: Covariance, luck: Stream): readonly Probability[] {
  const n = values.length
  const mean = values.reduce((sum, x) => sum + x, 0) / n
  const seen = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / Math.max(1, n - 1)
  const error = values.reduce((sum, _, i) => sum + of(i, i), 0) / n
  const unit = Math.sqrt(seen + error)
  if (unit === 0) return values.map(() => 1 / n)
  if (!(error > 1e-12 * seen)) return winners(values)
  const isTogether = n <= MANY && isRegular(of, n, error)
  const alone = Float64Array.from(values, (_, i) => of(i, i))
  return firstAmong(
    n,
    SPREADS.map((spread) =>
      isTogether ? modelOf(values, of, spread * unit, error) : independentModel(values, alone, spread * unit, error),
    ),
    luck,
  )
}

/** Whether these are covariances of some errors. What was put together of estimates need not be: then each error is taken by itself. */
function isRegular(of: Covariance, n: number, error: number): boolean {
  const matrix = Float64Array.from({ length: n * n }, (_, k) => {
    const [i, j] = [Math.floor(k / n), k % n]
    return of(i, j) + (i === j ? TRACE * error : 0)
  })
  try {
    return factorize(matrix, n).size === n
  } catch (thrown) {
    if (thrown instanceof RangeError) return false
    throw thrown
  }
}

/** The same for models of each of `SPREADS`, from which true values of `field` entrants are drawn. */
export function firstAmong(field: number, models: readonly SpreadModel[], luck: Stream): readonly Probability[] {
  const best = Math.max(...models.map(({ evidence }) => evidence))
  const beliefs = models.map(({ evidence }, k) => Math.exp(evidence - best) * weightAt(k))
  const whole = beliefs.reduce((sum, x) => sum + x, 0)
  const scale = field > MANY_DRAWN ? FEWER / DRAWS : 1
  const said = new Float64Array(field)
  const [low, high] = [new Float64Array(field).fill(1), new Float64Array(field)]
  let weight = 0
  models.forEach((model, k) => {
    const isPlausible = model.evidence >= best - PLAUSIBLE
    const belief = (beliefs[k] as number) / whole
    const times = Math.max(Math.round(belief * DRAWS * scale), isPlausible ? EACH * scale : 0)
    if (times === 0) return
    const first = firstIn(model, field, times, luck)
    weight += belief
    first.forEach((share, i) => {
      said[i] = (said[i] as number) + belief * share
      if (!isPlausible) return
      low[i] = Math.min(low[i] as number, share)
      high[i] = Math.max(high[i] as number, share)
    })
  })
  return Array.from(said, (sum, i): Probability => {
    const [from, to] = [low[i] as number, high[i] as number]
    return to - from > NARROW ? [from, to] : sum / weight
  })
}

/** How often each is the first of so many draws; equals share it. */
function firstIn(model: SpreadModel, field: number, times: number, luck: Stream): Float64Array {
  const first = new Float64Array(field)
  for (let t = 0; t < times; t++) {
    const drawn = model.draw(luck)
    let top = -Infinity
    let tops = 0
    for (let i = 0; i < field; i++) {
      const x = drawn[i] as number
      if (x > top) [top, tops] = [x, 0]
      if (x === top) tops++
    }
    for (let i = 0; i < field; i++) if (drawn[i] === top) first[i] = (first[i] as number) + 1 / tops / times
  }
  return first
}

/** Where values are known for certain, the greatest is first; equals share. */
function winners(values: readonly number[]): readonly number[] {
  const top = Math.max(...values)
  const tops = values.filter((x) => x === top).length
  return values.map((x) => (x === top ? 1 / tops : 0))
}

/** The prior's weight of one of the spreads: the width of its range, times the density there. */
function weightAt(k: number): number {
  const at = (i: number): number => SPREADS[Math.max(0, Math.min(SPREADS.length - 1, i))] as number
  return (at(k + 1) - at(k - 1)) / 2 / (1 + (at(k) / CLOSE) ** 2)
}

/** A field whose true values are spread by so much. */
export interface SpreadModel {
  /** ln of how likely the values are. */
  readonly evidence: number
  /** True values, given what was seen; up to a constant. */
  draw(luck: Stream): Float64Array
}

/** The same as `modelOf` where each error is taken by itself: linear in the field. */
function independentModel(
  values: readonly number[],
  variance: Float64Array,
  spread: number,
  error: number,
): SpreadModel {
  const n = values.length
  const trace = TRACE * error
  const whole = variance.map((own) => own + spread * spread + trace)
  const weight = whole.reduce((sum, all) => sum + 1 / all, 0)
  const centre = values.reduce((sum, x, i) => sum + x / (whole[i] as number), 0) / weight
  let evidence = -Math.log(weight) / 2
  values.forEach((x, i) => {
    const all = whole[i] as number
    evidence -= (Math.log(all) + (x - centre) ** 2 / all) / 2
  })
  if (spread === 0) return { evidence, draw: () => new Float64Array(n) }
  return {
    evidence,
    draw(luck) {
      const truth = Float64Array.from({ length: n }, () => centre + spread * normalDraw(luck))
      const chance = Float64Array.from({ length: n }, () => normalDraw(luck))
      return truth.map((x, i) => {
        const apart = (values[i] as number) - x - Math.sqrt((variance[i] as number) + trace) * (chance[i] as number)
        return x + (spread * spread * apart) / (whole[i] as number)
      })
    },
  }
}

/** The field with this spread of true values. `error`: the errors' mean variance. */
function modelOf(values: readonly number[], of: Covariance, spread: number, error: number): SpreadModel {
  const n = values.length
  const matrix = (more: number): Float64Array => {
    const all = new Float64Array(n * n)
    for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) all[i * n + j] = of(i, j) + (i === j ? more : 0)
    return all
  }
  // Errors of means in a closed field sum to 0: a trace of an own one makes their matrix regular.
  const trace = TRACE * error
  const whole = factorize(matrix(spread * spread + trace), n)
  const ones = solve(whole, new Float64Array(n).fill(1))
  const weight = ones.reduce((sum, x) => sum + x, 0)
  const centre = values.reduce((sum, x, i) => sum + x * (ones[i] as number), 0) / weight
  const off = Float64Array.from(values, (x) => x - centre)
  const solved = solve(whole, off)
  let evidence = -Math.log(weight) / 2
  for (let i = 0; i < n; i++)
    evidence -= Math.log(whole.lower[i * n + i] as number) + ((off[i] as number) * (solved[i] as number)) / 2
  if (spread === 0) return { evidence, draw: () => new Float64Array(n) }
  const errors = factorize(matrix(trace), n)
  return {
    evidence,
    draw(luck) {
      const truth = Float64Array.from({ length: n }, () => centre + spread * normalDraw(luck))
      const chance = Float64Array.from({ length: n }, () => normalDraw(luck))
      const apart = truth.map((x, i) => {
        let sum = (values[i] as number) - x
        for (let j = 0; j <= i; j++) sum -= (errors.lower[i * n + j] as number) * (chance[j] as number)
        return sum
      })
      const back = solve(whole, apart)
      return truth.map((x, i) => x + spread * spread * (back[i] as number))
    },
  }
}
