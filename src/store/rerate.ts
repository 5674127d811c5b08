import type { MatchRecord, Outcome, Result } from '../core/index.js'
import { exclusionRows, insertRating } from './beside.js'
import type { Database } from './database.js'
import { setDigest } from './digests.js'
import { type RunEntry, entrantRows, entryOf, runRows } from './entries.js'
import { indexIn, runMatches } from './match-rows.js'
import { Unpacker } from './packs.js'
import type { RatingRow, RunPlan } from './data.js'

/** A match that counts in a run, with its record. */
export interface Counted {
  readonly result: Result
  readonly record: MatchRecord
}
/** Rates the entrants of a run by its matches and by what it plays. */
export type Rate = (matches: Iterable<Counted>, plan: RunPlan) => readonly RatingRow[]

/** Writes the ratings of a run anew, from its matches as they count now. Within a write. */
export function rerate(db: Database, number: number, rate: Rate): void {
  const [row] = runRows(db, number)
  if (row === undefined) return
  const plan = db.parse<RunPlan>(row.plan)
  const ratings = rate(countedOf(db, entryOf(row, plan, entrantRows(db, number))), plan)
  db.run('DELETE FROM rating WHERE run = ?', number)
  setDigest(db, number, 'rating', 0)
  for (const one of ratings) insertRating(db, number, one)
}

function* countedOf(db: Database, run: RunEntry): Generator<Counted> {
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
