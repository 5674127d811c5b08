import { copyFileSync, existsSync } from 'node:fs'
import type { Rater, Right } from '../checked.js'
import { countsSum } from '../counted.js'
import type { RunPlan } from '../data.js'
import { type RecordPlace, heldSum } from '../packing.js'
import { entryOf } from '../run-rows.js'
import { type SealedRow, type RulingRow, faultsSum, matchSum, rulingSum } from '../seals.js'
import { total } from '../sums.js'
import type { StoreFinding } from './check.js'
import { textOf } from './column-text.js'
import type { Database } from './database.js'
import { dropDigest, setDigest } from './digests.js'
import { entrantRows, runRows, sealRun } from './entries.js'
import { insertFaults } from './jobs.js'
import { runMatches, SEALED, seatsText } from './match-rows.js'
import { recounted, writeCounts } from './recount.js'
import { rerate } from './rerate.js'
import { resegment } from './resegment.js'

/** Copies the file of a store beside it, with all that was committed in it, and returns the copy's name. */
export function copyBeside(db: Database): string {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  for (let n = 1; ; n++) {
    const copy = `${db.file}.before-mend-${n}`
    if (existsSync(copy)) continue
    copyFileSync(db.file, copy)
    return copy
  }
}

/**
 * Mends what can be computed again: a run's own rows, matches from their records, counts and ratings from matches. A match whose
 * record cannot be read is taken out, so that it is played again; its runs are open then. In one transaction.
 */
export function mendAll(db: Database, findings: readonly StoreFinding[], rate: Rater): void {
  db.write(() => {
    if (findings.some(({ mend }) => mend.kind === 'index')) db.exec('REINDEX')
    // Counts are those of these entrants, by these rulings.
    for (const { mend } of findings) if (mend.kind === 'part') mend.restore()
    const reopened = new Set<number>()
    const touched = new Set<number>()
    for (const { mend } of findings) {
      if (mend.kind === 'match') {
        for (const run of runsOf(db, mend.id)) touched.add(run)
        rewrite(db, mend.id, mend.right)
      } else if (mend.kind === 'drop') {
        for (const run of runsOf(db, mend.id)) reopened.add(run)
        drop(db, mend.id)
      } else if (mend.kind === 'run') (mend.lost ? reopened : touched).add(mend.run)
    }
    for (const run of new Set([...touched, ...reopened])) recount(db, run, reopened.has(run))
    for (const { mend } of findings) if (mend.kind === 'ratings') rerate(db, mend.run, rate)
  })
}

const runsOf = (db: Database, match: number): number[] =>
  db.all<{ run: number }>('SELECT run FROM run_match WHERE match = ?', match).map(({ run }) => run)

function rewrite(db: Database, id: number, { place, outcome, seats, faults }: Right): void {
  const row = db.get<SealedRow & RecordPlace>(`SELECT ${SEALED}, m.pack, m.slot FROM match m WHERE m.id = ?`, id)
  if (row === undefined) return
  const sealed = { ...row, place, outcome, faults: faultsSum(faults) }
  const sum = matchSum(sealed, seats)
  db.run(
    'UPDATE match SET place = ?, seats = ?, outcome = ?, faults = ?, sum = ?, held = ? WHERE id = ?',
    place,
    seatsText(seats),
    outcome,
    sealed.faults,
    sum,
    heldSum(sum, row),
    id,
  )
  db.run('DELETE FROM fault WHERE match = ?', id)
  insertFaults(db, id, faults)
}

/** Takes out a match and all that was played in one piece with it. */
function drop(db: Database, id: number): void {
  const unit = db.get<{ unit: Uint8Array }>('SELECT unit FROM match WHERE id = ?', id)?.unit
  if (unit === undefined) return
  for (const { id: match } of db.all<{ id: number }>('SELECT id FROM match WHERE unit = ?', unit)) {
    for (const { run, ...ruling } of db.all<RulingRow & { run: number }>('SELECT * FROM ruling WHERE match = ?', match))
      dropDigest(db, run, 'ruling', rulingSum({ ...ruling, why: textOf(ruling.why) }))
    for (const table of ['fault', 'run_match', 'loose', 'ruling']) db.run(`DELETE FROM ${table} WHERE match = ?`, match)
    db.run('DELETE FROM match WHERE id = ?', match)
  }
}

function recount(db: Database, run: number, reopen: boolean): void {
  const [row] = runRows(db, run)
  if (row === undefined) return
  db.run('DELETE FROM run_match WHERE run = ? AND match NOT IN (SELECT id FROM match)', run)
  const entry = entryOf(row, db.parse<RunPlan>(row.plan), entrantRows(db, run))
  resegment(db, entry)
  const counts = recounted(db, entry)
  writeCounts(db, run, counts)
  setDigest(db, run, 'counts', countsSum(run, counts.matches, counts.entrants, counts.faults))
  setDigest(db, run, 'matches', total(runMatches(db, run).map((match) => match.row.sum)))
  if (!reopen) return
  db.run("UPDATE run SET state = 'open', ended = NULL WHERE number = ?", run)
  sealRun(db, run)
}
