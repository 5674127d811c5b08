import { damaged } from '../damage.js'
import type { StoredFault } from '../data.js'
import { type RunEntry, bytes, indexIn } from '../run-rows.js'
import { type SealedRow, type RulingRow, type SeatRow, faultsSum, isSealed } from '../seals.js'
import { textOf } from './column-text.js'
import type { Database } from './database.js'

/** The columns of a `SealedRow`, of a match called m. */
export const SEALED = 'm.id, lower(hex(m.unit)) AS unit, m.number, m.place, m.outcome, m.playoff, m.at, m.faults, m.sum'

/** The same with its seats. */
const SEATED = `${SEALED}, m.seats`

type SeatedRow = SealedRow & { readonly seats: string }

/** The rows of a job, in order. Throws UserError where one is not as it was written, or is not there. */
export function jobRows(db: Database, key: string): SealedRow[] {
  const rows = db
    .all<SeatedRow>(`SELECT ${SEATED} FROM match m WHERE m.unit = ? ORDER BY m.number`, bytes(key))
    .map(split)
  for (const [number, { row, seats }] of rows.entries())
    if (row.number !== number || !isSealed(row, seats)) throw damaged(db.file)
  return rows.map(({ row }) => row)
}

const RULING = 'LEFT JOIN ruling u ON u.run = r.run AND u.match = r.match'

/** Seats as a match's row holds them: of each, in order, the entrant and its rank. */
export const seatsText = (seats: readonly SeatRow[]): string =>
  seats.map(({ entrant, rank }) => `${entrant}:${rank}`).join(' ')

/** The seats that were written so. What no writer made becomes numbers that no checksum has. */
function seatsFrom(text: string): SeatRow[] {
  if (text === '') return []
  return text.split(' ').map((one, seat) => {
    const [entrant, rank] = one.split(':')
    return { seat, entrant: Number(entrant), rank: Number(rank) }
  })
}

/** A match's seats as they lie there. */
export const seatRows = (db: Database, match: number): SeatRow[] =>
  seatsFrom(db.get<{ seats: string }>('SELECT seats FROM match WHERE id = ?', match)?.seats ?? '')

/** By seat: entrants' indexes in the run. */
export function seatsOf(db: Database, run: RunEntry, match: number): number[] {
  return seatRows(db, match).map(({ entrant }) => indexIn(run, entrant))
}

/** A match's faults as they lie there, in the order of turns. */
export function faultRows(db: Database, match: number): StoredFault[] {
  return db
    .all<Omit<StoredFault, 'why' | 'said'> & { why: string | null; said: string | null }>(
      'SELECT seat, turn, kind AS fault, why, said FROM fault WHERE match = ? ORDER BY turn, seat',
      match,
    )
    .map(({ why, said, ...fault }) => ({
      ...fault,
      why: why === null ? undefined : textOf(why),
      said: said === null ? undefined : textOf(said),
    }))
}

/** A match's faults in the order of turns. Throws UserError where they are not as they were written. */
export function readFaults(db: Database, match: number): StoredFault[] {
  const rows = faultRows(db, match)
  const stored = db.get<{ faults: number }>('SELECT faults FROM match WHERE id = ?', match)?.faults
  if (stored !== faultsSum(rows)) throw damaged(db.file)
  return rows
}

/** The rows of these matches and their seats: of those that are there, as they lie there. */
export function matchesThere(
  db: Database,
  matches: readonly number[],
): { readonly row: SealedRow; readonly seats: readonly SeatRow[] }[] {
  const these = JSON.stringify(matches)
  const rows = db.all<SeatedRow>(`SELECT ${SEATED} FROM json_each(?) j CROSS JOIN match m ON m.id = j.value`, these)
  return rows.map(split)
}

/** A match's row without its seats, and those. */
function split<Row extends { readonly seats: string }>({
  seats,
  ...row
}: Row): { row: Omit<Row, 'seats'>; seats: SeatRow[] } {
  return { row, seats: seatsFrom(seats) }
}

/** A run's matches with their seats, as they lie there. */
export function runMatches(
  db: Database,
  run: number,
): { readonly row: SealedRow & Ruled; readonly seats: SeatRow[] }[] {
  return db
    .all<SeatedRow & Ruled>(
      `SELECT ${SEATED}, +u.outcome AS ruled FROM run_match r JOIN match m ON m.id = r.match ${RULING} WHERE r.run = ? ORDER BY m.id`,
      run,
    )
    .map(split)
}

export interface Ruled {
  /** The outcome that counts in the run instead of the match's own. */
  readonly ruled: string | null
}

export const rulingRows = (db: Database, run: number): RulingRow[] =>
  db
    .all<RulingRow>('SELECT match, outcome, why FROM ruling WHERE run = ? ORDER BY match', run)
    .map((row) => ({ ...row, why: textOf(row.why) }))
