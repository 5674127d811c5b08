import type { StoredRun } from '../../store/index.js'
import { type RunStandings, standingsOfRun } from '../stored.js'
import type { TableSource } from './table-source.js'

/** Runs whose standings are kept: all tables of a run are made from them, and they take longest. */
const KEPT = 2

const kept = new Map<string, Promise<RunStandings>>()

/** The standings of a run (`standingsOfRun`), made once for the tables that are asked for together. */
export async function cachedStandingsOf(store: TableSource['store'], run: StoredRun): Promise<RunStandings> {
  const out = await store.exclusions(run.id)
  const key = JSON.stringify([store.where, run.id, run.state, run.matches, out])
  const known = kept.get(key)
  if (known !== undefined) return known
  const current = standingsOfRun(store, run)
  kept.set(key, current)
  for (const old of [...kept.keys()].slice(0, -KEPT)) kept.delete(old)
  current.catch(() => kept.delete(key))
  return current
}
