import { damaged } from '../damage.js'
import type { Part } from '../parts.js'
import { minus, PRIME } from '../sums.js'
import type { Database } from './database.js'

/**
 * What stands among the checksums: those of parts, and how many matches a run has, which moves on with them. One page has all that a match
 * moves on.
 */
type Row = Part | 'size'

/** Adds to the checksum of a part; begins it where there is none. Within a write. */
export const addDigest = (db: Database, run: number, part: Part, by: number): void => addDigests(db, run, [[part, by]])

/** The same for several parts of a run. Within a write. */
export function addDigests(db: Database, run: number, sums: readonly (readonly [part: Row, by: number])[]): void {
  const rows = sums.map(() => '(?, ?, ?)').join(', ')
  db.run(
    `INSERT INTO digest (run, part, sum) VALUES ${rows} ON CONFLICT DO UPDATE SET sum = (sum + excluded.sum) % ${PRIME}`,
    ...sums.flatMap(([part, by]) => [run, part, by]),
  )
}

/** Takes a row out of the checksum of a part. Within a write. */
export const dropDigest = (db: Database, run: number, part: Part, by: number): void =>
  addDigest(db, run, part, minus(0, by))

/** Replaces the checksum of a part. Within a write. */
export function setDigest(db: Database, run: number, part: Row, sum: number): void {
  db.run('INSERT OR REPLACE INTO digest (run, part, sum) VALUES (?, ?, ?)', run, part, sum)
}

/** How many matches a run has, by its own count. */
export const sizeOf = (db: Database, run: number): number => storedDigest(db, run, 'size')

/** The checksum that a part had when it was written; a part that nothing was ever written to has none. */
export const storedDigest = (db: Database, run: number, part: Row): number =>
  db.get<{ sum: number }>('SELECT sum FROM digest WHERE run = ? AND part = ?', run, part)?.sum ?? 0

/** Whether a part's rows are those that were written. */
export const isWhole = (db: Database, run: number, part: Part, sum: number): boolean =>
  storedDigest(db, run, part) === sum

/** Throws UserError where a part's rows are not those that were written. */
export function refuseDamage(db: Database, run: number, part: Part, sum: number): void {
  if (!isWhole(db, run, part, sum)) throw damaged(db.file)
}
