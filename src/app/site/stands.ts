import type { RunSummary } from '../../store/index.js'
import { type Stand, standOf } from '../stored.js'
import type { TableSource } from './table-source.js'

/** Runs whose stand is kept: it is what all tables of a run are made of, and takes longest. */
const KEPT = 2

const kept = new Map<string, Promise<Stand>>()

/** How a run stands, as `standOf` tells it; the tables that are asked for together are made of one. */
export async function standFor(store: TableSource['store'], run: RunSummary): Promise<Stand> {
  const out = await store.exclusions(run.id)
  const key = JSON.stringify([store.where, run.id, run.state, run.matches, out])
  const known = kept.get(key)
  if (known !== undefined) return known
  const stand = standOf(store, run)
  kept.set(key, stand)
  for (const old of [...kept.keys()].slice(0, -KEPT)) kept.delete(old)
  stand.catch(() => kept.delete(key))
  return stand
}
