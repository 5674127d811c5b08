import type { Bounds } from './betting.js'
import { amongThem, type Evidence, type Known } from './evidence.js'
import type { ScoredGame } from './mean-games.js'

/**
 * What is known of the companies of a field where scores count and lie between bounds: points are scores brought to 0 … 1, so `settle` tests
 * mean scores whatever their law. `games` stand in an order that does not depend on their results. Throws a RangeError for bounds that
 * have nothing between them.
 */
export function scoredEvidenceOf(
  companies: readonly (readonly number[])[],
  games: readonly ScoredGame[],
  field: number,
  { min, max }: Bounds,
): Evidence {
  if (!(min < max)) throw new RangeError(`scores between ${min} and ${max} cannot differ`)
  const met = new Map<string, ScoredGame[]>()
  for (const game of games) {
    const key = sorted(game.entrants).join()
    const own = met.get(key) ?? []
    own.push(game)
    met.set(key, own)
  }
  const known = companies.map((list): Known => {
    const members = sorted([...new Set(list)])
    return knownOf(members, met.get(members.join()) ?? [], (score) => (score - min) / (max - min))
  })
  return amongThem(known, field)
}

const sorted = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b)

function knownOf(members: readonly number[], games: readonly ScoredGame[], points: (score: number) => number): Known {
  const blocks = new Map<string | number, { n: number; readonly sums: number[] }>()
  for (const { entrants, scores, block } of games) {
    const own = blocks.get(block) ?? { n: 0, sums: members.map(() => 0) }
    own.n++
    members.forEach((member, m) => (own.sums[m] = (own.sums[m] ?? 0) + points(scores[entrants.indexOf(member)] ?? 0)))
    blocks.set(block, own)
  }
  const seen = [...blocks.values()]
  const byMember = members.map((_, m) => seen.map(({ n, sums }) => (sums[m] ?? 0) / n))
  const known = games.length > 0 && games.every(({ fixed }) => fixed)
  return {
    members,
    played: seen.length,
    fixed: known,
    known: known ? true : undefined,
    mean: byMember.map((list) => list.reduce((sum, x) => sum + x, 0) / Math.max(1, seen.length)),
    points: byMember,
  }
}
