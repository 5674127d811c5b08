import { damaged } from '../damage.js'
import type { KeptFiles, Snapshot } from '../data.js'
import { type KeptRow, keptSum, packSnapshot, rowSum, unpackSnapshot } from '../kept.js'
import { compress } from '../packing.js'
import { minus, plus } from '../sums.js'
import type { Database } from './database.js'

/** All that is kept in a tournament, as it lies there: what is lost would be a bot that begins with nothing. */
const keptRows = (db: Database, tournament: Uint8Array): KeptRow[] =>
  db.all<KeptRow>('SELECT entrant, now, start FROM kept WHERE tournament = ? ORDER BY entrant', tournament)

const keptStored = (db: Database, tournament: Uint8Array): number =>
  db.get<{ sum: number }>('SELECT sum FROM kept_sum WHERE tournament = ?', tournament)?.sum ?? 0

/** Replaces the checksum of all that is kept in a tournament. Within a write. */
function sealKept(db: Database, tournament: Uint8Array, sum: number): void {
  db.run('INSERT OR REPLACE INTO kept_sum (tournament, sum) VALUES (?, ?)', tournament, sum)
}

/** What an entrant holds on disk in a tournament. Throws UserError where it is not as it was written. */
export function readKept(db: Database, tournament: Uint8Array, entrant: string): KeptFiles | undefined {
  const rows = keptRows(db, tournament)
  if (keptSum(rows) !== keptStored(db, tournament)) throw damaged(db.file)
  const row = rows.find((one) => one.entrant === entrant)
  if (row === undefined) return undefined
  return { now: load(db, row.now), start: row.start === null ? undefined : load(db, row.start) }
}

/** Replaces it; the same contents are stored once, and contents that no entrant holds any more are removed. Within a write. */
export function writeKept(db: Database, tournament: Uint8Array, entrant: string, { now, start }: KeptFiles): void {
  const before = rowOf(db, tournament, entrant)
  const row = { entrant, now: keep(db, now), start: start === undefined ? null : keep(db, start) }
  db.run(
    'INSERT INTO kept (tournament, entrant, now, start) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET now = excluded.now, start = excluded.start',
    tournament,
    entrant,
    row.now,
    row.start,
  )
  sealKept(db, tournament, plus(minus(keptStored(db, tournament), before ? rowSum(before) : 0), rowSum(row)))
  for (const hash of before === undefined ? [] : [before.now, before.start]) {
    if (hash !== null) db.run(`DELETE FROM snapshot WHERE hash = ?1 AND ${UNHELD}`, hash)
  }
}

const UNHELD = 'NOT EXISTS (SELECT 1 FROM kept WHERE now = ?1) AND NOT EXISTS (SELECT 1 FROM kept WHERE start = ?1)'

/** Forgets all that was kept in a tournament. Within a write. */
export function dropKept(db: Database, tournament: Uint8Array): void {
  db.run('DELETE FROM kept WHERE tournament = ?', tournament)
  db.run('DELETE FROM kept_sum WHERE tournament = ?', tournament)
  db.run(
    'DELETE FROM snapshot WHERE hash NOT IN (SELECT now FROM kept) AND hash NOT IN (SELECT start FROM kept WHERE start IS NOT NULL)',
  )
}

const rowOf = (db: Database, tournament: Uint8Array, entrant: string): KeptRow | undefined =>
  db.get<KeptRow>('SELECT entrant, now, start FROM kept WHERE tournament = ? AND entrant = ?', tournament, entrant)

function keep(db: Database, snapshot: Snapshot): Uint8Array {
  const { hash, text } = packSnapshot(snapshot)
  if (db.get('SELECT 1 FROM snapshot WHERE hash = ?', hash) === undefined)
    db.run('INSERT INTO snapshot (hash, data) VALUES (?, ?)', hash, compress(text))
  return hash
}

function load(db: Database, hash: Uint8Array): Snapshot {
  const row = db.get<{ data: Uint8Array }>('SELECT data FROM snapshot WHERE hash = ?', hash)
  if (row === undefined) throw damaged(db.file)
  return unpackSnapshot(db.file, hash, row.data)
}
