import type { Spread } from '../../core/spread.js'
import { BytesError } from '../bytes.js'
import type { SegmentHead } from '../held-matches.js'
import type { AddedMatch } from '../stored-match.js'
import { segmentSum } from '../seals.js'
import { type Parts, addTimes, eachEntry, FULL, readTimes, SegmentWriter, timesData } from '../segment.js'
import { minus, plus } from '../sums.js'
import { addDigests, readDigests } from './digests.js'
import { damagedAt } from './errors.js'
import type { Sql } from './server.js'
import { together } from './together.js'

/*
 * The segments of the file (`../segment.ts`), of the same bytes. Many processes add to one run, so none keeps the last segment at hand: it
 * is read and continued. So that no record is asked for then, the times of a segment that is not full are stored too.
 */

interface Row {
  readonly number: number
  readonly games: number
  readonly sum: number
  readonly data: Buffer
  readonly times: Buffer
}
/** A segment that is written on. */
export interface OpenSegment {
  readonly number: number
  readonly writer: SegmentWriter
  readonly times: Map<number, Spread>
  /** The checksum under which it was stored; 0: it was not yet. */
  readonly stored: number
}

/** Segments that are read at once. */
const AT_ONCE = 256

/** Adds matches to a run, in this order. Within a write that holds the run's lock. `last`: its open segment, where it was read in this write. */
export async function appendMatches(
  sql: Sql,
  run: number,
  games: readonly AddedMatch[],
  last?: OpenSegment,
): Promise<void> {
  if (games.length === 0) return
  const open = [last ?? (await lastOpen(sql, run))]
  for (const game of games) {
    let at = open.at(-1) as OpenSegment
    if (at.writer.games === FULL) open.push((at = begin(at.number + 1)))
    at.writer.add(game)
    addTimes(at.times, game.record, game.seats)
  }
  const rows = open.map(({ number, writer, times }) => {
    const row = { number, games: writer.games, data: writer.data(), times: timesData(times) }
    return { ...row, sum: segmentSum(run, row) }
  })
  let added = 0
  for (const [i, { sum }] of rows.entries()) added = plus(added, minus(sum, open[i]?.stored ?? 0))
  const writing = sql.run(
    `INSERT INTO agon.segment (run, number, games, sum, data, times)
     SELECT $1::integer, * FROM unnest($2::integer[], $3::integer[], $4::bigint[], $5::bytea[], $6::bytea[])
     ON CONFLICT (run, number) DO UPDATE SET games = excluded.games, sum = excluded.sum, data = excluded.data, times = excluded.times`,
    run,
    rows.map(({ number }) => number),
    rows.map((row) => row.games),
    rows.map(({ sum }) => sum),
    rows.map(({ data }) => data),
    rows.map(({ times }) => times),
  )
  await together([writing, addDigests(sql, run, { segments: added })])
}

const begin = (number: number): OpenSegment => ({ number, writer: new SegmentWriter(), times: new Map(), stored: 0 })

/** The last segment of a run where it is not full, else a new one. */
export async function lastOpen(sql: Sql, run: number): Promise<OpenSegment> {
  const row = await sql.get<Row>(
    'SELECT number, games, sum, data, times FROM agon.segment WHERE run = $1 ORDER BY number DESC LIMIT 1',
    run,
  )
  if (row === undefined) return begin(0)
  if (row.games >= FULL) return begin(row.number + 1)
  if (segmentSum(run, row) !== row.sum) throw damagedAt(sql.where)
  const times = new Map<number, Spread>()
  return whole(sql, () => {
    readTimes(row.times, times)
    return { number: row.number, writer: SegmentWriter.from(row.data), times, stored: row.sum }
  })
}

/** Which segment of a run is its last, and how many matches it holds; undefined: the run has none. */
export const lastHead = (sql: Sql, run: number): Promise<{ number: number; games: number } | undefined> =>
  sql.get('SELECT number, games FROM agon.segment WHERE run = $1 ORDER BY number DESC LIMIT 1', run)

/** The segments of a run from a number up to another one, in order. Throws UserError where one is not there, or not as it was written. */
async function segments(sql: Sql, run: number, from: number, end: number): Promise<Row[]> {
  const rows = await sql.all<Row>(
    'SELECT number, games, sum, data, times FROM agon.segment WHERE run = $1 AND number >= $2 AND number < $3 ORDER BY number',
    run,
    from,
    end,
  )
  const isWhole = rows.every((row, i) => row.number === from + i && segmentSum(run, row) === row.sum)
  if (!isWhole || rows.length !== end - from) throw damagedAt(sql.where)
  return rows
}

/** Goes through all segments of a run. Throws UserError where they are not those that were written. */
export async function eachSegment(sql: Sql, run: number, take: (row: Row) => void): Promise<void> {
  const end = await countSegments(sql, run)
  for (let from = 0; from < end; from += AT_ONCE)
    for (const row of await segments(sql, run, from, Math.min(end, from + AT_ONCE))) whole(sql, () => take(row))
}

/** How many segments a run has. Throws UserError where they are not those that were written. */
export const countSegments = async (sql: Sql, run: number): Promise<number> => (await headsOf(sql, run)).length

/** The heads of a run's segments, in order. Throws UserError where they are not those that were written. */
export async function headsOf(sql: Sql, run: number): Promise<readonly SegmentHead[]> {
  const heads = await sql.all<SegmentHead>('SELECT number, sum FROM agon.segment WHERE run = $1 ORDER BY number', run)
  let sum = 0
  for (const head of heads) sum = plus(sum, head.sum)
  ;(await readDigests(sql, run)).refuseDamage(run, 'segments', sum)
  return heads
}

/** Goes through some of a run's segments. Throws UserError where one is not there, or not as it was written. */
export async function eachOf(
  sql: Sql,
  run: number,
  heads: readonly SegmentHead[],
  take: (row: Row) => void,
): Promise<void> {
  for (let at = 0; at < heads.length; at += AT_ONCE) {
    const asked = new Map(heads.slice(at, at + AT_ONCE).map(({ number, sum }) => [number, sum]))
    const rows = await sql.all<Row>(
      'SELECT number, games, sum, data, times FROM agon.segment WHERE run = $1 AND number = ANY($2::integer[])',
      run,
      [...asked.keys()],
    )
    const isWhole = rows.every((row) => row.sum === asked.get(row.number) && segmentSum(run, row) === row.sum)
    if (!isWhole || rows.length !== asked.size) throw damagedAt(sql.where)
    for (const row of rows) whole(sql, () => take(row))
  }
}

/** The matches of a run from one segment up to another, in order. Throws UserError where they are not as they were written. */
export async function segmentParts(sql: Sql, run: number, from: number, end: number): Promise<Parts[]> {
  const parts: Parts[] = []
  for (const row of await segments(sql, run, from, end)) whole(sql, () => eachEntry(row.data, (one) => parts.push(one)))
  return parts
}

/** By entrant: how long its answers took in a run. Throws UserError where that is not as it was written. */
export async function readSpreads(sql: Sql, run: number): Promise<Map<number, Spread>> {
  const spreads = new Map<number, Spread>()
  await eachSegment(sql, run, ({ times }) => readTimes(times, spreads))
  return spreads
}

/** Bytes that are whole and yet hold nothing: no writer makes such. */
function whole<T>(sql: Sql, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof BytesError ? damagedAt(sql.where) : error
  }
}
