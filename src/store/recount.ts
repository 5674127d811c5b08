import type { Outcome } from '../core/index.js'
import { type AllCounts, type PairCounts, entrantRowsOf, faultRowsOf } from './counted.js'
import { Counts } from './counts.js'
import type { Database } from './database.js'
import type { RunEntry } from './entries.js'
import { faultRows, indexIn, runMatches } from './match-rows.js'

/** A run's counts, counted from its matches, rulings applied. */
export function recounted(db: Database, run: RunEntry): AllCounts {
  const counts = new Counts()
  for (const { row, seats } of runMatches(db, run.number)) {
    const match = { seats: seats.map(({ entrant }) => indexIn(run, entrant)), playoff: row.playoff === 1 }
    counts.add({ ...match, outcome: db.parse<Outcome>(row.ruled ?? row.outcome), faults: faultRows(db, row.id) })
  }
  return counts.rows(run.number, run.entrants.length)
}

/** A run's counts as they stand in the store. */
export const storedCounts = (db: Database, run: number): AllCounts => ({
  matches: db.get<{ matches: number }>('SELECT matches FROM run WHERE number = ?', run)?.matches ?? 0,
  entrants: entrantRowsOf(db, run),
  faults: faultRowsOf(db, run),
  pairs: db.all<PairCounts>('SELECT one, other, ahead, level, behind FROM pair WHERE run = ? ORDER BY one, other', run),
})

/** Whether two say the same: rows that count nothing say nothing. `pairs`, the checksum in a row, is not compared. */
export const sameCounts = (a: AllCounts, b: AllCounts): boolean => textOf(a) === textOf(b)

function textOf({ matches, entrants, faults, pairs }: AllCounts): string {
  const own = entrants.map((row) => [row.place, row.matches, row.wins, row.draws, row.losses])
  const counted = faults.filter(({ n }) => n !== 0).map(({ place, kind, n }) => [place, kind, n])
  const met = pairs
    .filter(({ ahead, level, behind }) => ahead !== 0 || level !== 0 || behind !== 0)
    .map(({ one, other, ahead, level, behind }) => [one, other, ahead, level, behind])
  const sorted = (rows: readonly (readonly (string | number)[])[]) => rows.map(String).sort()
  return JSON.stringify([matches, sorted(own), sorted(counted), sorted(met)])
}

/** Writes a run's counts in the place of what is there. Within a write. */
export function writeCounts(db: Database, run: number, { matches, entrants, faults, pairs }: AllCounts): void {
  db.run('UPDATE run SET matches = ? WHERE number = ?', matches, run)
  for (const row of entrants) {
    db.run(
      'UPDATE run_entrant SET matches = ?, wins = ?, draws = ?, losses = ?, pairs = ? WHERE run = ? AND place = ?',
      row.matches,
      row.wins,
      row.draws,
      row.losses,
      row.pairs,
      run,
      row.place,
    )
  }
  db.run('DELETE FROM fault_count WHERE run = ?', run)
  for (const { place, kind, n } of faults)
    db.run('INSERT INTO fault_count (run, place, kind, n) VALUES (?, ?, ?, ?)', run, place, kind, n)
  db.run('DELETE FROM pair WHERE run = ?', run)
  for (const { one, other, ahead, level, behind } of pairs)
    db.run(
      'INSERT INTO pair (run, one, other, ahead, level, behind) VALUES (?, ?, ?, ?, ?, ?)',
      run,
      one,
      other,
      ahead,
      level,
      behind,
    )
}
