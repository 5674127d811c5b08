import { createHash } from 'node:crypto'
import { type Database, damaged } from './database.js'
import { compress, expand } from './packs.js'
import type { Kept, Snapshot } from './port.js'

interface KeptRow {
  readonly now: Uint8Array
  readonly start: Uint8Array | null
}

/** What an entrant holds on disk in a tournament. */
export function readKept(db: Database, tournament: Uint8Array, entrant: string): Kept | undefined {
  const row = rowOf(db, tournament, entrant)
  if (row === undefined) return undefined
  return { now: load(db, row.now), ...(row.start !== null && { start: load(db, row.start) }) }
}

/** Replaces it; the same contents are stored once, and those that nobody holds any more are removed. Within a write. */
export function writeKept(db: Database, tournament: Uint8Array, entrant: string, { now, start }: Kept): void {
  const before = rowOf(db, tournament, entrant)
  db.run(
    'INSERT INTO kept (tournament, entrant, now, start) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET now = excluded.now, start = excluded.start',
    tournament,
    entrant,
    keep(db, now),
    start === undefined ? null : keep(db, start),
  )
  for (const hash of before === undefined ? [] : [before.now, before.start]) {
    if (hash !== null) db.run(`DELETE FROM snapshot WHERE hash = ?1 AND ${UNHELD}`, hash)
  }
}
const UNHELD = 'NOT EXISTS (SELECT 1 FROM kept WHERE now = ?1) AND NOT EXISTS (SELECT 1 FROM kept WHERE start = ?1)'

/** Forgets all that was kept in a tournament. Within a write. */
export function dropKept(db: Database, tournament: Uint8Array): void {
  db.run('DELETE FROM kept WHERE tournament = ?', tournament)
  db.run(
    'DELETE FROM snapshot WHERE hash NOT IN (SELECT now FROM kept) AND hash NOT IN (SELECT start FROM kept WHERE start IS NOT NULL)',
  )
}

const rowOf = (db: Database, tournament: Uint8Array, entrant: string): KeptRow | undefined =>
  db.get<KeptRow>('SELECT now, start FROM kept WHERE tournament = ? AND entrant = ?', tournament, entrant)

function keep(db: Database, snapshot: Snapshot): Uint8Array {
  const text = JSON.stringify(Object.fromEntries(Object.entries(snapshot).sort(([a], [b]) => (a < b ? -1 : 1))))
  const hash = createHash('sha256').update(text).digest().subarray(0, 16)
  if (db.get('SELECT 1 FROM snapshot WHERE hash = ?', hash) === undefined)
    db.run('INSERT INTO snapshot (hash, data) VALUES (?, ?)', hash, compress(text))
  return hash
}

function load(db: Database, hash: Uint8Array): Snapshot {
  const row = db.get<{ data: Uint8Array }>('SELECT data FROM snapshot WHERE hash = ?', hash)
  if (row === undefined) throw damaged(db.file)
  return db.parse<Snapshot>(expand(db.file, row.data))
}
