import { type BlockEffects, blockEffects } from './block-effects.js'
import { fitLines, maximizeLines, parametersOf, seatAt, sizeOf, type Strength } from './davidson.js'
import { flagsOf } from './flags.js'
import type { RatedGame } from './game.js'
import { type Line, linesOf, linesOfMeetings } from './lines.js'
import { type Meetings, meetingsOf, pairsOf, weightsOf } from './meetings.js'
import { type Contrast, type Profile, contrastsOf, profilesOf, varianceAlong } from './profile.js'
import { boundsOf } from './reach.js'
import { covarianceWith, isAlike } from './spread.js'
import { ELO, centred, type Ratings } from './strengths.js'
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
 * of more than two are taken apart into pairs.
 */
export function bradleyTerry(games: readonly RatedGame[], field: number, { confidence = 0.95 } = {}): BradleyTerry {
  const model = modelOf(games, field)
  const { strength, core, covariance } = model
  const { at, drawn } = strength
  const zero = core.reduce((sum, i) => sum + (at[i] as number), 0) / core.length
  const theta = Array.from(at.subarray(0, field))
  const ends = theta.map((_, i) => intervalOf(model, i, confidence))
  return {
    rating: theta.map((one) => (one - zero) * ELO),
    low: ends.map(({ low }) => low * ELO),
    high: ends.map(({ high }) => high * ELO),
    withPrior: { low: ends.map(({ prior }) => prior.low * ELO), high: ends.map(({ prior }) => prior.high * ELO) },
    covariance: centred(covariance, at.length, field, core).map((v) => v * ELO * ELO),
    flags: flagsOf(model.meetings),
    confidence,
    above: (a, b) => probabilityAbove(model, a, b),
    core,
    nu: drawn ? Math.exp(at[field] as number) : 0,
    ...(strength.seated && { seat: seatOf(model, confidence) }),
  }
}

interface Ends {
  readonly low: number
  readonly high: number
}

/** A fit with all that intervals are made of. */
interface Model extends ReturnType<typeof boundsOf> {
  readonly strength: Strength
  readonly lines: readonly Line[]
  readonly effects: BlockEffects
  readonly meetings: Meetings
  /** Of all parameters, blocks of equal luck considered. */
  readonly covariance: Float64Array
  readonly contrasts: ReturnType<typeof contrastsOf>
  readonly profile: (contrast: Contrast) => Profile
}

function modelOf(games: readonly RatedGame[], field: number): Model {
  const { lines, seated } = linesOf(games, field)
  const strength = fitLines(lines, parametersOf(lines, field, seated))
  const effects = blockEffects(games, field)
  const meetings = meetingsOf(pairsOf(games, field), weightsOf(games))
  const covariance = covarianceWith(strength, lines, effects)
  const profile = profilesOf(strength, lines)
  const bounds = boundsOf(meetings)
  const contrasts = contrastsOf(strength, bounds.core)
  return { strength, lines, effects, meetings, covariance, contrasts, profile, ...bounds }
}

/** How far θ_i is from the mean of the core; `prior`: the ends, the prior's word taken where the games tell no bound. */
function intervalOf(model: Model, i: number, confidence: number): Ends & { readonly prior: Ends } {
  const { effects, above, below } = model
  const contrast = model.contrasts.aboveCore(i)
  const quantile = studentQuantile(confidence, effects.df(contrast.about))
  const drop = (quantile * quantile * effectOf(model, contrast)) / 2
  const prior = model.profile(contrast).within(drop)
  return { low: below[i] ? prior.low : -Infinity, high: above[i] ? prior.high : Infinity, prior }
}

/** How probable it is that a is stronger than b: the signed root of the likelihood ratio at no difference, as Student's t has it. */
function probabilityAbove(model: Model, a: number, b: number): number {
  if (a === b) return 0.5
  const contrast = model.contrasts.between(a, b)
  const root = model.profile(contrast).rootAt(0)
  return studentCdf(root / Math.sqrt(effectOf(model, contrast)), model.effects.df(contrast.about))
}

/** By how much blocks of equal luck change the variance of a contrast. */
function effectOf({ strength, covariance, effects }: Model, { weights, variance }: Contrast): number {
  if (covariance === strength.inverse || variance === 0) return 1
  return isAlike(strength) ? effects.common : varianceAlong(covariance, weights, sizeOf(strength)) / variance
}

/** By its standard error: all games bear on it, so that it is known well. */
function seatOf({ strength, effects }: Model, confidence: number): SeatAdvantage {
  const at = seatAt(strength)
  const value = (strength.at[at] as number) * ELO
  const variance = (strength.inverse[at * sizeOf(strength) + at] as number) * effects.seat
  const reach = studentQuantile(confidence, effects.df([])) * Math.sqrt(variance) * ELO
  return { value, low: value - reach, high: value + reach }
}

/** θ by entrant (and ln ν last, where there are draws) at the maximum, from a table without seats. */
export function fitBradleyTerry(meetings: Meetings, start?: Float64Array): { readonly at: Float64Array } {
  const lines = linesOfMeetings(meetings)
  return maximizeLines(lines, parametersOf(lines, meetings.field, false), { ...(start && { start }) })
}
