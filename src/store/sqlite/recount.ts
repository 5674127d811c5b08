import type { Outcome } from '../../core/index.js'
import type { AllCounts } from '../counted.js'
import { Counts } from '../counts.js'
import { type RunEntry, indexIn } from '../run-rows.js'
import { addPairsAndFaults, allPairs, entrantRowsOf, faultRowsOf } from './counts.js'
import type { Database } from './database.js'
import { setDigest, sizeOf } from './digests.js'
import { faultRows, runMatches } from './match-rows.js'

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
  matches: sizeOf(db, run),
  entrants: entrantRowsOf(db, run),
  faults: faultRowsOf(db, run),
  pairs: allPairs(db, run),
})

/** Writes a run's counts in the place of what is there. Within a write. */
export function writeCounts(db: Database, run: number, counts: AllCounts): void {
  const { matches, entrants } = counts
  setDigest(db, run, 'size', matches)
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
  db.run('DELETE FROM pair WHERE run = ?', run)
  addPairsAndFaults(db, run, counts)
}
