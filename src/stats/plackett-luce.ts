import { type RatedGame, checkGame, hasBlocks } from './game.js'
import type { StrengthModel } from './strengths.js'

/** What sitting in a seat is worth is within some of these of 0, in logarithms of odds. */
const SEAT = 2

/** One choice: the first of `seats` was placed before the others, in a share of the game. */
interface Choice {
  readonly seats: readonly number[]
  readonly share: number
}

/** A choice of some games: by whom, from which seats (parameters), and how often. */
interface Counted {
  readonly entrants: readonly number[]
  readonly seats: readonly number[]
  weight: number
}

/**
 * Plackett and Luce's model of games of any number of players: the first place falls to i, in seat s, with probability π_i·γ_s / Σ π·γ, the
 * next to one of the others by the same rule, and so on; θ = ln π. With two players and no draws that is Bradley and Terry's.
 *
 * Ties: entrants that share the last place, behind another, were not ranked among themselves, and nothing is taken from that. Any other tied
 * group stands for the mean of the log-likelihoods of its orders: all of them for up to three, for more each rotation of the
 * group forwards and backwards. Throws a RangeError for a game that is not one.
 */
export function plackettLuceModel(games: readonly RatedGame[], field: number): StrengthModel {
  const choices = countedIn(games, field)
  // In a contest, which has deals, everybody sits somewhere; of other lists of games that is not known.
  const isListed = !hasBlocks(games)
  const seats = isListed ? 0 : Math.max(...games.map(({ entrants }) => entrants.length))
  const size = field + seats
  const seatOf = (seat: number): number => (isListed ? -1 : field + seat)
  const chances = (at: ArrayLike<number>, entrants: readonly number[], sat: readonly number[]): number[] => {
    const worth = entrants.map((e, k) => (at[e] as number) + (isListed ? 0 : (at[seatOf(sat[k] as number)] as number)))
    const top = Math.max(...worth)
    const odds = worth.map((x) => Math.exp(x - top))
    const sum = odds.reduce((all, x) => all + x, 0)
    return odds.map((x) => x / sum)
  }
  return {
    field,
    size,
    spreads: Array.from({ length: seats }, () => SEAT),
    likelihood(at, gradient, information) {
      let value = 0
      for (const { entrants, seats: sat, weight } of choices) {
        const chance = chances(at, entrants, sat)
        value += weight * Math.log(Math.max(chance[0] as number, 1e-300))
        // What a choice is about: entrants, and the seats that they are in.
        const about = [...entrants, ...(isListed ? [] : sat.map(seatOf))]
        const n = entrants.length
        for (let a = 0; a < about.length; a++) {
          const row = about[a] as number
          const p = chance[a % n] as number
          gradient[row] = (gradient[row] as number) + weight * ((a % n === 0 ? 1 : 0) - p)
          for (let b = 0; b < about.length; b++) {
            const cell = row * size + (about[b] as number)
            const bend = (a % n === b % n ? p : 0) - p * (chance[b % n] as number)
            information[cell] = (information[cell] as number) + weight * bend
          }
        }
      }
      return value
    },
    residuals(game, at) {
      const off = game.entrants.map(() => 0)
      for (const { seats: sat, share } of choicesIn(game)) {
        const chance = chances(
          at,
          sat.map((s) => game.entrants[s] as number),
          sat,
        )
        sat.forEach((s, k) => (off[s] = (off[s] as number) + share * ((k === 0 ? 1 : 0) - (chance[k] as number))))
      }
      return off
    },
  }
}

/** The choices of all games; equal ones are added up: a table of many games has few different ones. */
function countedIn(games: readonly RatedGame[], field: number): readonly Counted[] {
  const counted = new Map<string, Counted>()
  for (const game of games) {
    checkGame(game, field)
    const { entrants, weight = 1, times = 1 } = game
    for (const { seats, share } of choicesIn(game)) {
      const [chosen = 0, ...others] = seats
      const sorted = [chosen, ...others.sort((a, b) => a - b)]
      const own = sorted.map((s) => entrants[s] as number)
      const key = `${own.join()}/${sorted.join()}`
      const known = counted.get(key) ?? { entrants: own, seats: sorted, weight: 0 }
      counted.set(key, known)
      known.weight += share * weight * times
    }
  }
  return [...counted.values()]
}

/** The choices of one game, place by place. */
function choicesIn({ place }: RatedGame): readonly Choice[] {
  const inOrder = [...new Set(place)]
    .sort((a, b) => a - b)
    .map((p) => place.flatMap((own, s) => (own === p ? [s] : [])))
  return inOrder.flatMap((group, g) => {
    const behind = inOrder.slice(g + 1).flat()
    // The last are not ranked among themselves, unless there is no other result.
    if (behind.length === 0 && g > 0) return []
    const orders = ordersOf(group)
    return orders.flatMap((order) =>
      order
        .map((_, k) => ({ seats: [...order.slice(k), ...behind], share: 1 / orders.length }))
        .filter(({ seats }) => seats.length > 1),
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
