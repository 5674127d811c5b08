import { type BlockEffects, blockEffects } from './block-effects.js'
import { maximizeLines } from './davidson.js'
import { type FittedField, fitField } from './fitted-field.js'
import type { RatedGame } from './game.js'
import { fitLargeField } from './large-field.js'
import { linesOf, linesOfMeetings } from './lines.js'
import type { Meetings } from './meetings.js'
import { parametersOf, seatAt, WHOLE } from './terms.js'
import { type StrengthBounds, boundsOf, flagsOf, scoredOf } from './reach.js'
import { ELO, type Flag, type Ratings } from './strengths.js'
import { studentCdf, studentQuantile } from './student.js'

/** What the first seat is worth, in Elo, with its interval. */
export interface SeatAdvantage {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Ratings, how often equals draw, and what the first seat is worth. */
export interface BradleyTerry extends Ratings {
  /** Davidson's ν: two equals draw ν / (2 + ν) of their games. 0 where no game was drawn. */
  readonly nu: number
  /** Absent where most pairs met in one order of seats only, so that it cannot be separated from strength. */
  readonly seat?: SeatAdvantage
  /** The entrants whose average is 0: all, or where games do not bound all differences, the largest group in which they do. */
  readonly core: readonly number[]
}

/**
 * Bradley and Terry's strengths by maximum likelihood, with draws after Davidson (1970) and the advantage of the first seat after
 * Davidson and Beaver (1977): i, sitting first, beats j, draws, or loses as π_i·γ : ν·√(π_i·γ·π_j) : π_j, where θ = ln π. That is a
 * log-linear model, its likelihood concave in (θ, ln ν, ln γ), so Newton's method finds its only maximum. The prior is one virtual draw
 * of each entrant with an average player (`addPrior`), one such game for the seat, and, where there are draws at all, one virtual game
 * between equals, half drawn and half decided, so that ν stays finite.
 *
 * Intervals are those of the profile likelihood, prior included (`profilesOf`; such a prior takes the bias off: Heinze and Schemper 2002), with the variance that blocks of equal luck have
 * (`blockEffects`). An end that the games do not bound is infinite (`boundsOf`). Repeated games weigh as one (`Game.weight`). Games
 * of more than two are taken apart into pairs. Fields of more than `whole` entrants: `fitLargeField`.
 */
export function bradleyTerry(
  games: readonly RatedGame[],
  field: number,
  { confidence = 0.95, whole = WHOLE } = {},
): BradleyTerry {
  const model = modelOf(games, field, whole)
  const { core, flags } = model
  const { at, parameters, covariance } = model.fitted
  const zero = core.reduce((sum, i) => sum + (at[i] as number), 0) / core.length
  const theta = Array.from(at.subarray(0, field))
  const ends = theta.map((_, i) => intervalOf(model, i, confidence))
  return {
    rating: theta.map((one) => (one - zero) * ELO),
    low: ends.map(({ low }) => low * ELO),
    high: ends.map(({ high }) => high * ELO),
    withPrior: { low: ends.map(({ prior }) => prior.low * ELO), high: ends.map(({ prior }) => prior.high * ELO) },
    covariance: (a, b) => covariance(a, b) * ELO * ELO,
    flags,
    confidence,
    above: (a, b) => probabilityAbove(model, a, b),
    core,
    nu: parameters.drawn ? Math.exp(at[field] as number) : 0,
    seat: parameters.seated ? seatOf(model, confidence) : undefined,
  }
}

interface Ends {
  readonly low: number
  readonly high: number
}

/** A fit with what games bound, and what blocks of equal luck do. */
interface Model extends StrengthBounds {
  readonly fitted: FittedField
  readonly effects: BlockEffects
  readonly flags: readonly (readonly Flag[])[]
}

function modelOf(games: readonly RatedGame[], field: number, whole: number): Model {
  const { lines, seated } = linesOf(games, field)
  const effects = blockEffects(games, field)
  const scored = scoredOf(lines, field)
  const bounds = boundsOf(scored)
  const fit = field > whole ? fitLargeField : fitField
  return {
    fitted: fit({ lines, seated, field, core: bounds.core, effects }),
    effects,
    flags: flagsOf(scored),
    ...bounds,
  }
}

/** How far θ_i is from the mean of the core; `prior`: the ends, the prior's word taken where the games tell no bound. */
function intervalOf(model: Model, i: number, confidence: number): Ends & { readonly prior: Ends } {
  const { effects, above, below, fitted } = model
  const contrast = fitted.aboveCore(i)
  const quantile = studentQuantile(confidence, effects.df(contrast.about))
  const drop = (quantile * quantile * fitted.effectOf(contrast)) / 2
  const prior = fitted.profile(contrast).within(drop)
  return { low: below[i] ? prior.low : -Infinity, high: above[i] ? prior.high : Infinity, prior }
}

/** How probable it is that a is stronger than b: the signed root of the likelihood ratio at no difference, as Student's t has it. */
function probabilityAbove({ fitted, effects }: Model, a: number, b: number): number {
  if (a === b) return 0.5
  const contrast = fitted.between(a, b)
  const root = fitted.profile(contrast).rootAt(0)
  return studentCdf(root / Math.sqrt(fitted.effectOf(contrast)), effects.df(contrast.about))
}

/** By its standard error: all games bear on it, so that it is known well. */
function seatOf({ fitted, effects }: Model, confidence: number): SeatAdvantage {
  const value = (fitted.at[seatAt(fitted.parameters)] as number) * ELO
  const reach = studentQuantile(confidence, effects.df([])) * Math.sqrt(fitted.seatVariance * effects.seat) * ELO
  return { value, low: value - reach, high: value + reach }
}

/** θ by entrant (and ln ν last, where there are draws) at the maximum, from a table without seats. */
export function fitBradleyTerry(meetings: Meetings, start?: Float64Array): { readonly at: Float64Array } {
  const lines = linesOfMeetings(meetings)
  return maximizeLines(lines, parametersOf(lines, meetings.field, false), { start })
}
