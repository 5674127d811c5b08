import { type Belief, type Probability, atShare, contendersApart, firstPlaces, priorWeight } from './first-place.js'
import { BlockSums } from './equal-luck.js'
import { type Flag, flagsOf } from './flags.js'
import { type RatedGame, hasBlocks } from './game.js'
import { type Factor, inverse, solve } from './linear.js'
import { type Likelihood, maximize } from './maximum.js'
import { bisect, normalCdf, normalDraw } from './normal.js'
import { rankIntervals } from './ranks.js'
import type { Stream } from './stream.js'

/** Elo points for a unit of the natural logarithm of strength: 400 / ln 10. */
export const ELO = 400 / Math.LN10

/** A law of results by a strength for each entrant, in logarithms of odds, and more. */
export interface StrengthModel {
  readonly field: number
  /** How many parameters: the strengths, then the others. */
  readonly size: number
  readonly likelihood: Likelihood
  /** By other parameter: how far from 0 it usually is. */
  readonly spreads: readonly number[]
  /** By seat of a game: how much it exceeded its expectation. */
  residuals(game: RatedGame, at: ArrayLike<number>): readonly number[]
}

/** Possible spreads of strengths: logarithms of odds (one is 174 Elo). 0 is a field of equals. */
const SPREADS = [0.01, 0.03, 0.07, 0.12, 0.18, 0.25, 0.35, 0.5, 0.7, 0.95, 1.3, 1.8, 2.5, 3.5, 5]
/** The scale of the spreads' prior, a half-Cauchy law (Gelman 2006): up to here all are about as likely. */
const FAR = 3
/** Spreads with evidence so much worse, in logarithms, count for nothing; in a large field all but the best. */
const NOTHING = 9
const LARGE = 300

interface Fit {
  readonly at: Float64Array
  readonly factor: Factor
  /** ln of how likely the results are with it. */
  readonly evidence: number
}

/** The field with that spread: strengths relative to the average. */
interface Spread extends Belief {
  readonly fit: Fit
}

/**
 * Strengths after the results, spread normally before: each spread of a grid is as likely as it makes the results
 * (Laplace's approximation), even where results decided who met whom.
 */
function spreadsOf(model: StrengthModel, effect: number): readonly Spread[] {
  let start = new Float64Array(model.size)
  const fitted = new Map<number, Fit & { readonly belief: number }>()
  const fit = (k: number) => {
    const known = fitted.get(k)
    if (known) return known
    const fresh = fitWith(model, SPREADS[k] as number, effect, start)
    start = Float64Array.from(fresh.at)
    const whole = { ...fresh, belief: fresh.evidence + Math.log(priorWeight(SPREADS, k, FAR)) }
    fitted.set(k, whole)
    return whole
  }
  // From the middle outwards, as far as worth looking: belief has one top.
  let best = SPREADS.indexOf(0.7)
  for (const step of [1, -1])
    while (SPREADS[best + step] !== undefined && fit(best + step).belief > fit(best).belief) best += step
  for (const step of model.field > LARGE ? [] : [1, -1])
    for (let k = best; SPREADS[k] !== undefined && fit(k).belief > fit(best).belief - NOTHING;) k += step
  const least = fit(best).belief - (model.field > LARGE ? 0 : NOTHING)
  const all = [...fitted.values()].filter(({ belief }) => belief >= least)
  const sum = all.reduce((total, { belief }) => total + Math.exp(belief - fit(best).belief), 0)
  return all.map((one) => ({
    share: Math.exp(one.belief - fit(best).belief) / sum,
    evidence: one.evidence,
    ...relative(one, model),
    fit: one,
  }))
}

/** Strengths with their errors' covariance, relative to the field's average. */
const relative = ({ at, factor }: Fit, { field, size }: StrengthModel) => ({
  mean: centredMean(at, field),
  covariance: centred(inverse(factor), size, field),
})

function fitWith(
  { likelihood, field, size, spreads }: StrengthModel,
  width: number,
  effect: number,
  start: Float64Array,
): Fit {
  const spread = (k: number): number => (k < field ? width : (spreads[k - field] as number))
  const whole: Likelihood = (at, gradient, information) => {
    gradient.fill(0)
    information.fill(0)
    let value = likelihood(at, gradient, information) / effect
    for (let k = 0; k < information.length; k++) information[k] = (information[k] as number) / effect
    for (let k = 0; k < size; k++) {
      const off = (at[k] as number) / spread(k)
      value -= (off * off) / 2
      gradient[k] = (gradient[k] as number) / effect - off / spread(k)
      information[k * size + k] = (information[k * size + k] as number) + 1 / spread(k) ** 2
    }
    return value
  }
  const { at, value, factor } = maximize(whole, start)
  let evidence = value - field * Math.log(width)
  for (let k = 0; k < size; k++) evidence -= Math.log(factor.lower[k * size + k] as number)
  return { at, factor, evidence }
}

/** Extra independent blocks: no number of equal blocks makes a variance 0. */
const PRIOR_BLOCKS = 20

/**
 * What equal luck in every order of seats does to the variance: Σ over blocks of (Σ r)² over Σ r², r being a result
 * above what strength leads one to expect (Kish's design effect).
 */
function blockEffect(games: readonly RatedGame[], model: StrengthModel): number {
  if (!hasBlocks(games)) return 1
  const { at, factor } = fitWith(model, 1, 1, new Float64Array(model.size))
  const sums = new BlockSums()
  for (const game of games) sums.add(game, model.residuals(game, at))
  const { together, alone, blocks: count, games: played } = sums.sums()
  if (alone === 0) return 1
  // Fitted strengths follow the results, so sums of residuals are too small.
  const whole = inverse(factor)
  let free = model.field
  for (let i = 0; i < model.field; i++) free -= whole[i * model.size + i] as number
  const taken = (1 - Math.min(0.7, free / played)) / (1 - Math.min(0.7, free / count))
  const effect = (taken * together) / alone
  return effect > 1 ? effect : (effect * count + PRIOR_BLOCKS) / (count + PRIOR_BLOCKS)
}

function centredMean(at: Float64Array, field: number): Float64Array {
  const own = at.subarray(0, field)
  const mean = own.reduce((sum, x) => sum + x, 0) / field
  return own.map((x) => x - mean)
}

/** The first `field` parameters' covariance relative to their mean. */
function centred(whole: Float64Array, size: number, field: number): Float64Array {
  const rows = Float64Array.from(
    { length: field },
    (_, i) => whole.subarray(i * size, i * size + field).reduce((sum, x) => sum + x, 0) / field,
  )
  const all = rows.reduce((sum, x) => sum + x, 0) / field
  const out = new Float64Array(field * field)
  for (let i = 0; i < field; i++)
    for (let j = 0; j < field; j++)
      out[i * field + j] = (whole[i * size + j] as number) - (rows[i] as number) - (rows[j] as number) + all
  return out
}

/** The first seat's worth, in Elo, with its interval. */
export interface SeatAdvantage {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Strengths in Elo, 0 being the field's average: 400 more is ten times the odds of winning. */
export interface Ratings {
  readonly rating: readonly number[]
  /** The ends of the interval, by entrant. */
  readonly low: readonly number[]
  readonly high: readonly number[]
  readonly flags: readonly (readonly Flag[])[]
  /** Of the intervals, of each by itself. */
  readonly confidence: number
  /** Those that have a game. */
  readonly core: readonly number[]
  /** The worth of sitting first, in games of two of which either seat won some. */
  readonly seat?: SeatAdvantage
  /** Of the ratings of two, in Elo². */
  readonly covariance: (a: number, b: number) => number
  /** How probable it is that a is stronger than b. */
  above(a: number, b: number): number
  /** How probable it is that each is the strongest. */
  first(): readonly Probability[]
  /** By entrant: its best and worst rank by strength, at 95 %. */
  ranks(): readonly (readonly [best: number, worst: number])[]
  /** The model's mean parameters: strengths in logarithms of odds, then the others. */
  readonly parameters: Float64Array
  /** The same by spread of strengths; draws are from these. */
  readonly spreads: readonly (Pick<Belief, 'share' | 'evidence'> & { readonly draw: (luck: Stream) => Float64Array })[]
  /** Draws them with the possible strongest as a field of their own; undefined if all may be. */
  apart(): ((luck: Stream) => Float64Array) | undefined
}

/** The widest spread: next to nothing is assumed. */
const WIDEST = 5
/** How far intervals believe that: who is far ahead is not pulled back as if strengths were normal. */
const OPEN = 0.1
/** What an interval may miss of its promise if results decided who met whom: the leader was also the luckiest. */
const CAUTION = 0.4

export interface RatingOptions {
  /** Of each interval by itself. */
  readonly confidence?: number
  readonly adaptive?: boolean
}

/** Strengths by a model of these games, with intervals. `seat`: which parameter of it the first seat is worth. */
export function ratingsBy(
  model: StrengthModel & { readonly seat?: number },
  games: readonly RatedGame[],
  { confidence = 0.95, adaptive = false }: RatingOptions = {},
): Ratings {
  const { field, size, seat = -1 } = model
  const effect = blockEffect(games, model)
  const spreads = spreadsOf(model, effect)
  const flat = once(() => ({
    share: 1,
    ...relative(fitWith(model, WIDEST, effect, (spreads[0] as Spread).fit.at), model),
  }))
  const estimated = () => {
    const { mean, covariance } = flat()
    return { values: Array.from(mean), covariance: inMatrix(covariance, field) }
  }
  const drawn = spreads.map(({ share, evidence, fit }) => ({ share, evidence, draw: drawingBy(fit) }))
  const tail = ((1 - confidence) * (adaptive ? CAUTION : 1)) / 2
  const ends = (parts: readonly Part[]) => ({ low: quantile(parts, tail), high: quantile(parts, 1 - tail) })
  const strengthOf = (over: readonly Shared[], i: number): readonly Part[] =>
    mixtureOf(over, ({ mean, covariance }) => [mean[i] as number, covariance[i * field + i] as number])
  const strengths = Array.from({ length: field }, (_, i) => strengthOf(spreads, i))
  const intervals = strengths.map((parts, i) => ends(field > LARGE ? parts : opened(parts, strengthOf([flat()], i))))
  const rating = strengths.map(meanOf)
  const unit = new Float64Array(size).fill(1, seat, seat + 1)
  const seats = mixtureOf(seat < 0 ? [] : spreads, ({ fit }) => [
    fit.at[seat] as number,
    solve(fit.factor, unit)[seat] as number,
  ])
  return {
    rating,
    parameters: Float64Array.from({ length: size }, (_, k) =>
      spreads.reduce((sum, { share, fit }) => sum + share * (fit.at[k] as number), 0),
    ),
    low: intervals.map(({ low }) => low),
    high: intervals.map(({ high }) => high),
    flags: flagsOf(games, field),
    confidence,
    core: [...new Set(games.flatMap(({ entrants }) => entrants))].sort((a, b) => a - b),
    seat: seat < 0 ? undefined : { value: meanOf(seats), ...ends(seats) },
    covariance: (a, b) =>
      spreads.reduce((sum, { share, mean, covariance }) => {
        const off = (i: number): number => (mean[i] as number) * ELO - (rating[i] as number)
        return sum + share * ((covariance[a * field + b] as number) * ELO * ELO + off(a) * off(b))
      }, 0),
    above(a, b) {
      if (a === b) return 0.5
      const differences = mixtureOf(spreads, ({ mean, covariance }) => {
        const of = inMatrix(covariance, field)
        return [(mean[a] as number) - (mean[b] as number), of(a, a) + of(b, b) - 2 * of(a, b)]
      })
      return 1 - below(differences, 0)
    },
    first: () => firstPlaces(estimated(), () => spreads),
    ranks: () => rankIntervals(spreads, rating),
    spreads: drawn,
    apart() {
      const contenders = contendersApart(estimated())
      return (
        contenders &&
        ((luck) => {
          const parameters = atShare(drawn, luck.uniform()).draw(luck)
          const middle = parameters.subarray(0, field).reduce((sum, x) => sum + x, 0) / field
          for (const { entrant, value } of contenders(luck)) parameters[entrant] = middle + value
          return parameters
        })
      )
    },
  }
}

function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined
  return () => (known ??= { value: compute() }).value
}

const inMatrix =
  (matrix: ArrayLike<number>, field: number) =>
  (a: number, b: number): number =>
    matrix[a * field + b] as number

type Shared = Pick<Belief, 'share' | 'mean' | 'covariance'>

/** A number in Elo over all spreads, `of` giving its value and variance in each. */
const mixtureOf = <S extends { readonly share: number }>(
  spreads: readonly S[],
  of: (spread: S) => readonly [mean: number, variance: number],
): readonly Part[] =>
  spreads.map((spread) => {
    const [mean, variance] = of(spread)
    return { share: spread.share, mean: mean * ELO, deviation: Math.sqrt(Math.max(1e-12, variance)) * ELO }
  })

/** The same, as if a share of it assumed next to nothing of spreads. */
const opened = (parts: readonly Part[], open: readonly Part[]): readonly Part[] => [
  ...parts.map((part) => ({ ...part, share: part.share * (1 - OPEN) })),
  ...open.map((part) => ({ ...part, share: OPEN })),
]

/** Draws parameters about a fit's, by their errors: x = at + L⁻ᵀ·z has the covariance (L·Lᵀ)⁻¹. */
function drawingBy({ at, factor: { size, lower } }: Fit): (luck: Stream) => Float64Array {
  return (luck) => {
    const x = Float64Array.from({ length: size }, () => normalDraw(luck))
    for (let i = size - 1; i >= 0; i--) {
      x[i] = (x[i] as number) / (lower[i * size + i] as number)
      for (let k = 0; k < i; k++) x[k] = (x[k] as number) - (lower[i * size + k] as number) * (x[i] as number)
    }
    return x.map((off, i) => (at[i] as number) + off)
  }
}

interface Part {
  readonly share: number
  readonly mean: number
  readonly deviation: number
}

const meanOf = (parts: readonly Part[]): number => parts.reduce((sum, { share, mean }) => sum + share * mean, 0)

const below = (parts: readonly Part[], x: number): number =>
  parts.reduce((sum, { share, mean, deviation }) => sum + share * normalCdf((x - mean) / deviation), 0)

function quantile(parts: readonly Part[], share: number): number {
  const least = Math.min(...parts.map(({ mean, deviation }) => mean - 10 * deviation))
  const most = Math.max(...parts.map(({ mean, deviation }) => mean + 10 * deviation))
  return bisect(least, most, 40, (x) => below(parts, x) < share)
}

/** Two are separable where one is stronger with this probability: their difference's 95 % interval excludes zero. */
export const SEPARABLE = 0.975

/** How probable it is that `a` is stronger than `b`. */
export const superiority = (ratings: Pick<Ratings, 'above'>, a: number, b: number): number => ratings.above(a, b)
