import type { Result, TournamentSpec } from '../core/index.js'
import { courseOf } from '../match/index.js'
import type { MatchStore } from '../store/index.js'
import { isPlayoff } from '../tournament/index.js'

/**
 * A run's results, rulings applied; those that may end a tournament by repeating each other with the course that they took, which
 * only their records tell.
 */
export async function resultsOf(
  store: MatchStore,
  run: string,
  { format, chanceless }: Pick<TournamentSpec, 'format' | 'chanceless'>,
): Promise<ReadonlyMap<string, Result>> {
  const results = await store.results(run)
  const matters = (key: string): boolean => isPlayoff(key) || format.kind === 'elimination'
  if (!chanceless || format.playoff === 0 || ![...results.keys()].some(matters)) return results
  const told = new Map(results)
  for (const { id, place } of await store.matches(run)) {
    const result = told.get(place)
    if (result === undefined || !matters(place)) continue
    told.set(place, { ...result, course: courseOf(await store.recordOf(id)) })
  }
  return told
}
