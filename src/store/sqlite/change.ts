import type { EntrantInfo, RunChange } from '../data.js'
import { BY_MATCHES, SUMS_BY_MATCHES } from '../parts.js'
import { bytes } from '../run-rows.js'
import type { Database } from './database.js'
import { setDigest } from './digests.js'
import { readEntry, rewriteRow, writeEntrants } from './entries.js'

/**
 * Gives a run other entrants, and what follows from them; who is out, rulings and the log stay. It holds no match then: those that it is
 * to have again are there to be adopted. Within a write.
 */
export function changeRun(db: Database, id: string, change: RunChange, entrants: readonly EntrantInfo[]): void {
  const { number } = readEntry(db, id)
  for (const table of BY_MATCHES) db.run(`DELETE FROM ${table} WHERE run = ?`, number)
  for (const part of SUMS_BY_MATCHES) setDigest(db, number, part, 0)
  const { agon, title, tournament, identity, plan } = change
  rewriteRow(db, number, { agon, title, tournament: bytes(tournament), identity, plan })
  writeEntrants(db, number, entrants)
}
