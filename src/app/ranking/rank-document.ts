import { fitDocument } from './fit-text.js'
import type { RankedField } from './rank.js'
import { endsDocument } from './elo-table.js'
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
  simultaneous,
  unlike = false,
  fit,
}: RankedField): unknown {
  const rules = rankings.map(({ by, lines, before, seat }) => ({
    by,
    standings: lines.map(({ rank, entrant, value, first, ranks, flags, superior, ...ends }) => ({
      rank,
      name: names[entrant] ?? '',
      points: by === 'points' && points ? points[entrant] : undefined,
      [WEIGHED.includes(by) ? 'weight' : 'rating']: value,
      ...endsDocument(ends),
      first,
      ranks,
      flags: flags.length > 0 ? flags : undefined,
      superior,
    })),
    seat,
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
    unlike: unlike ? true : undefined,
    fit: fit ? fitDocument(fit, names) : undefined,
    ...(rules.length === 1 ? only : { rules, crown }),
    cycles,
    equalLuck: luck.blocks > 0 ? { blocks: luck.blocks, saved: 1 - luck.effect } : undefined,
  }
}
