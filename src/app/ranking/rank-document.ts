import type { Ranked } from './rank.js'
import { WEIGHED } from './rules.js'

/** A ranking as one document for programs. */
export function rankDocument({
  title,
  names,
  matches,
  distinct,
  rankings,
  points,
  crown,
  cycles,
  luck,
}: Ranked): unknown {
  const rules = rankings.map(({ by, lines }) => ({
    by,
    standings: lines.map(({ rank, entrant, value, low, high, first, ranks, flags, superior }) => ({
      rank,
      name: names[entrant] ?? '',
      ...(by === 'points' && points && { points: points[entrant] }),
      [WEIGHED.includes(by) ? 'weight' : 'rating']: value,
      low,
      high,
      first,
      ranks,
      ...(flags.length > 0 && { flags }),
      ...(superior !== undefined && { superior }),
    })),
  }))
  const [only] = rules
  return {
    title,
    matches,
    distinct,
    confidence: 0.95,
    ...(rules.length === 1 ? only : { rules, crown }),
    cycles,
    ...(luck.blocks > 0 && { equalLuck: { blocks: luck.blocks, saved: 1 - luck.effect } }),
  }
}
