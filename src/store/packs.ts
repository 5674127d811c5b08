import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { type Database, damaged } from './database.js'
import type { MatchRecord } from '../core/index.js'
import { PRIME, sumOf, sumOfBytes } from './sums.js'

/*
 * Theory of operation.
 *
 * Records are alike, so many together pack far better than each alone. Sixty-four of them, or fewer where they come to 16 MiB
 * before, make a pack: their lines joined, compressed by brotli at quality 2. A batch fills its packs at once; what does not
 * fill one lands, in the same transaction as its match, as a loose line, and the write that fills a pack with the loose ones
 * packs them. So a record is on disk from the moment its match is, and packing is never on anyone's way for long.
 *
 * The bound on bytes is there because the size of a record is partly a bot's to choose. Packs are joined and split as bytes:
 * no text of a whole pack is ever made, and one that was written without the bound is read as well.
 */
const PACK = 64
/** Bytes of lines that fill a pack. A longer record has one to itself. */
const PACK_BYTES = 16 * 1024 ** 2

/** Where a record lies: in a slot of a pack, or, with neither, among the loose ones. */
export interface Place {
  readonly pack: number | null
  readonly slot: number | null
}
const LOOSE: Place = { pack: null, slot: null }

/** Packs as many records as fill packs; the rest of them are to be stored as loose ones. Within a write. */
export function packRecords(db: Database, lines: readonly string[]): Place[] {
  const places: Place[] = []
  const sizes = lines.map((line) => Buffer.byteLength(line))
  for (let at = 0, n = 0; (n = filling(sizes, at)) > 0; at += n) {
    const id = insertPack(db, lines.slice(at, at + n))
    for (let slot = 0; slot < n; slot++) places.push(id === undefined ? LOOSE : { pack: id, slot })
  }
  return lines.map((_, i) => places[i] ?? LOOSE)
}

/** Lines in order, in portions of a pack each; what is left at the end fills none. */
export function portions(lines: readonly string[]): (readonly string[])[] {
  const sizes = lines.map((line) => Buffer.byteLength(line))
  const packs: (readonly string[])[] = []
  let at = 0
  for (let n = 0; (n = filling(sizes, at)) > 0; at += n) packs.push(lines.slice(at, at + n))
  if (at < lines.length) packs.push(lines.slice(at))
  return packs
}

/** How many of the records of these sizes, from one on, fill a pack; 0: they do not. */
function filling(sizes: readonly number[], from: number): number {
  let bytes = 0
  for (let n = 0; from + n < sizes.length; n++) {
    bytes += (sizes[from + n] as number) + 1
    if (bytes > PACK_BYTES) return Math.max(1, n)
    if (n + 1 === PACK) return PACK
  }
  return 0
}

interface Loose {
  readonly match: number
  readonly record: string
}
interface LooseRow extends Loose {
  readonly sum: number
}

/** The checksum of where the record of a match of that checksum lies: a changed slot would give another match's record. */
export const heldSum = (match: number, { pack, slot }: Place): number =>
  (match + ((pack ?? -1) + 2) * 67_867_967 + ((slot ?? -1) + 2) * 15_485_863) % PRIME

/** Stores records that fill no pack yet, and packs them once they do, with those from before. Within a write. */
export function storeLoose(db: Database, loose: readonly Loose[]): void {
  for (const { match, record } of loose)
    db.run('INSERT INTO loose (match, record, sum) VALUES (?, ?, ?)', match, record, sumOf(match, record))
  if (loose.length === 0) return
  while (packLoose(db)) continue
}

/** Packs the first loose records, where they fill a pack. False: they do not, or they cannot be packed and stay as they are. */
function packLoose(db: Database): boolean {
  const sizes = db
    .all<{ size: number }>('SELECT octet_length(record) AS size FROM loose ORDER BY match LIMIT ?', PACK)
    .map(({ size }) => size)
  const n = filling(sizes, 0)
  if (n === 0) return false
  const first = db.all<LooseRow>('SELECT match, record, sum FROM loose ORDER BY match LIMIT ?', n)
  // What is damaged is not packed with the others: it would be believed from then on.
  if (first.some(({ match, record, sum }) => sumOf(match, record) !== sum)) return false
  const id = insertPack(
    db,
    first.map(({ record }) => record),
  )
  if (id === undefined) return false
  for (const [slot, { match }] of first.entries())
    db.run(
      'UPDATE match SET pack = ?, slot = ?, held = ? WHERE id = ?',
      id,
      slot,
      heldSum(sumAt(db, match), { pack: id, slot }),
      match,
    )
  db.run('DELETE FROM loose WHERE match <= ?', first.at(-1)?.match ?? 0)
  return true
}

const sumAt = (db: Database, match: number): number =>
  db.get<{ sum: number }>('SELECT sum FROM match WHERE id = ?', match)?.sum ?? 0

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

/** Lines as the bytes of a pack; undefined where they cannot be packed. */
export function joined(lines: readonly string[]): Uint8Array | undefined {
  try {
    return squeeze(
      Buffer.concat(lines.flatMap((line, i) => (i === 0 ? [Buffer.from(line)] : [END, Buffer.from(line)]))),
    )
  } catch {
    return undefined
  }
}
const END = Buffer.from('\n')

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
    const place = this.db.get<Place & { sum: number; held: number }>(
      'SELECT pack, slot, sum, held FROM match WHERE id = ?',
      match,
    )
    if (place === undefined || place.held !== heldSum(place.sum, place)) throw damaged(this.db.file)
    return this.lineAt(match, place)
  }

  /** The record that lies where a match says that its own does, whether or not it is: to be compared by whoever mends. */
  recordAt(match: number): MatchRecord {
    const place = this.db.get<Place>('SELECT pack, slot FROM match WHERE id = ?', match)
    if (place === undefined) throw damaged(this.db.file)
    return this.db.parse(this.lineAt(match, place))
  }

  private lineAt(match: number, { pack, slot }: Place): string {
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

/** The lines of a pack: its bytes, and where each line ends. */
export interface Lines {
  readonly data: Buffer
  readonly ends: readonly number[]
}

/** Opens a pack. Throws UserError, which names the file, where the bytes in it are damaged. */
export function linesOf(file: string, packed: Uint8Array): Lines {
  const data = open(file, packed)
  const ends: number[] = []
  for (let at = data.indexOf(END); at >= 0; at = data.indexOf(END, at + 1)) ends.push(at)
  return { data, ends: [...ends, data.length] }
}

/** One line of a pack; undefined: it has none there. */
export function lineOf({ data, ends }: Lines, slot: number): string | undefined {
  const end = ends[slot]
  return end === undefined ? undefined : data.toString('utf8', slot === 0 ? 0 : (ends[slot - 1] ?? 0) + 1, end)
}

export const compress = (text: string): Uint8Array => squeeze(Buffer.from(text))
/** Throws UserError, which names the file, where the bytes in it are damaged. */
export const expand = (file: string, data: Uint8Array): string => open(file, data).toString()

const squeeze = (data: Uint8Array): Uint8Array =>
  brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })

/** Bytes that a pack opens to, at most: a few could else be made to fill all memory. */
const OPENED_BYTES = 1024 ** 3

function open(file: string, data: Uint8Array): Buffer {
  try {
    return brotliDecompressSync(data, { maxOutputLength: OPENED_BYTES })
  } catch {
    throw damaged(file)
  }
}
