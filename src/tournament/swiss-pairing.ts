import { cheapestPairs, type Edge } from './matching.js'
import type { Pair } from './pairs.js'

export interface SwissEntrant {
  readonly entrant: number
  readonly seed: number
  readonly points: number
  readonly met: readonly number[]
  readonly byes: number
  /** How much more often it sat first than second. */
  readonly first: number
}

/**
 * In a larger field only likely opponents are compared, and a rule outweighs what later ones come to in half as many
 * pairs.
 */
const EXACT = 128

interface Position {
  /** Absent: the bye, after the last of an odd number. */
  readonly player?: SwissEntrant
  /** Its score group, from 0; the bye is in the last. */
  readonly group: number
  /** The first position of the group, and the first after it. */
  readonly begin: number
  readonly end: number
}

/**
 * The pairs of a round, and who has the bye where the field is odd: of all pairings the cheapest (a matching of least
 * cost), by these rules, each outweighing all after it:
 *
 * 1. no entrant has a second bye before everyone has had one, a third before two;
 * 2. no entrant meets an opponent again (each earlier meeting counts);
 * 3. where seats are balanced, who sat more often first, or second, does not once more;
 * 4. opponents are of one score group, or of near ones: the squares of distances are least in sum, and the bye goes to
 *    the lowest group possible;
 * 5. within a group, the upper half meets the lower half in order of seeds.
 */
export function pairUp(
  players: readonly SwissEntrant[],
  balanced: boolean,
): { readonly pairs: readonly Pair[]; readonly bye: number | undefined } {
  const field = positionsOf(players)
  const everywhere = [...field.keys()]
  const edges = edgesOf(field, balanced, everywhere, (i) =>
    field.length <= EXACT ? everywhere : likely(field, balanced, i),
  )
  let partner = cheapestPairs(field.length, edges)
  // Those left when all meet likely opponents may meet anyone.
  const left = everywhere.filter((i) => partner[i] === -1)
  if (left.length > 0)
    partner = cheapestPairs(field.length, [...edges, ...edgesOf(field, balanced, left, () => everywhere)])
  const pairs: Pair[] = []
  let bye: number | undefined
  partner.forEach((j, i) => {
    const [a, b] = [field[i]?.player, field[j]?.player]
    if (i > j || !a) return
    if (b) pairs.push([a.entrant, b.entrant])
    else bye = a.entrant
  })
  return { pairs, bye }
}

function positionsOf(players: readonly SwissEntrant[]): readonly Position[] {
  const ordered = [...players].sort((a, b) => b.points - a.points || a.seed - b.seed)
  const points = ordered.map((player) => player.points)
  const levels = [...new Set(points)]
  const groups = levels.map((level, group) => ({
    group,
    begin: points.indexOf(level),
    end: points.lastIndexOf(level) + 1,
  }))
  const groupOf = new Map(levels.map((level, g) => [level, groups[g]]))
  const field = ordered.map((player) => ({ ...(groupOf.get(player.points) as Position), player }))
  return field.length % 2 === 0 ? field : [...field, ...groups.slice(-1)]
}

/** Edges between positions and opponents. By rule 1, the bye has edges only to those with the fewest. */
function edgesOf(
  field: readonly Position[],
  balanced: boolean,
  positions: readonly number[],
  opponents: (i: number) => Iterable<number>,
): readonly Edge[] {
  const fewest = Math.min(...field.flatMap(({ player }) => player?.byes ?? []))
  const edges = new Map<number, Edge>()
  for (const i of positions) {
    for (const j of opponents(i)) {
      const [upper, lower] = [Math.min(i, j), Math.max(i, j)]
      const [a, b] = [field[upper]?.player, field[lower]?.player]
      const key = upper * field.length + lower
      if (!a || upper === lower || edges.has(key) || (!b && a.byes > fewest)) continue
      edges.set(key, [upper, lower, costOf(field, balanced, upper, lower)])
    }
  }
  return [...edges.values()]
}

/** What it costs to pair two positions, by rules 2 to 5. */
function costOf(field: readonly Position[], balanced: boolean, upper: number, lower: number): number {
  const most = Math.min(field.length, EXACT)
  const [one, other] = [field[upper] as Position, field[lower] as Position]
  const [a, b] = [one.player, other.player]
  // What a step of each rule costs: more than later rules over all pairs.
  const apart = (most / 2) * most + 1
  const clash = apart * ((most / 2) * most ** 2 + 1)
  const again = clash * (most / 2 + 1)
  const cost = Math.min(most, other.group - one.group) ** 2 * apart
  if (!a || !b) return cost
  // In a group of m the ideal opponent is m/2 positions away.
  const ideal = one.group === other.group ? Math.floor((one.end - one.begin) / 2) : 1
  const far = Math.min(most, Math.abs(lower - upper - ideal))
  const meetings = a.met.filter((entrant) => entrant === b.entrant).length
  return cost + far + (isClash(a, b, balanced) ? clash : 0) + meetings * again
}

const isClash = (a: SwissEntrant, b: SwissEntrant, balanced: boolean): boolean => balanced && a.first * b.first > 0

/** How many likely opponents are sought on each side of a position, and how far. */
const [LIKELY, SEARCHED] = [8, 100]
/** So near to a group's end one is likely to leave it, for one of so many. */
const [EDGE, BEYOND] = [40, 24]

/** Likely opponents, who break no rule: near the ideal one, the player, beyond the group; any for the bye. */
function* likely(field: readonly Position[], balanced: boolean, i: number): Generator<number> {
  const { player, begin, end } = field[i] as Position
  if (!player) {
    yield* field.keys()
    return
  }
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
      const other = field[j]?.player
      if (!other || other === player || player.met.includes(other.entrant) || isClash(player, other, balanced)) continue
      yield j
      found++
    }
  }
}
