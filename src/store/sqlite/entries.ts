import { damaged } from '../damage.js'
import type { EntrantInfo, RunInfo, RunPlan, RunState, RunSummary } from '../data.js'
import { WHOLE } from '../parts.js'
import {
  type EntrantRow,
  type RunEntry,
  type RunRow,
  WRITTEN,
  entrantsOf,
  entrantsSum,
  entryOf,
  listedSum,
  rowSum,
  runValues,
  summaryOf,
} from '../run-rows.js'
import { total } from '../sums.js'
import { countsWhole } from './counts.js'
import type { Database } from './database.js'
import { addDigest, dropDigest, refuseDamage, setDigest } from './digests.js'

/** The columns of a `RunRow`. */
const COLUMNS = `number, ${WRITTEN}, coalesce((SELECT d.sum FROM digest d WHERE d.run = number AND d.part = 'size'), 0) AS matches`

/** Adds a run and its entrants. Within a write. */
export function insertRun(db: Database, run: RunInfo, entrants: readonly EntrantInfo[]): void {
  if (db.get('SELECT 1 FROM run WHERE id = ?', run.id) !== undefined)
    throw new Error(`UNIQUE: ${db.file} holds a run ${run.id} already`)
  const { id } = db.run(
    `INSERT INTO run (${WRITTEN}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...runValues(run),
  )
  addDigest(db, WHOLE, 'runs', listedSum({ number: id, id: run.id }))
  sealRun(db, id)
  writeEntrants(db, id, entrants)
}

/** Gives a run its entrants, in the contest's order; it has none yet. Within a write. */
export function writeEntrants(db: Database, run: number, entrants: readonly EntrantInfo[]): void {
  for (const [place, entrant] of entrants.entries())
    db.run('INSERT INTO run_entrant (run, place, entrant) VALUES (?, ?, ?)', run, place, insertEntrant(db, entrant))
  setDigest(db, run, 'entrants', entrantsSum(entrantRows(db, run)))
}

/** Writes anew what a run is by its entrants; it is open, and counts no match. Within a write. */
export function rewriteRow(
  db: Database,
  run: number,
  is: Pick<RunInfo, 'agon' | 'title' | 'identity' | 'plan'> & { readonly tournament: Uint8Array },
): void {
  db.run(
    "UPDATE run SET agon = ?, title = ?, tournament = ?, identity = ?, plan = ?, state = 'open', ended = NULL WHERE number = ?",
    is.agon,
    is.title,
    is.tournament,
    JSON.stringify(is.identity),
    JSON.stringify(is.plan),
    run,
  )
  setDigest(db, run, 'size', 0)
  sealRun(db, run)
}

/** The rows of runs as they lie there, believed or not: all, or that one. */
export const runRows = (db: Database, number?: number): RunRow[] =>
  number === undefined
    ? db.all<RunRow>(`SELECT ${COLUMNS} FROM run ORDER BY began DESC, number DESC`)
    : db.all<RunRow>(`SELECT ${COLUMNS} FROM run WHERE number = ?`, number)

/** Writes a run's checksum after its row was changed. Within a write. */
export function sealRun(db: Database, number: number): void {
  for (const row of runRows(db, number)) setDigest(db, number, 'run', rowSum(row))
}

/** Changes the state of a run. Within a write. */
export function changeState(db: Database, id: string, state: RunState, ended: string | null): void {
  const { number } = readEntry(db, id)
  db.run('UPDATE run SET state = ?, ended = coalesce(?, ended) WHERE number = ?', state, ended, number)
  sealRun(db, number)
}

/** Removes a run's row. Within a write. */
export function deleteRun(db: Database, number: number, id: string): void {
  db.run('DELETE FROM run WHERE number = ?', number)
  dropDigest(db, WHOLE, 'runs', listedSum({ number, id }))
}

function insertEntrant(db: Database, one: EntrantInfo): number {
  const there = db.get<{ id: number }>('SELECT id FROM entrant WHERE name = ? AND hash = ?', one.name, one.hash)
  if (there !== undefined) return there.id
  return db.run(
    'INSERT INTO entrant (name, hash, source, build, command, wire, memory, limits, toolchain, output) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    one.name,
    one.hash,
    one.source,
    one.build,
    one.command,
    one.wire,
    one.memory,
    one.limits,
    one.toolchain,
    one.output ?? null,
  ).id
}

/** The row of a run, or none. Throws UserError where it is there, but not where the index looks for it. */
function rowsNamed(db: Database, id: string): RunRow[] {
  const rows = db.all<RunRow>(`SELECT ${COLUMNS} FROM run WHERE id = ?`, id)
  if (rows.length === 0 && db.get('SELECT 1 FROM run NOT INDEXED WHERE id = ?', id) !== undefined)
    throw damaged(db.file)
  return rows
}

/** Whether a run's counts, pairs aside, are those that were written. */
const isCounted = (db: Database, { number, matches }: RunRow): boolean => countsWhole(db, number, matches)

/**
 * All runs, or that one; the newest first. Throws UserError where they are not as they were written. `isWhole`: whether a run's counts are those
 * that were written.
 */
export function readRuns(
  db: Database,
  id?: string,
  isWhole: (db: Database, row: RunRow) => boolean = isCounted,
): RunSummary[] {
  const rows = id === undefined ? runRows(db) : rowsNamed(db, id)
  if (id === undefined) refuseDamage(db, WHOLE, 'runs', total(rows.map(listedSum)))
  return rows.map((row) => {
    refuseDamage(db, row.number, 'run', rowSum(row))
    if (!isWhole(db, row)) throw damaged(db.file)
    return summaryOf(row, (text) => db.parse(text))
  })
}

/** A run's numbers. Throws where there is no such run, and UserError where it is not as it was written. */
export function readEntry(db: Database, id: string): RunEntry {
  const [row] = rowsNamed(db, id)
  if (row === undefined) throw new Error(`${db.file} holds no run ${id}`)
  refuseDamage(db, row.number, 'run', rowSum(row))
  const plan = db.parse<RunPlan>(row.plan)
  const rows = entrantRows(db, row.number)
  refuseDamage(db, row.number, 'entrants', entrantsSum(rows))
  if (rows.length !== plan.names.length) throw damaged(db.file)
  return entryOf(row, plan, rows)
}

/** The rows of a run's entrants as they lie there, in the contest's order. */
export const entrantRows = (db: Database, run: number): EntrantRow[] =>
  db.all<EntrantRow>(
    'SELECT id AS number, place, name, hash, source, build, command, wire, memory, limits, toolchain, output FROM run_entrant JOIN entrant ON id = entrant WHERE run = ? ORDER BY place',
    run,
  )

/** A run's entrants, in the contest's order. Throws UserError where they are not as they were written. */
export function readEntrants(db: Database, run: number): EntrantInfo[] {
  const rows = entrantRows(db, run)
  refuseDamage(db, run, 'entrants', entrantsSum(rows))
  return entrantsOf(rows)
}
