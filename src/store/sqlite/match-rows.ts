import { damaged } from '../damage.js'
import type { StoredFault } from '../data.js'
import { type RunEntry, bytes, indexIn } from '../run-rows.js'
import { type SealedRow, type RulingRow, type SeatRow, faultsSum, isSealed } from '../seals.js'
import { textOf } from './column-text.js'
import type { Database } from './database.js'

/** The columns of a `Row`, of a match called m. */
export const SEALED = 'm.id, lower(hex(m.unit)) AS unit, m.number, m.place, m.outcome, m.playoff, m.at, m.faults, m.sum'

/** The rows of a job, in order. Throws UserError where one is not as it was written, or is not there. */
export function jobRows(db: Database, key: string): SealedRow[] {
  const rows = db.all<SealedRow>(`SELECT ${SEALED} FROM match m WHERE m.unit = ? ORDER BY m.number`, bytes(key))
  for (const [number, row] of rows.entries())
    if (row.number !== number || !isSealed(row, seatRows(db, row.id))) throw damaged(db.file)
  return rows
}

const RULING = 'LEFT JOIN ruling u ON u.run = r.run AND u.match = r.match'

/** A match's seats as they lie there. */
export const seatRows = (db: Database, match: number): SeatRow[] =>
  db.all<SeatRow>('SELECT seat, entrant, rank FROM seat WHERE match = ? ORDER BY seat', match)

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
      ...(why !== null && { why: textOf(why) }),
      ...(said !== null && { said: textOf(said) }),
    }))
}

/** A match's faults in the order of turns. Throws UserError where they are not as they were written. */
export function readFaults(db: Database, match: number): StoredFault[] {
  const rows = faultRows(db, match)
  const stored = db.get<{ faults: number }>('SELECT faults FROM match WHERE id = ?', match)?.faults
  if (stored !== faultsSum(rows)) throw damaged(db.file)
  return rows
}

/** The rows of these matches and, in their order, their seats, by the match's number: those that are there, as they lie there. */
export function matchesThere(
  db: Database,
  matches: readonly number[],
): { readonly rows: ReadonlyMap<number, SealedRow>; readonly seats: ReadonlyMap<number, SeatRow[]> } {
  const these = JSON.stringify(matches)
  const rows = db.all<SealedRow>(`SELECT ${SEALED} FROM json_each(?) j CROSS JOIN match m ON m.id = j.value`, these)
  const seats = db.all<SeatRow & { match: number }>(
    'SELECT s.match, s.seat, s.entrant, s.rank FROM json_each(?) j CROSS JOIN seat s ON s.match = j.value ORDER BY j.id, s.seat',
    these,
  )
  return { rows: new Map(rows.map((row) => [row.id, row])), seats: byMatch(seats) }
}

function byMatch(rows: readonly (SeatRow & { match: number })[]): Map<number, SeatRow[]> {
  const seats = new Map<number, SeatRow[]>()
  for (const { match, seat, entrant, rank } of rows) {
    const row = { seat, entrant, rank }
    const known = seats.get(match)
    if (known === undefined) seats.set(match, [row])
    else known.push(row)
  }
  return seats
}

/** A run's matches with their seats, as they lie there. */
export function runMatches(
  db: Database,
  run: number,
): { readonly row: SealedRow & Ruled; readonly seats: SeatRow[] }[] {
  const seats = byMatch(
    db.all<SeatRow & { match: number }>(
      'SELECT s.match, s.seat, s.entrant, s.rank FROM run_match r JOIN seat s ON s.match = r.match WHERE r.run = ? ORDER BY s.match, s.seat',
      run,
    ),
  )
  return db
    .all<SealedRow & Ruled>(
      `SELECT ${SEALED}, u.outcome AS ruled FROM run_match r JOIN match m ON m.id = r.match ${RULING} WHERE r.run = ? ORDER BY m.id`,
      run,
    )
    .map((row) => ({ row, seats: seats.get(row.id) ?? [] }))
}

export interface Ruled {
  /** The outcome that counts in the run instead of the match's own. */
  readonly ruled: string | null
}

export const rulingRows = (db: Database, run: number): RulingRow[] =>
  db
    .all<RulingRow>('SELECT match, outcome, why FROM ruling WHERE run = ? ORDER BY match', run)
    .map((row) => ({ ...row, why: textOf(row.why) }))
