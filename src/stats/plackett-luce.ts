import { type RatedGame, checkGame, hasBlocks } from './game.js'
import type { StrengthModel } from './strengths.js'

/** A seat's worth is within some of these of 0, in logarithms of odds. */
const SEAT = 2

/** A choice: the first of these teams came before the others, in a share of the game. A team is a list of seats. */
interface Choice {
  readonly teams: readonly (readonly number[])[]
  readonly share: number
}

/** A choice of some games: each team's parameters, which sum to its strength, and how often it was made. */
interface Counted {
  readonly teams: readonly (readonly number[])[]
  weight: number
}

/**
 * Plackett and Luce's model of games of any number of players: the first place falls to i, in seat s, with probability
 * π_i·γ_s / Σ π·γ, the next likewise; θ = ln π. A team's θ is the sum of its players' (Huang, Lin and Weng 2008).
 *
 * Ties: those that share the last place, behind another, were not ranked among themselves. Any other tied group has the
 * mean log-likelihood of its orders: all of up to three, of more each rotation both ways. Throws RangeError for what is
 * no game.
 */
export function plackettLuceModel(games: readonly RatedGame[], field: number): StrengthModel {
  // In a contest, with deals, everybody sits somewhere; of other lists of games that is unknown.
  const isListed = !hasBlocks(games)
  const seats = isListed ? 0 : Math.max(...games.map(({ entrants }) => entrants.length))
  const size = field + seats
  /** Of the teams of a choice: the parameters of each. */
  const parametersOf = (teams: Choice['teams'], entrants: readonly number[]): readonly (readonly number[])[] =>
    teams.map((team) => team.flatMap((seat) => [entrants[seat] as number, ...(isListed ? [] : [field + seat])]))
  const choices = countedIn(games, field, parametersOf)
  const chances = (at: ArrayLike<number>, teams: Counted['teams']): number[] => {
    const worth = teams.map((team) => team.reduce((sum, k) => sum + (at[k] as number), 0))
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
      for (const { teams, weight } of choices) {
        const chance = chances(at, teams)
        value += weight * Math.log(Math.max(chance[0] as number, 1e-300))
        for (let a = 0; a < teams.length; a++) {
          const p = chance[a] as number
          for (const row of teams[a] as readonly number[]) {
            gradient[row] = (gradient[row] as number) + weight * ((a === 0 ? 1 : 0) - p)
            for (let b = 0; b < teams.length; b++) {
              const bend = weight * ((a === b ? p : 0) - p * (chance[b] as number))
              for (const column of teams[b] as readonly number[])
                information[row * size + column] = (information[row * size + column] as number) + bend
            }
          }
        }
      }
      return value
    },
    residuals(game, at) {
      const off = game.entrants.map(() => 0)
      for (const { teams, share } of choicesIn(game)) {
        const chance = chances(at, parametersOf(teams, game.entrants))
        teams.forEach((team, k) => {
          for (const s of team) off[s] = (off[s] as number) + share * ((k === 0 ? 1 : 0) - (chance[k] as number))
        })
      }
      return off
    },
  }
}

/** The choices of all games, equal ones added up: a large table has few different ones. */
function countedIn(
  games: readonly RatedGame[],
  field: number,
  parametersOf: (teams: Choice['teams'], entrants: readonly number[]) => Counted['teams'],
): readonly Counted[] {
  const counted = new Map<string, Counted>()
  for (const game of games) {
    checkGame(game, field)
    const { entrants, weight = 1, times = 1 } = game
    for (const { teams, share } of choicesIn(game)) {
      const [chosen = [], ...others] = teams
      const own = parametersOf([chosen, ...others.sort(([a = 0], [b = 0]) => a - b)], entrants)
      const key = own.join('/')
      const known = counted.get(key) ?? { teams: own, weight: 0 }
      counted.set(key, known)
      known.weight += share * weight * times
    }
  }
  return [...counted.values()]
}

/** The choices of one game, place by place. */
function choicesIn({ place, team = place.map((_, seat) => seat) }: RatedGame): readonly Choice[] {
  const teams = [...new Set(team)].map((one) => team.flatMap((own, seat) => (own === one ? [seat] : [])))
  const placeOf = ([seat = 0]: readonly number[]): number => place[seat] as number
  const inOrder = [...new Set(place)].sort((a, b) => a - b).map((p) => teams.filter((own) => placeOf(own) === p))
  return inOrder.flatMap((group, g) => {
    const behind = inOrder.slice(g + 1).flat()
    // The last are unranked among themselves, unless there is no other result.
    if (behind.length === 0 && g > 0) return []
    const orders = ordersOf(group)
    return orders.flatMap((order) =>
      order
        .map((_, k) => ({ teams: [...order.slice(k), ...behind], share: 1 / orders.length }))
        .filter(({ teams: left }) => left.length > 1),
    )
  })
}

/** The orders that stand for a tie. */
function ordersOf<T>(group: readonly T[]): readonly (readonly T[])[] {
  const rotations = (items: readonly T[]): readonly (readonly T[])[] =>
    items.map((_, k) => [...items.slice(k), ...items.slice(0, k)])
  // Rotations of three both ways are all six orders; of two, both are both.
  return group.length < 3 ? rotations(group) : [...rotations(group), ...rotations([...group].reverse())]
}
