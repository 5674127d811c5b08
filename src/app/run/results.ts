import type { Result, TournamentSpec } from '../../core/index.js'
import { factsOf } from '../../match/index.js'
import type { MatchStore } from '../../store/index.js'
import { formatOf, isPlayoff } from '../../tournament/index.js'

/**
 * A run's results, rulings applied; with what only their records show where it matters: the course that a match took, of those that may
 * end a tournament by repeating each other, and how many turns it had, where scores count a turn.
 */
export async function resultsOf(
  store: MatchStore,
  run: string,
  spec: Pick<TournamentSpec, 'format' | 'scoring' | 'chanceless'>,
): Promise<ReadonlyMap<string, Result>> {
  const results = await store.results(run)
  const matters = factsMatter(spec)
  if (![...results.keys()].some(matters)) return results
  const all = new Map(results)
  for (const { id, place } of await store.matches(run)) {
    const result = all.get(place)
    if (result === undefined || !matters(place)) continue
    all.set(place, { ...result, ...factsOf(await store.recordOf(id)) })
  }
  return all
}

/** Whether what only its record shows of a match (`factsOf`) matters to its tournament; asked by the pairing's key. */
export function factsMatter({
  format,
  scoring,
  chanceless,
}: Pick<TournamentSpec, 'format' | 'scoring' | 'chanceless'>): (key: string) => boolean {
  if (scoring.by === 'score' && scoring.per === 'turn') return () => true
  if (chanceless !== true || format.playoff === 0) return () => false
  return (key) => isPlayoff(key) || formatOf(format.kind).playoff === 'pairing'
}
