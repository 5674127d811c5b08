import type { TournamentSpec } from '../../core/index.js'
import { formatOf, isPlayoff } from '../../tournament/index.js'

/**
 * Whether what only its record shows of a match (`factsOf`) matters to its tournament, asked by the pairing's key: the course that a match
 * took, of those that may end a tournament by repeating each other, and how many turns it had, where scores count a turn.
 */
export function factsMatter({
  format,
  scoring,
  chanceless,
}: Pick<TournamentSpec, 'format' | 'scoring' | 'chanceless'>): (key: string) => boolean {
  if (scoring.by === 'score' && scoring.per === 'turn') return () => true
  if (chanceless !== true || format.playoff === 0) return () => false
  return (key) => isPlayoff(key) || formatOf(format.kind).playoff === 'pairing'
}
