import { cheapestPairs, type Edge } from './matching.js'
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
 * In a field of at most so many, anyone may be paired with anyone. In a larger one, only likely opponents are compared, and a rule outweighs
 * what those after it come to in half as many pairs.
 */
const EXACT = 128

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
  const field = fieldOf(players, balanced)
  const { ordered, size } = field
  const positions = Array.from({ length: size }, (_, i) => i)
  const edges = edgesOf(field, positions, size <= EXACT ? () => positions : (i) => likely(field, i))
  let partner = cheapestPairs(size, edges)
  // Whoever is left over when all meet likely opponents may meet anyone.
  const left = positions.filter((i) => partner[i] === -1)
  if (left.length > 0) partner = cheapestPairs(size, [...edges, ...edgesOf(field, left, () => positions)])
  const pairs: Pair[] = []
  let bye: number | undefined
  partner.forEach((j, i) => {
    const [a, b] = [ordered[i], ordered[j]]
    if (i > j || !a) return
    if (b) pairs.push([a.entrant, b.entrant])
    else bye = a.entrant
  })
  return { pairs, bye }
}

/** Players by position, from the best on. After the last of an odd number there is the bye. */
interface Field {
  readonly ordered: readonly SwissEntrant[]
  readonly size: number
  readonly balanced: boolean
  /** By position: its score group, from 0; the bye is in the last. */
  readonly group: readonly number[]
  /** By group: its first position, and the first after it. */
  readonly bounds: readonly { readonly begin: number; readonly end: number }[]
}

function fieldOf(players: readonly SwissEntrant[], balanced: boolean): Field {
  const ordered = [...players].sort((a, b) => b.points - a.points || a.seed - b.seed)
  const levels = [...new Set(ordered.map(({ points }) => points))]
  const level = new Map(levels.map((points, g) => [points, g]))
  const group = ordered.map(({ points }) => level.get(points) as number)
  const bounds = levels.map((_, g) => ({ begin: group.indexOf(g), end: group.lastIndexOf(g) + 1 }))
  if (group.length % 2 === 1) group.push(levels.length - 1)
  return { ordered, size: group.length, balanced, group, bounds }
}

/** The edges between positions and their opponents. By rule 1, the bye has edges only to players that have had the fewest. */
function edgesOf(
  field: Field,
  positions: readonly number[],
  opponents: (i: number) => Iterable<number>,
): readonly Edge[] {
  const { ordered, size } = field
  const fewest = Math.min(...ordered.map(({ byes }) => byes))
  const edges = new Map<number, Edge>()
  for (const i of positions) {
    for (const j of opponents(i)) {
      const [upper, lower] = [Math.min(i, j), Math.max(i, j)]
      const [a, b] = [ordered[upper], ordered[lower]]
      const key = upper * size + lower
      if (!a || a === b || edges.has(key) || (!b && a.byes > fewest)) continue
      edges.set(key, [upper, lower, costOf(field, upper, lower)])
    }
  }
  return [...edges.values()]
}

/** What it costs to pair two positions, by rules 2 to 5. */
function costOf({ ordered, size, balanced, group, bounds }: Field, upper: number, lower: number): number {
  const most = Math.min(size, EXACT)
  const [a, b] = [ordered[upper], ordered[lower]]
  const [g = 0, h = 0] = [group[upper], group[lower]]
  // What a step of each rule costs: more than the rules after it come to over all pairs.
  const apart = (most / 2) * most + 1
  const clash = apart * ((most / 2) * most ** 2 + 1)
  const again = clash * (most / 2 + 1)
  const cost = Math.min(most, h - g) ** 2 * apart
  if (!a || !b) return cost
  const { begin = 0, end = 0 } = bounds[g] ?? {}
  // In a group of m the ideal opponent is m/2 positions away.
  const ideal = g === h ? Math.floor((end - begin) / 2) : 1
  const far = Math.min(most, Math.abs(lower - upper - ideal))
  const meetings = a.met.filter((entrant) => entrant === b.entrant).length
  return cost + far + (isClash(a, b, balanced) ? clash : 0) + meetings * again
}

/** Whether one of the two would have to sit first, or second, more often still. */
const isClash = (a: SwissEntrant, b: SwissEntrant, balanced: boolean): boolean => balanced && a.first * b.first > 0

/** How many likely opponents are looked for on each side of a position, and how far. */
const [LIKELY, SEARCHED] = [8, 100]
/** So near to the end of a group one is likely to leave it, for one of so many. */
const [EDGE, BEYOND] = [40, 24]

/**
 * Likely opponents, with whom no rule is broken: around the ideal one in the same group, around the player's own position, and beyond the group's
 * ends. The bye may be anyone's.
 */
function* likely({ ordered, balanced, group, bounds }: Field, i: number): Generator<number> {
  const player = ordered[i]
  if (!player) {
    yield* ordered.keys()
    return
  }
  const { begin = 0, end = 0 } = bounds[group[i] ?? 0] ?? {}
  const half = Math.floor((end - begin) / 2)
  for (const [from, step, most] of [
    [i + half, 1, LIKELY],
    [i + half - 1, -1, LIKELY],
    [i - half, -1, LIKELY],
    [i - half + 1, 1, LIKELY],
    [i + 1, 1, LIKELY],
    [i - 1, -1, LIKELY],
    [begin - 1, -1, i - begin < EDGE ? BEYOND : LIKELY],
    [end, 1, end - i <= EDGE ? BEYOND : LIKELY],
  ] as const) {
    let found = 0
    for (let j = from; found < most && Math.abs(j - from) < SEARCHED; j += step) {
      const other = ordered[j]
      if (!other || other === player || player.met.includes(other.entrant) || isClash(player, other, balanced)) continue
      yield j
      found++
    }
  }
}
