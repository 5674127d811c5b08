import type { Exclusion, RatingRow } from '../data.js'
import type { Part } from '../parts.js'
import { type LogRow, type StderrRow, exclusionSum, logSum, ratingSum, stderrSum } from '../seals.js'
import { plus, sumOf, total } from '../sums.js'
import { columnOf, textOf } from './column-text.js'
import type { Database } from './database.js'
import { addDigest, dropDigest, refuseDamage } from './digests.js'

/** What is kept of a run beside its matches: how it is read, and the checksum of a row. */
export interface Beside<Row> {
  readonly rows: (db: Database, run: number) => Row[]
  readonly sum: (row: Row) => number
}

export const exclusionRows: Beside<Exclusion> = {
  rows: (db, run) =>
    db
      .all<Exclusion>('SELECT name, status, treatment, why FROM exclusion WHERE run = ? ORDER BY name', run)
      .map((row) => ({ ...row, why: textOf(row.why) })),
  sum: exclusionSum,
}

export const ratingRows: Beside<RatingRow> = {
  rows: (db, run) =>
    db.all('SELECT place AS entrant, kind, value, low, high FROM rating WHERE run = ? ORDER BY kind, place', run),
  sum: ratingSum,
}

export const stderrRows: Beside<StderrRow> = {
  rows: (db, run) =>
    db
      .all<StderrRow>('SELECT name, text FROM stderr WHERE run = ? ORDER BY name', run)
      .map(({ name, text }) => ({ name, text: textOf(text) })),
  sum: stderrSum,
}

/** A line of the log with its number, by which lines are in order. */
export type NumberedLogRow = LogRow & { readonly id: number }

export const logRows: Beside<NumberedLogRow> = {
  rows: (db, run) => db.all('SELECT id, at, agon, what, detail FROM log WHERE run = ? ORDER BY id', run),
  // The number is part of it: a line under another one would stand elsewhere.
  sum: (row) => plus(sumOf('log', row.id), logSum(row)),
}

/** The rows of a part. Throws UserError where they are not those that were written. */
export function readBeside<Row>(db: Database, run: number, part: Part, { rows, sum }: Beside<Row>): Row[] {
  const read = rows(db, run)
  refuseDamage(db, run, part, total(read.map(sum)))
  return read
}

/** Puts an entrant out, or changes how. Within a write. */
export function insertExclusion(db: Database, run: number, exclusion: Exclusion): void {
  const { name, status, treatment, why } = exclusion
  const before = exclusionRows.rows(db, run).find((one) => one.name === name)
  if (before) dropDigest(db, run, 'exclusion', exclusionSum(before))
  db.run(
    'INSERT OR REPLACE INTO exclusion (run, name, status, treatment, why) VALUES (?, ?, ?, ?, ?)',
    run,
    name,
    status,
    treatment,
    columnOf(why),
  )
  addDigest(db, run, 'exclusion', exclusionSum(exclusion))
}

/** Replaces the end of what an entrant wrote to its standard error. Within a write. */
export function insertStderr(db: Database, run: number, name: string, text: string): void {
  const before = db.get<StderrRow>('SELECT name, text FROM stderr WHERE run = ? AND name = ?', run, name)
  if (before) dropDigest(db, run, 'stderr', stderrSum({ name, text: textOf(before.text) }))
  db.run('INSERT OR REPLACE INTO stderr (run, name, text) VALUES (?, ?, ?)', run, name, columnOf(text))
  addDigest(db, run, 'stderr', stderrSum({ name, text }))
}

/** Replaces a rating. Within a write. */
export function insertRating(db: Database, run: number, rating: RatingRow): void {
  const { entrant, kind, value, low, high } = rating
  const before = db.get<RatingRow>(
    'SELECT place AS entrant, kind, value, low, high FROM rating WHERE run = ? AND kind = ? AND place = ?',
    run,
    kind,
    entrant,
  )
  if (before) dropDigest(db, run, 'rating', ratingSum(before))
  db.run(
    'INSERT OR REPLACE INTO rating (run, place, kind, value, low, high) VALUES (?, ?, ?, ?, ?, ?)',
    run,
    entrant,
    kind,
    value,
    low,
    high,
  )
  addDigest(db, run, 'rating', ratingSum(rating))
}

/** Notes what was done; `run` null: to the store as a whole. Within a write. */
export function insertLog(db: Database, run: number | null, row: LogRow): void {
  const { at, agon, what, detail } = row
  const { id } = db.run(
    'INSERT INTO log (at, agon, run, what, detail) VALUES (?, ?, ?, ?, ?)',
    at,
    agon,
    run,
    what,
    detail,
  )
  if (run !== null) addDigest(db, run, 'log', logRows.sum({ ...row, id }))
}
