import { fitDocument } from './fit-text.js'
import type { RankedField } from './rank.js'
import { endsDocument } from './ends-document.js'
import { exploitabilityFacts } from '../document.js'
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
  exploitability = [],
}: RankedField): unknown {
  const rules = rankings.map(({ by, lines, before, seat }) => ({
    by,
    standings: lines.map(({ rank, entrant, value, first, ranks, flags, superior, ...ends }) => ({
      rank,
      name: names[entrant] ?? '',
      ...(by === 'points' && points && { points: points[entrant] }),
      [WEIGHED.includes(by) ? 'weight' : 'rating']: value,
      ...endsDocument(ends),
      ...(first !== undefined && { first }),
      ...(ranks && { ranks }),
      ...(flags.length > 0 && { flags }),
      ...(superior !== undefined && { superior }),
    })),
    ...(seat && { seat }),
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
    ...(unlike && { unlike }),
    ...(fit && { fit: fitDocument(fit, names) }),
    ...(rules.length === 1 ? only : { rules, crown }),
    cycles,
    ...(exploitability.length > 0 && { exploitability: exploitabilityFacts(names, exploitability) }),
    ...(luck.blocks > 0 && { equalLuck: { blocks: luck.blocks, saved: 1 - luck.effect } }),
  }
}
