import { bradleyTerry } from './bradley-terry.js'
import type { RatedGame } from './game.js'
import { linesOf } from './lines.js'
import { checkGame, weightsOf } from './meetings.js'
import { boundsOf, flagsOf, scoredOf } from './reach.js'
import { addPrior } from './priors.js'
import { type Likelihood, maximize, type Ratings, ratingsOf } from './strengths.js'
import { varianceFactor } from './equal-luck.js'
import { WHOLE } from './terms.js'

/** What a model of strengths is called. */
export type StrengthModel = 'Bradley–Terry' | 'Plackett–Luce'

/** The model that games of a field are fitted with; `pairs`: all of them are of two. */
export const strengthModel = (pairs: boolean, field: number): StrengthModel =>
  pairs || field > WHOLE ? 'Bradley–Terry' : 'Plackett–Luce'

/**
 * Plackett and Luce's strengths by maximum likelihood, for games of any number of players: the first place falls to i with
 * probability π_i / Σ π, the next to one of the others by the same rule, and so on; θ = ln π. With two players and no draws
 * that is Bradley and Terry. The likelihood is concave in θ; prior and weights are those of `bradleyTerry`, intervals those of the
 * information at the maximum, infinite where the games bound it on no side.
 *
 * Ties: entrants that share the last place, behind another, were not ranked among themselves, and nothing is taken from that. Any other tied
 * group stands for the mean of the log-likelihoods of its orders: all of them for up to three, for more each rotation of the
 * group forwards and backwards. A draw of two so is half a win and half a loss.
 *
 * In fields of more than `WHOLE` entrants, games are taken apart into pairs (`bradleyTerry`).
 */
export function plackettLuce(games: readonly RatedGame[], field: number, { confidence = 0.95 } = {}): Ratings {
  if (strengthModel(false, field) === 'Bradley–Terry') return bradleyTerry(games, field, { confidence })
  const weights = weightsOf(games)
  const fit = fitPlackettLuce(choicesOf(games, field), weights)
  const scored = scoredOf(linesOf(games, field).lines, field)
  const ratings = ratingsOf(fit, flagsOf(scored), { confidence, effect: varianceFactor(games) })
  const { above, below } = boundsOf(scored)
  return {
    ...ratings,
    low: ratings.low.map((end, i) => (below[i] ? end : -Infinity)),
    high: ratings.high.map((end, i) => (above[i] ? end : Infinity)),
  }
}

/** One choice: the first of `from` was placed before the others of it, in game `game`, with a share of it. */
interface Choice {
  readonly from: readonly number[]
  /** `from` as a text. */
  readonly key: string
  readonly game: number
  readonly share: number
}
export interface Choices {
  readonly field: number
  readonly list: readonly Choice[]
}

/** Takes games apart into choices. Throws a RangeError for a game that is not one. */
export function choicesOf(games: readonly RatedGame[], field: number): Choices {
  const list = games.flatMap((one, game) => {
    checkGame(one, field)
    // The others of a choice are in no order: sorted, equal choices look alike.
    return choicesIn(one).map(({ from: [chosen = 0, ...others], share }) => {
      const from = [chosen, ...others.sort((a, b) => a - b)]
      return { from, key: from.join(), game, share }
    })
  })
  return { field, list }
}

/** Finds θ by entrant at the maximum; `weights` are by game, `start` the fit of similar games. */
export function fitPlackettLuce(
  { field, list }: Choices,
  weights: ArrayLike<number>,
  start = new Float64Array(field),
): ReturnType<typeof maximize> {
  // Equal choices of different games are one, weighted: a table of many games has few different ones.
  const merged = new Map<string, { readonly from: readonly number[]; weight: number }>()
  for (const { from, key, game, share } of list) {
    const weight = share * (weights[game] ?? 0)
    if (weight === 0) continue
    const known = merged.get(key)
    if (known) known.weight += weight
    else merged.set(key, { from, weight })
  }
  return maximize(likelihoodOf(field, [...merged.values()]), start)
}

function likelihoodOf(
  field: number,
  choices: readonly { readonly from: readonly number[]; readonly weight: number }[],
): Likelihood {
  const share = new Float64Array(field)
  return (at, gradient, information) => {
    gradient.fill(0)
    information.fill(0)
    let value = addPrior(field, at, gradient, information)
    for (const { from, weight } of choices) {
      const size = from.length
      let top = -Infinity
      for (let a = 0; a < size; a++) top = Math.max(top, at[from[a] as number] as number)
      let sum = 0
      for (let a = 0; a < size; a++) sum += share[a] = Math.exp((at[from[a] as number] as number) - top)
      const chosen = from[0] as number
      value += weight * ((at[chosen] as number) - top - Math.log(sum))
      gradient[chosen] = (gradient[chosen] as number) + weight
      for (let a = 0; a < size; a++) {
        const row = (from[a] as number) * field
        const p = (weight * (share[a] as number)) / sum
        gradient[from[a] as number] = (gradient[from[a] as number] as number) - p
        information[row + (from[a] as number)] = (information[row + (from[a] as number)] as number) + p
        for (let b = 0; b < size; b++) {
          const cell = row + (from[b] as number)
          information[cell] = (information[cell] as number) - (p * (share[b] as number)) / sum
        }
      }
    }
    return value
  }
}

/** The choices of one game, place by place. */
function choicesIn({
  entrants,
  place,
}: RatedGame): readonly { readonly from: readonly number[]; readonly share: number }[] {
  const groups = new Map<number, number[]>()
  entrants.forEach((e, i) => {
    const p = place[i] as number
    groups.set(p, [...(groups.get(p) ?? []), e])
  })
  const inOrder = [...groups].sort(([a], [b]) => a - b).map(([, group]) => group)
  return inOrder.flatMap((group, g) => {
    const behind = inOrder.slice(g + 1).flat()
    // The last are not ranked among themselves, unless there is no other result.
    if (behind.length === 0 && g > 0) return []
    const orders = ordersOf(group)
    return orders.flatMap((order) =>
      order
        .map((_, k) => ({ from: [...order.slice(k), ...behind], share: 1 / orders.length }))
        .filter(({ from }) => from.length > 1),
    )
  })
}

/** The orders that stand for a tie. */
function ordersOf(group: readonly number[]): readonly (readonly number[])[] {
  const rotations = (items: readonly number[]): readonly (readonly number[])[] =>
    items.map((_, k) => [...items.slice(k), ...items.slice(0, k)])
  // The rotations of three forwards and backwards are all six orders; of two, both are both.
  return group.length < 3 ? rotations(group) : [...rotations(group), ...rotations([...group].reverse())]
}
