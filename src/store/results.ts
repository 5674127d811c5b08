import type { Outcome, Result } from '../core/index.js'
import { type Database, damaged } from './database.js'
import { refuseDamage } from './digests.js'
import type { RunEntry } from './entries.js'
import { RULING, type Row, type Ruled, SEALED, indexIn, runMatches, seatRows } from './match-rows.js'
import type { MatchFilter, MatchRow } from './data.js'
import { isSealed, rulingRows, rulingSum } from './seals.js'
import { PRIME, total } from './sums.js'

/** How a run's matches ended, rulings applied, by the pairing's key. Throws UserError where they are not as they were written. */
export function readResults(db: Database, run: RunEntry): Map<string, Result> {
  const matches = runMatches(db, run.number)
  for (const { row, seats } of matches) if (!isSealed(row, seats)) throw damaged(db.file)
  refuseDamage(db, run.number, 'matches', total(matches.map(({ row }) => row.sum)))
  refuseRulings(db, run.number)
  return new Map(
    matches.map(({ row: { place, outcome, ruled }, seats }) => [
      place,
      {
        key: place,
        seats: seats.map(({ entrant }) => indexIn(run, entrant)),
        outcome: db.parse<Outcome>(ruled ?? outcome),
      },
    ]),
  )
}
/** A run's matches, the newest first. Throws UserError where they are not as they were written. */
export function readMatches(db: Database, run: RunEntry, filter: MatchFilter): MatchRow[] {
  const { entrant, lost, last } = filter
  const limit = lost ? -1 : (last ?? -1)
  const rows =
    entrant === undefined
      ? db.all<Row & Ruled>(
          `SELECT ${SEALED}, u.outcome AS ruled FROM run_match r JOIN match m ON m.id = r.match ${RULING} WHERE r.run = ? ORDER BY r.match DESC LIMIT ?`,
          run.number,
          limit,
        )
      : db.all<Row & Ruled>(
          `SELECT ${SEALED}, u.outcome AS ruled FROM seat s INDEXED BY seat_entrant CROSS JOIN run_match r ON r.run = ? AND r.match = s.match JOIN match m ON m.id = s.match ${RULING} WHERE s.entrant = ? ORDER BY s.match DESC LIMIT ?`,
          run.number,
          run.entrants[entrant] ?? -1,
          limit,
        )
  if (limit < 0 || rows.length < limit) refuseIncomplete(db, run, entrant, rows)
  else refuseLost(db, run.number)
  // A damaged index names a match twice, or out of its turn.
  if (rows.some(({ id }, n) => n > 0 && id >= (rows[n - 1]?.id ?? 0))) throw damaged(db.file)
  refuseSkipped(db, run, entrant, rows)
  refuseRulings(db, run.number)
  const matches = rows.map((row) => {
    const seats = seatRows(db, row.id)
    if (!isSealed(row, seats)) throw damaged(db.file)
    if (entrant !== undefined && !seats.some((one) => one.entrant === run.entrants[entrant])) throw damaged(db.file)
    return {
      id: row.id,
      place: row.place,
      seats: seats.map((one) => indexIn(run, one.entrant)),
      outcome: db.parse<Outcome>(row.ruled ?? row.outcome),
      at: new Date(row.at).toISOString(),
    }
  })
  if (!lost) return matches
  const behind = matches.filter(({ seats, outcome }) =>
    seats.some((who, seat) => (entrant === undefined || who === entrant) && (outcome.place[seat] ?? 1) > 1),
  )
  return behind.slice(0, last)
}

/** Throws UserError where a list that should have all matches lacks some: a damaged index leaves rows out. */
function refuseIncomplete(db: Database, run: RunEntry, entrant: number | undefined, rows: readonly Row[]): void {
  if (entrant === undefined) return refuseDamage(db, run.number, 'matches', total(rows.map(({ sum }) => sum)))
  const counted = db.get<{ matches: number }>(
    'SELECT matches FROM run_entrant WHERE run = ? AND place = ?',
    run.number,
    entrant,
  )
  if (counted?.matches !== rows.filter(({ playoff }) => playoff === 0).length) throw damaged(db.file)
}

/** Throws UserError where a run's matches, of which a list shows the newest, are not those that were written. */
function refuseLost(db: Database, run: number): void {
  // In halves of 26 bits, as whole sums of that many checksums do not fit an integer of SQLite.
  const sums = db.get<{ high: number | null; low: number | null }>(
    `SELECT sum(m.sum >> 26) AS high, sum(m.sum & ${HALF - 1}) AS low FROM run_match r JOIN match m ON m.id = r.match WHERE r.run = ?`,
    run,
  )
  const sum = (BigInt(sums?.high ?? 0) * BigInt(HALF) + BigInt(sums?.low ?? 0)) % BigInt(PRIME)
  refuseDamage(db, run, 'matches', Number(sum))
}
const HALF = 2 ** 26

/** Throws UserError where a list left out one of the matches since the oldest of these: they are counted without an index. */
function refuseSkipped(db: Database, run: RunEntry, entrant: number | undefined, rows: readonly Row[]): void {
  const oldest = rows.at(-1)?.id ?? Number.MAX_SAFE_INTEGER
  const own = 'EXISTS (SELECT 1 FROM seat s WHERE s.match = r.match AND +s.entrant = ?)'
  const sql = 'SELECT count(*) AS n FROM run_match r WHERE r.run = ? AND r.match >= ?'
  const there =
    entrant === undefined
      ? db.get<{ n: number }>(sql, run.number, oldest)
      : db.get<{ n: number }>(`${sql} AND ${own}`, run.number, oldest, run.entrants[entrant] ?? -1)
  if (there?.n !== rows.length) throw damaged(db.file)
}

/** Throws UserError where the rulings of a run are not those that were written. */
function refuseRulings(db: Database, run: number): void {
  refuseDamage(db, run, 'ruling', total(rulingRows(db, run).map(rulingSum)))
}
