import type { Outcome } from '../../core/index.js'
import type { CountedMatch, Rater } from '../checked.js'
import type { RunPlan } from '../data.js'
import { type RunEntry, entryOf, indexIn } from '../run-rows.js'
import { exclusionRows, insertRating } from './beside.js'
import type { Database } from './database.js'
import { setDigest } from './digests.js'
import { entrantRows, runRows } from './entries.js'
import { runMatches } from './match-rows.js'
import { Unpacker } from './packs.js'

/** Writes the ratings of a run anew, from its matches as they count now. Within a write. */
export function rerate(db: Database, number: number, rate: Rater): void {
  const [row] = runRows(db, number)
  if (row === undefined) return
  const plan = db.parse<RunPlan>(row.plan)
  const ratings = rate(countedOf(db, entryOf(row, plan, entrantRows(db, number))), plan)
  db.run('DELETE FROM rating WHERE run = ?', number)
  setDigest(db, number, 'rating', 0)
  for (const one of ratings) insertRating(db, number, one)
}

function* countedOf(db: Database, run: RunEntry): Generator<CountedMatch> {
  const out = new Set(
    exclusionRows.rows(db, run.number).flatMap(({ name, treatment }) => (treatment === 'void' ? [name] : [])),
  )
  const unpacker = new Unpacker(db)
  for (const { row, seats: rows } of runMatches(db, run.number)) {
    const seats = rows.map(({ entrant }) => indexIn(run, entrant))
    if (seats.some((entrant) => out.has(run.plan.names[entrant] ?? ''))) continue
    const outcome = db.parse<Outcome>(row.ruled ?? row.outcome)
    yield { result: { key: row.place, seats, outcome }, record: unpacker.record(row.id) }
  }
}
