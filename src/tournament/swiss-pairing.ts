import { cheapestPairs } from './matching.js'
import type { Pair } from './pairs.js'

/** A player before a round. */
export interface Player {
  readonly entrant: number
  /** 0 is the best. */
  readonly seed: number
  readonly points: number
  /** Opponents so far. */
  readonly met: readonly number[]
  readonly byes: number
  /** How much more often it sat first than second. */
  readonly first: number
}

/**
 * The pairs of a round, and who has the bye where the field is odd: of all ways to pair everybody the cheapest (a matching of
 * least weight), by these rules, each of which outweighs all after it:
 *
 * 1. nobody has a second bye;
 * 2. nobody meets an opponent again (each earlier meeting counts);
 * 3. where seats are to be balanced, nobody who sat more often first, or more often second, has to do so once more;
 * 4. opponents are of the same score group, or of groups as near as can be: the squares of the distances are least in sum, and
 *    the bye goes to the lowest group that it can go to;
 * 5. within a group, the upper half meets the lower half in order of seeds.
 */
export function pairUp(
  players: readonly Player[],
  balanced: boolean,
): { readonly pairs: readonly Pair[]; readonly bye: number | undefined } {
  const n = players.length
  const ordered = [...players].sort((a, b) => b.points - a.points || a.seed - b.seed)
  const levels = [...new Set(ordered.map(({ points }) => points))]
  const group = ordered.map(({ points }) => levels.indexOf(points))
  const sizes = levels.map((_, g) => group.filter((other) => other === g).length)
  const odd = n % 2 === 1
  const size = odd ? n + 1 : n
  // What a rule may come to over all pairs, so that the one above it weighs more.
  const fold = size * size
  const step = fold + 1
  const seat = step * (levels.length ** 2 * size + 1)
  const again = seat * (size + 1)
  const bye = again * (size * Math.max(1, ...players.map(({ met }) => met.length)) + 1)

  const cost = (i: number, j: number): number => {
    const [a, b] = [ordered[Math.min(i, j)], ordered[Math.max(i, j)]]
    if (!a) return 0
    const above = group[Math.min(i, j)] as number
    if (!b) return a.byes * bye + (levels.length - 1 - above) ** 2 * step
    const met = a.met.filter((e) => e === b.entrant).length
    const clash = balanced && a.first * b.first > 0 ? 1 : 0
    const apart = (group[Math.max(i, j)] as number) - above
    // In a group of m the ideal opponent is m/2 places away.
    const ideal = apart === 0 ? Math.floor((sizes[above] as number) / 2) : 1
    const off = Math.abs(Math.abs(i - j) - ideal)
    return met * again + clash * seat + apart ** 2 * step + off
  }
  const partner = cheapestPairs(size, cost)
  const pairs: Pair[] = []
  let free: number | undefined
  partner.forEach((j, i) => {
    const [a, b] = [ordered[i], ordered[j]]
    if (i > j || !a) return
    if (b) pairs.push([a.entrant, b.entrant])
    else free = a.entrant
  })
  return { pairs, bye: free }
}
