import type { EntrantInfo, RunChange } from './data.js'
import type { Database } from './database.js'
import { setDigest } from './digests.js'
import { bytes, readEntry, rewriteRow, writeEntrants } from './entries.js'

/**
 * Gives a run other entrants, and what follows from them; who is out, rulings and the log stay. It holds no match then: those that it is
 * to have again are there to be adopted. Within a write.
 */
export function changeRun(db: Database, id: string, change: RunChange, entrants: readonly EntrantInfo[]): void {
  const { number } = readEntry(db, id)
  for (const table of ['run_entrant', 'run_match', 'segment', 'pair', 'fault_count', 'rating'])
    db.run(`DELETE FROM ${table} WHERE run = ?`, number)
  for (const part of ['counts', 'matches', 'segments', 'rating'] as const) setDigest(db, number, part, 0)
  const { agon, title, tournament, identity, plan } = change
  rewriteRow(db, number, { agon, title, tournament: bytes(tournament), identity, plan })
  writeEntrants(db, number, entrants)
}
