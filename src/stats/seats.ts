import type { RatedGame } from './game.js'
import { stream } from './stream.js'

const FLIPS = 10_000
const LEVEL = 0.05

/**
 * Whether sitting first decides more than chance explains, where every two sat in the same order each time: a permutation test, which lets
 * every two change their seats by lot. Strength and seat cannot be told apart then. False for games that are not all of two.
 */
export function seatsDecide(games: readonly RatedGame[]): boolean {
  const leads = new Map<string, number>()
  for (const { entrants, place, weight = 1, times = 1 } of games) {
    const [a = 0, b = 0] = entrants
    if (entrants.length !== 2) return false
    const lead = Math.sign((place[1] as number) - (place[0] as number)) * weight * times
    const pair = `${Math.min(a, b)} ${Math.max(a, b)}`
    leads.set(pair, (leads.get(pair) ?? 0) + lead)
  }
  // Sorted: what is drawn then does not depend on the order of games.
  const sizes = [...leads.values()].map(Math.abs).sort((a, b) => a - b)
  const seen = Math.abs([...leads.values()].reduce((sum, lead) => sum + lead, 0))
  const luck = stream('seats')
  let as = 0
  for (let n = 0; n < FLIPS; n++) {
    let sum = 0
    for (const lead of sizes) sum += luck.uniform() < 0.5 ? lead : -lead
    if (Math.abs(sum) >= seen - 1e-9) as++
  }
  return seen > 0 && as / FLIPS < LEVEL
}
