import type { RatedGame } from './game.js'
import { inAnyOrder, stream } from './stream.js'

/** Orders drawn; fewer where pairs are many. */
const ORDERS = 10_000
const COST = 3e7
const LEVEL = 0.05

/**
 * Whether sitting first decides more than chance explains, where every two always sat in the same order: a permutation test. If seats are
 * worth nothing, whoever comes earlier in another order of the entrants won as much. False for games that are not all of two.
 */
export function seatsDecide(games: readonly RatedGame[]): boolean {
  const pairs = new Map<string, { readonly first: number; readonly second: number; lead: number }>()
  const led = new Map<number, number>()
  for (const { entrants, place, weight = 1, times = 1 } of games) {
    const [first = 0, second = 0] = entrants
    if (entrants.length !== 2) return false
    const lead = Math.sign((place[1] as number) - (place[0] as number)) * weight * times
    const pair = pairs.get(entrants.join()) ?? { first, second, lead: 0 }
    pair.lead += lead
    pairs.set(entrants.join(), pair)
    led.set(first, (led.get(first) ?? 0) + lead)
    led.set(second, (led.get(second) ?? 0) - lead)
  }
  const all = [...pairs.values()]
  const seen = Math.abs(all.reduce((sum, { lead }) => sum + lead, 0))
  // By what they won: draws do not depend on the order of games, or names.
  let order: readonly number[] = [...led].sort(([, a], [, b]) => b - a).map(([entrant]) => entrant)
  const luck = stream('seats')
  const rank = new Int32Array(Math.max(0, ...order) + 1)
  const orders = Math.min(ORDERS, Math.max(200, Math.floor(COST / all.length)))
  let as = 0
  for (let n = 0; n < orders; n++) {
    order = inAnyOrder(order, (count) => luck.below(count))
    order.forEach((entrant, k) => (rank[entrant] = k))
    let sum = 0
    for (const { first, second, lead } of all) sum += (rank[first] as number) < (rank[second] as number) ? lead : -lead
    if (Math.abs(sum) >= seen - 1e-9) as++
  }
  return seen > 0 && as / orders < LEVEL
}
