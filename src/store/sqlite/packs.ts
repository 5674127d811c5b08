import type { MatchRecord } from '../../core/index.js'
import { damaged } from '../damage.js'
import {
  type Lines,
  type RecordPlace,
  filling,
  heldSum,
  joined,
  lineOf,
  linesOf,
  LOOSE,
  PACK,
  PACK_BYTES,
} from '../packing.js'
import { sumOf, sumOfBytes } from '../sums.js'
import type { Database } from './database.js'

/** Packs as many records as fill packs, and returns their places; the rest of them are to be stored as loose ones. Within a write. */
export function packRecords(db: Database, lines: readonly string[]): RecordPlace[] {
  const places: RecordPlace[] = []
  const sizes: number[] = []
  for (const line of lines) sizes.push(Buffer.byteLength(line))
  for (let at = 0, n = 0; (n = filling(sizes, at)) > 0; at += n) {
    const id = insertPack(db, lines.slice(at, at + n))
    for (let slot = 0; slot < n; slot++) places.push(id === undefined ? LOOSE : { pack: id, slot })
  }
  return places
}

interface Loose {
  readonly match: number
  readonly record: string
}

interface LooseRow extends Loose {
  readonly sum: number
}
interface WaitingRow extends LooseRow {
  /** The checksum of its match. */
  readonly sealed: number
}

/** Stores records that fill no pack yet, and packs them once they do, with those from before. Within a write. */
export function storeLoose(db: Database, loose: readonly Loose[]): void {
  if (loose.length === 0) return
  let bytes = 0
  for (const { match, record } of loose) {
    db.run('INSERT INTO loose (match, record, sum) VALUES (?, ?, ?)', match, record, sumOf(match, record))
    bytes += Buffer.byteLength(record) + 1
  }
  if (!mayFill(db, loose.length, bytes)) return
  while (packLoose(db)) continue
}

/**
 * Loose records and their bytes, as this process knows them: those that were there when it looked last, and its own since. To look costs
 * more than to store one. They say only when to look again: those of other processes are packed with the next pack's.
 */
const waiting = new WeakMap<Database, { readonly records: number; readonly bytes: number }>()

/** Whether the loose records may fill a pack, with so many more. */
function mayFill(db: Database, records: number, bytes: number): boolean {
  const known = waiting.get(db)
  if (known === undefined) return true
  const now = { records: known.records + records, bytes: known.bytes + bytes }
  waiting.set(db, now)
  return now.records >= PACK || now.bytes > PACK_BYTES
}

/** Packs the first loose records, where they fill a pack. False: they do not, or they cannot be packed and stay as they are. */
function packLoose(db: Database): boolean {
  // Where they do not, one row says so; their sizes would be a row each.
  const { records, bytes } = db.get<{ records: number; bytes: number }>(
    'SELECT count(*) AS records, coalesce(sum(size + 1), 0) AS bytes FROM (SELECT octet_length(record) AS size FROM loose ORDER BY match LIMIT ?)',
    PACK,
  ) ?? { records: 0, bytes: 0 }
  waiting.set(db, { records, bytes })
  if (records < PACK && bytes <= PACK_BYTES) return false
  const n = bytes > PACK_BYTES ? filling(firstSizes(db), 0) : records
  if (n === 0) return false
  const first = db.all<WaitingRow>(
    'SELECT l.match, +l.record AS record, l.sum, coalesce(m.sum, 0) AS sealed FROM loose l LEFT JOIN match m ON m.id = l.match ORDER BY l.match LIMIT ?',
    n,
  )
  // What is damaged, of any type, is not packed with the others: it would be believed from then on.
  if (first.some(({ match, record, sum }) => sumOf(match, record) !== sum)) return false
  const id = insertPack(
    db,
    first.map(({ record }) => record),
  )
  if (id === undefined) return false
  for (const [slot, { match, sealed }] of first.entries())
    db.run(
      'UPDATE match SET pack = ?, slot = ?, held = ? WHERE id = ?',
      id,
      slot,
      heldSum(sealed, { pack: id, slot }),
      match,
    )
  db.run('DELETE FROM loose WHERE match <= ?', first.at(-1)?.match ?? 0)
  return true
}

/** The sizes of the first loose records. */
const firstSizes = (db: Database): number[] =>
  db
    .all<{ size: number }>('SELECT octet_length(record) AS size FROM loose ORDER BY match LIMIT ?', PACK)
    .map(({ size }) => size)

/**
 * Its number is known before it is written, as the checksum covers it: no number is ever used twice. Undefined where the lines
 * cannot be packed (no memory for it, or more than a cell of the file holds): that is no reason to lose the match.
 */
function insertPack(db: Database, lines: readonly string[]): number | undefined {
  const data = joined(lines)
  if (data === undefined || data.length > CELL_BYTES) return undefined
  const id = (db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'pack'")?.seq ?? 0) + 1
  db.run('INSERT INTO pack (id, data, sum) VALUES (?, ?, ?)', id, data, sumOfBytes(id, data))
  return id
}

/** Bytes that SQLite lets one value have, with room to spare. */
const CELL_BYTES = 900_000_000

/** Removes the records of matches that are gone: loose lines, and packs that nothing points into. Within a write. */
export function sweepRecords(db: Database): void {
  db.run('DELETE FROM loose WHERE match NOT IN (SELECT id FROM match)')
  db.run('DELETE FROM pack WHERE id NOT IN (SELECT pack FROM match WHERE pack IS NOT NULL)')
}

/** Reads records, and keeps the packs that were opened last: who reads one mostly reads its neighbours next. */
export class Unpacker {
  private readonly open = new Map<number, Lines>()

  constructor(private readonly db: Database) {}

  record(match: number): MatchRecord {
    return this.db.parse(this.line(match))
  }

  /** A match's record as a line of JSON. Throws UserError where it is not as it was written. */
  line(match: number): string {
    const place = this.db.get<RecordPlace & { sum: number; held: number }>(
      'SELECT pack, slot, sum, held FROM match WHERE id = ?',
      match,
    )
    if (place === undefined || place.held !== heldSum(place.sum, place)) throw damaged(this.db.file)
    return this.lineAt(match, place)
  }

  /** The record that lies where a match says that its own does, whether or not it is: the check that mends a store compares them. */
  recordAt(match: number): MatchRecord {
    const place = this.db.get<RecordPlace>('SELECT pack, slot FROM match WHERE id = ?', match)
    if (place === undefined) throw damaged(this.db.file)
    return this.db.parse(this.lineAt(match, place))
  }

  private lineAt(match: number, { pack, slot }: RecordPlace): string {
    const line = typeof pack === 'number' ? lineOf(this.unpack(pack), slot ?? 0) : this.loose(match)
    if (line === undefined) throw damaged(this.db.file)
    return line
  }

  private loose(match: number): string | undefined {
    const row = this.db.get<LooseRow>('SELECT match, record, sum FROM loose WHERE match = ?', match)
    return row !== undefined && row.sum === sumOf(row.match, row.record) ? row.record : undefined
  }

  private unpack(id: number): Lines {
    const known = this.open.get(id)
    if (known !== undefined) return known
    const pack = this.db.get<{ data: Uint8Array; sum: number }>('SELECT data, sum FROM pack WHERE id = ?', id)
    if (pack === undefined || pack.sum !== sumOfBytes(id, pack.data)) throw damaged(this.db.file)
    const lines = linesOf(this.db.file, pack.data)
    let held = lines.data.length
    for (const { data } of this.open.values()) held += data.length
    for (const [first, { data }] of this.open) {
      if (this.open.size < OPEN && held <= OPEN_BYTES) break
      this.open.delete(first)
      held -= data.length
    }
    this.open.set(id, lines)
    return lines
  }
}

const OPEN = 8

const OPEN_BYTES = 4 * PACK_BYTES
