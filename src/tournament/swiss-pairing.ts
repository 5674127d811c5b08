import { cheapestPairs } from './matching.js'
import type { Costs } from './pairing-graph.js'
import type { Pair } from './pairs.js'

/** A player before a round. */
export interface SwissEntrant {
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
 * least cost), by these rules, each of which outweighs all after it:
 *
 * 1. no entrant has a second bye before everyone has had one, nor a third before everyone has had two;
 * 2. no entrant meets an opponent again (each earlier meeting counts);
 * 3. where seats are to be balanced, no entrant that sat more often first, or more often second, has to do so once more;
 * 4. opponents are of the same score group, or of groups as near as can be: the squares of the distances are least in sum, and
 *    the bye goes to the lowest group that it can go to;
 * 5. within a group, the upper half meets the lower half in order of seeds.
 */
export function pairUp(
  players: readonly SwissEntrant[],
  balanced: boolean,
): { readonly pairs: readonly Pair[]; readonly bye: number | undefined } {
  const ordered = [...players].sort((a, b) => b.points - a.points || a.seed - b.seed)
  const size = ordered.length + (ordered.length % 2)
  const partner = cheapestPairs(size, costsOf(ordered, size, balanced))
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

/** Rules 1 to 3 in the costs that weigh more, 4 and 5 in the others. The last vertex of an odd field is the bye. */
function costsOf(ordered: readonly SwissEntrant[], size: number, balanced: boolean): Costs {
  const levels = [...new Set(ordered.map(({ points }) => points))]
  const level = new Map(levels.map((points, g) => [points, g]))
  const group = Int32Array.from(ordered, ({ points }) => level.get(points) as number)
  const sizes = levels.map(() => 0)
  for (const g of group) sizes[g] = (sizes[g] as number) + 1
  const begins = Int32Array.from(levels, (_, g) => group.indexOf(g))
  const fewest = Math.min(...ordered.map(({ byes }) => byes))
  const positionOf = new Map(ordered.map(({ entrant }, i) => [entrant, i]))
  /** By position: the positions of those that were met, as often as they were. */
  const met = ordered.map((player) => player.met.map((entrant) => positionOf.get(entrant) ?? -1))
  const meetings = (i: number, j: number): number => {
    let n = 0
    for (const other of met[i] ?? []) if (other === j) n++
    return n
  }
  // What a rule may come to over all pairs, so that the one above it weighs more.
  const again = size / 2 + 1
  const bye = again * ((size / 2) * Math.max(1, ...met.map((list) => list.length)) + 1)
  const step = (size / 2) * size + 1
  const far = (i: number, j: number): number => {
    const g = group[Math.min(i, j)] as number
    // In a group of m the ideal opponent is m/2 positions away.
    const ideal = g === group[Math.max(i, j)] ? Math.floor((sizes[g] as number) / 2) : 1
    return Math.abs(Math.abs(i - j) - ideal)
  }
  const high = (i: number, j: number): number => {
    const [a, b] = [ordered[i], ordered[j]]
    if (!a || !b) return ((a ?? b)?.byes ?? 0) > fewest ? bye : 0
    const clash = balanced && a.first * b.first > 0 ? 1 : 0
    return meetings(i, j) * again + clash
  }
  const low = (i: number, j: number): number => {
    const [upper, lower] = [Math.min(i, j), Math.max(i, j)]
    const apart = (group[lower] ?? levels.length - 1) - (group[upper] as number)
    return apart ** 2 * step + (lower < ordered.length ? far(upper, lower) : 0)
  }
  return { high, low, near: (i) => near(i, { ordered, group, sizes, begins, high }) }
}

/** How many likely opponents are looked for on each side of a position, and how far. */
const [LIKELY, SEARCHED] = [8, 100]
/** So near to the end of a group one is likely to leave it, for one of so many. */
const [EDGE, BEYOND] = [40, 24]

/** Positions of likely opponents: around the ideal one in the same group, and around the player's own and the group's ends. */
function* near(
  i: number,
  {
    ordered,
    group,
    sizes,
    begins,
    high,
  }: {
    readonly ordered: readonly SwissEntrant[]
    readonly group: Int32Array
    readonly sizes: readonly number[]
    readonly begins: Int32Array
    readonly high: Costs['high']
  },
): Generator<number> {
  const g = group[i] ?? group.length
  const begin = begins[g] ?? ordered.length
  const count = sizes[g] ?? 0
  const half = Math.floor(count / 2)
  const last = ordered.length - 1 + (ordered.length % 2)
  for (const [from, step, most] of [
    [i + half, 1, LIKELY],
    [i + half - 1, -1, LIKELY],
    [i - half, -1, LIKELY],
    [i - half + 1, 1, LIKELY],
    [i + 1, 1, LIKELY],
    [i - 1, -1, LIKELY],
    [begin - 1, -1, i - begin < EDGE ? BEYOND : LIKELY],
    [begin + count, 1, begin + count - i <= EDGE ? BEYOND : LIKELY],
  ] as const) {
    let found = 0
    for (let j = from, seen = 0; j >= 0 && j <= last && found < most && seen < SEARCHED; j += step, seen++) {
      if (j === i || high(i, j) > 0) continue
      yield j
      found++
    }
  }
}
