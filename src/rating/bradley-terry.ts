import { flagsOf } from './flags.js'
import type { RatedGame } from './game.js'
import { type Meetings, meetingsOf, pairsOf, weightsOf } from './meetings.js'
import { addPrior, type Likelihood, maximize, type Ratings, ratingsOf } from './strengths.js'
import { varianceFactor } from './equal-luck.js'

/** Ratings, and how often equals draw. */
export interface BradleyTerry extends Ratings {
  /** Davidson's ν: two equals draw ν / (2 + ν) of their games. 0 where no game was drawn. */
  readonly nu: number
}

/**
 * Bradley and Terry's strengths by maximum likelihood, with draws after Davidson (1970): i beats j, draws, or loses as
 * π_i : ν·√(π_i·π_j) : π_j, where θ = ln π. That is a log-linear model, its likelihood concave in (θ, ln ν), so Newton's
 * method finds its only maximum. The prior is one virtual draw of each entrant with an average player (`addPrior`) and, where
 * there are draws at all, one virtual game between equals, half drawn and half decided, so that ν stays finite.
 *
 * Intervals come from the inverse of the information at the maximum, times what equal luck saves or costs (`varianceFactor`);
 * repeated games weigh as one (`Game.weight`). Games of more than two are taken apart into pairs (`pairsOf`).
 */
export function bradleyTerry(games: readonly RatedGame[], field: number, { confidence = 0.95 } = {}): BradleyTerry {
  const meetings = meetingsOf(pairsOf(games, field), weightsOf(games))
  const fit = fitBradleyTerry(meetings)
  const ratings = ratingsOf(fit, flagsOf(meetings), { confidence, effect: varianceFactor(games) })
  return { ...ratings, nu: fit.at.length > field ? Math.exp(fit.at[field] as number) : 0 }
}

/** θ by entrant (and ln ν last, where there are draws) at the maximum; `start`, the fit of a similar table, saves steps. */
export function fitBradleyTerry(meetings: Meetings, start?: Float64Array): ReturnType<typeof maximize> {
  const { field, draws } = meetings
  const size = field + (draws.some((n) => n > 0) ? 1 : 0)
  return maximize(davidson(meetings, size), start?.length === size ? start : new Float64Array(size))
}

/** One who won, drew and lost so often against another. */
interface Line {
  readonly i: number
  readonly j: number
  readonly won: number
  readonly drawn: number
  readonly lost: number
}

/** The log-likelihood with its derivatives; `size` is one more than the field where ln ν is to be found too. */
function davidson({ field, wins, draws }: Meetings, size: number): Likelihood {
  const lines: Line[] = []
  for (let i = 0; i < field; i++) {
    for (let j = i + 1; j < field; j++) {
      const won = wins[i * field + j] as number
      const lost = wins[j * field + i] as number
      const drawn = draws[i * field + j] as number
      if (won + drawn + lost > 0) lines.push({ i, j, won, drawn, lost })
    }
  }
  const open = size > field
  return (at, gradient, information) => {
    gradient.fill(0)
    information.fill(0)
    const eta = open ? (at[field] as number) : -Infinity
    let value = addPrior(field, at, gradient, information)
    for (const { i, j, won, drawn, lost } of lines) {
      const n = won + drawn + lost
      const half = ((at[i] as number) - (at[j] as number)) / 2
      // The exponents are taken from their greatest: no overflow however far apart the two are.
      const top = Math.max(Math.abs(half), eta)
      const w = Math.exp(half - top)
      const d = open ? Math.exp(eta - top) : 0
      const l = Math.exp(-half - top)
      const sum = w + d + l
      value += (won - lost) * half + (drawn > 0 ? drawn * eta : 0) - n * (top + Math.log(sum))
      const p = w / sum
      const q = l / sum
      const r = d / sum
      // In θ_i − θ_j the three outcomes score ½, 0, −½: the slope is what was scored above expectation.
      const slope = (won - lost) / 2 - (n * (p - q)) / 2
      const bend = (n * (p + q - (p - q) ** 2)) / 4
      add(gradient, i, slope)
      add(gradient, j, -slope)
      add(information, i * size + i, bend)
      add(information, j * size + j, bend)
      add(information, i * size + j, -bend)
      add(information, j * size + i, -bend)
      if (open) {
        const cross = (-n * r * (p - q)) / 2
        add(gradient, field, drawn - n * r)
        add(information, field * size + field, n * r * (1 - r))
        for (const [k, c] of [
          [i, cross],
          [j, -cross],
        ] as const) {
          add(information, k * size + field, c)
          add(information, field * size + k, c)
        }
      }
    }
    if (open) {
      const r = 1 / (1 + 2 * Math.exp(-eta))
      value += (Math.log(r) + Math.log(1 - r)) / 2
      add(gradient, field, 0.5 - r)
      add(information, field * size + field, r * (1 - r))
    }
    return value
  }
}

function add(array: Float64Array, at: number, value: number): void {
  array[at] = (array[at] as number) + value
}
