import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { type Database, damaged } from './database.js'
import type { MatchRecord } from '../core/index.js'

/*
 * Theory of operation.
 *
 * Records are alike, so many together pack far better than each alone. Sixty-four of them make a pack: their lines joined,
 * compressed by brotli at quality 2. A batch fills its packs at once; what does not fill one lands, in the same transaction as
 * its match, as a loose line, and the write that brings the loose ones to sixty-four packs them. So a record is on disk from
 * the moment its match is, and packing is never on anyone's way for more than a millisecond or two.
 */
const PACK = 64

/** Where a record lies: in a slot of a pack, or, with neither, among the loose ones. */
export interface Place {
  readonly pack: number | null
  readonly slot: number | null
}
const LOOSE: Place = { pack: null, slot: null }

/** Packs as many records as fill packs; the rest of them are to be stored as loose ones. Within a write. */
export function packRecords(db: Database, lines: readonly string[]): Place[] {
  const places: Place[] = []
  for (let at = 0; at + PACK <= lines.length; at += PACK) {
    const id = insertPack(db, lines.slice(at, at + PACK))
    for (let slot = 0; slot < PACK; slot++) places.push({ pack: id, slot })
  }
  return lines.map((_, i) => places[i] ?? LOOSE)
}

interface Loose {
  readonly match: number
  readonly record: string
}

/** Stores records that fill no pack yet, and packs them once they do, with those from before. Within a write. */
export function storeLoose(db: Database, loose: readonly Loose[]): void {
  for (const { match, record } of loose) db.run('INSERT INTO loose (match, record) VALUES (?, ?)', match, record)
  if (loose.length === 0 || (db.get<{ n: number }>('SELECT count(*) AS n FROM loose')?.n ?? 0) < PACK) return
  const first = db.all<Loose>('SELECT match, record FROM loose ORDER BY match LIMIT ?', PACK)
  const id = insertPack(
    db,
    first.map(({ record }) => record),
  )
  for (const [slot, { match }] of first.entries())
    db.run('UPDATE match SET pack = ?, slot = ? WHERE id = ?', id, slot, match)
  db.run('DELETE FROM loose WHERE match <= ?', first.at(-1)?.match ?? 0)
}

const insertPack = (db: Database, lines: readonly string[]): number =>
  db.run('INSERT INTO pack (data) VALUES (?)', compress(lines.join('\n'))).id

/** Removes the records of matches that are gone: loose lines, and packs that nothing points into. Within a write. */
export function sweepRecords(db: Database): void {
  db.run('DELETE FROM loose WHERE match NOT IN (SELECT id FROM match)')
  db.run('DELETE FROM pack WHERE id NOT IN (SELECT pack FROM match WHERE pack IS NOT NULL)')
}

/** Reads records, and keeps the packs that were opened last: who reads one mostly reads its neighbours next. */
export class Unpacker {
  private readonly open = new Map<number, readonly string[]>()

  constructor(private readonly db: Database) {}

  record(match: number): MatchRecord {
    return this.db.parse(this.line(match))
  }

  /** A match's record as a line of JSON. */
  private line(match: number): string {
    const place = this.db.get<Place>('SELECT pack, slot FROM match WHERE id = ?', match)
    const line =
      typeof place?.pack === 'number'
        ? this.unpack(place.pack)[place.slot ?? 0]
        : this.db.get<Loose>('SELECT match, record FROM loose WHERE match = ?', match)?.record
    if (line === undefined) throw damaged(this.db.file)
    return line
  }

  private unpack(id: number): readonly string[] {
    const known = this.open.get(id)
    if (known !== undefined) return known
    const data = this.db.get<{ data: Uint8Array }>('SELECT data FROM pack WHERE id = ?', id)?.data
    const lines = data === undefined ? [] : expand(this.db.file, data).split('\n')
    if (this.open.size >= OPEN) this.open.delete(this.open.keys().next().value ?? 0)
    this.open.set(id, lines)
    return lines
  }
}
const OPEN = 8

export function compress(text: string): Uint8Array {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })
}
/** Throws UserError, which names the file, where the bytes in it are damaged. */
export function expand(file: string, data: Uint8Array): string {
  try {
    return brotliDecompressSync(data).toString()
  } catch {
    throw damaged(file)
  }
}
