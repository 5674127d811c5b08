import type { MatchRecord } from '../../core/index.js'
import type { Spread } from '../../core/spread.js'
import { BytesError } from '../bytes.js'
import { damaged } from '../damage.js'
import type { AddedMatch } from '../stored-match.js'
import { segmentSum } from '../seals.js'
import { type Parts, addTimes, eachEntry, FULL, readTimes, SegmentWriter, timesData } from '../segment.js'
import { minus, plus } from '../sums.js'
import type { Database } from './database.js'
import { refuseDamage } from './digests.js'
import type { Unpacker } from './packs.js'

/** A run's last segment, as it is continued. */
interface Open {
  readonly number: number
  readonly writer: SegmentWriter
  /** Of its matches; absent: not of all of them. */
  readonly times: Map<number, Spread> | undefined
  /** The checksum under which it was stored; undefined: it was not yet. */
  stored: number | undefined
}

interface Head {
  readonly number: number
  readonly games: number
  readonly sum: number
}

interface Row extends Head {
  readonly data: Uint8Array
  readonly times: Uint8Array | null
}

/** Writes the segments of runs. The last of each is kept at hand, so that a match that lands adds its bytes and no more. */
export class Segments {
  private readonly open = new Map<number, Open>()

  constructor(
    private readonly db: Database,
    private readonly unpacker: Pick<Unpacker, 'record'>,
  ) {}

  /** The record of a match that is there. */
  recordOf(match: number): MatchRecord {
    return this.unpacker.record(match)
  }

  /**
   * Adds matches to a run, in this order. Their rows and records are there. Returns what is to be added to the checksum of the run's segments.
   * Within a write.
   */
  append(run: number, games: readonly AddedMatch[]): number {
    if (games.length === 0) return 0
    let added = 0
    let open = this.last(run)
    for (const game of games) {
      if (open.writer.games === FULL) open = begin(open.number + 1)
      open.writer.add(game)
      if (open.times) addTimes(open.times, game.record, game.seats)
      if (open.writer.games === FULL) added = plus(added, this.save(run, open))
    }
    if (open.writer.games < FULL) added = plus(added, this.save(run, open))
    this.open.set(run, open)
    this.db.keep(`the last segment of ${run}`, open.stored)
    return added
  }

  /** What was at hand may be as it was before another process, or a write that failed: the file says. */
  private last(run: number): Open {
    const known = this.open.get(run)
    if (known !== undefined && known.stored === this.db.recall(`the last segment of ${run}`)) return known
    const head = lastHead(this.db, run)
    if (head === undefined) return begin(0)
    if (known?.number === head.number && known.stored === head.sum && known.writer.games === head.games) return known
    if (head.games >= FULL) return begin(head.number + 1)
    const row = rowOf(this.db, run, head)
    return {
      number: head.number,
      writer: whole(this.db, () => SegmentWriter.from(row.data)),
      times: undefined,
      stored: head.sum,
    }
  }

  /** Returns what its checksum has grown by. */
  private save(run: number, open: Open): number {
    const { number, writer, stored } = open
    const data = writer.data()
    const times = writer.games === FULL ? this.timesOf(open, data) : null
    const sum = segmentSum(run, { number, games: writer.games, data, times })
    if (stored === undefined) {
      this.db.run(
        'INSERT INTO segment (run, number, games, sum, data, times) VALUES (?, ?, ?, ?, ?, ?)',
        run,
        number,
        writer.games,
        sum,
        data,
        times,
      )
    } else {
      this.db.run(
        'UPDATE segment SET games = ?, sum = ?, data = ?, times = ? WHERE run = ? AND number = ?',
        writer.games,
        sum,
        data,
        times,
        run,
        number,
      )
    }
    open.stored = sum
    return minus(sum, stored ?? 0)
  }

  /** Null where a record cannot be read: a question for times throws that error. */
  private timesOf({ times }: Open, data: Uint8Array): Uint8Array | null {
    if (times !== undefined) return timesData(times)
    try {
      return timesData(timesByRecords(this.unpacker, data))
    } catch {
      return null
    }
  }
}

const begin = (number: number): Open => ({
  number,
  writer: new SegmentWriter(),
  times: new Map(),
  stored: undefined,
})

function timesByRecords(unpacker: Pick<Unpacker, 'record'>, data: Uint8Array): Map<number, Spread> {
  const times = new Map<number, Spread>()
  eachEntry(data, ({ match, seats }) => addTimes(times, unpacker.record(match), seats))
  return times
}

/** The heads of a run's segments, in order. Throws UserError where they are not those that were written. */
export function headsOf(db: Database, run: number): readonly Head[] {
  const heads = db.all<Head>('SELECT number, games, sum FROM segment WHERE run = ? ORDER BY number', run)
  refuseDamage(
    db,
    run,
    'segments',
    heads.reduce((sum, head) => plus(sum, head.sum), 0),
  )
  return heads
}

/** The head of a run's last segment; undefined: it has none. */
export const lastHead = (db: Database, run: number): Head | undefined =>
  db.get<Head>('SELECT number, games, sum FROM segment WHERE run = ? ORDER BY number DESC LIMIT 1', run)

/** How many matches a run has whose last segment has that head. */
export const matchesUpTo = (last: Head | undefined): number =>
  last === undefined ? 0 : last.number * FULL + last.games

/** The head of one of a run's segments. Throws UserError where it is not there. */
export function headAt(db: Database, run: number, number: number): Head {
  const head = db.get<Head>('SELECT number, games, sum FROM segment WHERE run = ? AND number = ?', run, number)
  if (head === undefined) throw damaged(db.file)
  return head
}

/** A segment. Throws UserError where it is not as it was written. */
function rowOf(db: Database, run: number, head: Head): Row {
  const row = db.get<Row>(
    'SELECT number, games, sum, data, times FROM segment WHERE run = ? AND number = ?',
    run,
    head.number,
  )
  if (row === undefined || row.sum !== head.sum || segmentSum(run, row) !== row.sum) throw damaged(db.file)
  return row
}

/** Goes through the entries of a segment. Throws UserError where it is not as it was written. */
export const readSegment = (db: Database, run: number, head: Head, take: (parts: Parts) => void): void =>
  withSegment(db, run, head, (data) => eachEntry(data, take))

/** Gives the bytes of a segment to `read`. Throws UserError where it is not as it was written. */
export function withSegment(db: Database, run: number, head: Head, read: (data: Uint8Array) => void): void {
  const { data } = rowOf(db, run, head)
  whole(db, () => read(data))
}

/** The segments that were read last, the latest at the end. Their checksums say whether they are still the same. */
const recent = new WeakMap<Database, Map<string, { readonly sum: number; readonly entries: readonly Parts[] }>>()
const RECENT = 32

/**
 * The entries of a segment. Those that were read last are kept: pages and lists begin with the newest ones over and over. Throws UserError
 * where it is not as it was written.
 */
export function entriesOf(db: Database, run: number, head: Head): readonly Parts[] {
  const known = recent.get(db) ?? new Map<string, { readonly sum: number; readonly entries: readonly Parts[] }>()
  recent.set(db, known)
  const key = `${run} ${head.number}`
  const there = known.get(key)
  known.delete(key)
  if (there?.sum === head.sum && there.entries.length === head.games) {
    known.set(key, there)
    return there.entries
  }
  const entries: Parts[] = []
  readSegment(db, run, head, (parts) => entries.push(parts))
  for (const oldest of known.keys()) {
    if (known.size < RECENT) break
    known.delete(oldest)
  }
  known.set(key, { sum: head.sum, entries })
  return entries
}

/** By entrant: how long its answers took in a run. Throws UserError where that is not as it was written. */
export function readSpreads(db: Database, run: number, unpacker: Pick<Unpacker, 'record'>): Map<number, Spread> {
  const spreads = new Map<number, Spread>()
  for (const head of headsOf(db, run)) {
    const { data, times } = rowOf(db, run, head)
    whole(db, () => {
      if (times !== null) readTimes(times, spreads)
      else for (const [entrant, spread] of timesByRecords(unpacker, data)) merge(spreads, entrant, spread)
    })
  }
  return spreads
}

function merge(spreads: Map<number, Spread>, entrant: number, spread: Spread): void {
  const known = spreads.get(entrant)
  if (known === undefined) spreads.set(entrant, spread)
  else known.merge(spread)
}

/** Bytes that are whole and yet hold nothing: no writer makes such. */
function whole<T>(db: Database, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof BytesError ? damaged(db.file) : error
  }
}
