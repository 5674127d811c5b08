import { WEIGHED } from '../../lab/index.js'
import type { RankedField } from './rank.js'
import { unboundedBy } from './elo-table.js'

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
  simultaneous,
  doubt,
}: RankedField): unknown {
  const rules = rankings.map(({ by, lines, before, seat, again }) => ({
    by,
    standings: lines.map(({ rank, entrant, value, low, high, first, ranks, flags, superior }) => ({
      rank,
      name: names[entrant] ?? '',
      points: by === 'points' && points ? points[entrant] : undefined,
      [WEIGHED.includes(by) ? 'weight' : 'rating']: value,
      low,
      high,
      unbounded: unboundedBy(flags),
      first,
      ranks,
      flags: flags.length > 0 ? flags : undefined,
      superior,
    })),
    seat,
    again,
    // Rows and columns in the order of the standings.
    ...(before && {
      before: lines.map(({ entrant: a }) => lines.map(({ entrant: b }) => (a === b ? null : before[a]?.[b]))),
    }),
  }))
  const [only] = rules
  return {
    title,
    matches,
    distinct,
    confidence: 0.95,
    simultaneous,
    unlike: doubt === 'unlike' ? true : undefined,
    doubt,
    ...(rules.length === 1 ? only : { rules, crown }),
    cycles,
    equalLuck: luck.blocks > 0 ? { blocks: luck.blocks, saved: 1 - luck.effect } : undefined,
  }
}
