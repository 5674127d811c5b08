import type { Memory } from '../core/index.js'
import { countsWhole } from './counted.js'
import { type Database, damaged } from './database.js'
import { WHOLE, addDigest, dropDigest, refuseDamage, setDigest } from './digests.js'
import type { EntrantInfo, RunInfo, RunPlan, RunState, RunSummary } from './data.js'
import { sumOf, total } from './sums.js'

/** A run with its number here and its entrants' numbers. */
export interface RunEntry {
  readonly number: number
  readonly tournament: Uint8Array
  /** By index in the contest. */
  readonly entrants: readonly number[]
  readonly index: ReadonlyMap<number, number>
  readonly plan: RunPlan
}

export interface RunRow {
  readonly number: number
  readonly id: string
  readonly agon: string
  readonly contest: string
  readonly title: string
  readonly game: string
  readonly version: number
  readonly seed: string
  readonly out: string
  readonly began: string
  readonly ended: string | null
  readonly state: RunState
  readonly tournament: Uint8Array
  readonly identity: string
  readonly plan: string
  readonly matches: number
}

export const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')

/** Adds a run and its entrants. Within a write. */
export function insertRun(db: Database, run: RunInfo, entrants: readonly EntrantInfo[]): void {
  if (db.get('SELECT 1 FROM run WHERE id = ?', run.id) !== undefined)
    throw new Error(`UNIQUE: ${db.file} holds a run ${run.id} already`)
  const { id } = db.run(
    'INSERT INTO run (id, agon, contest, title, game, version, seed, out, began, ended, state, tournament, identity, plan) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    run.id,
    run.agon,
    run.contest,
    run.title,
    run.game,
    run.version,
    run.seed,
    run.out,
    run.began,
    run.ended ?? null,
    run.state,
    bytes(run.tournament),
    JSON.stringify(run.identity),
    JSON.stringify(run.plan),
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
    "UPDATE run SET agon = ?, title = ?, tournament = ?, identity = ?, plan = ?, state = 'open', ended = NULL, matches = 0 WHERE number = ?",
    is.agon,
    is.title,
    is.tournament,
    JSON.stringify(is.identity),
    JSON.stringify(is.plan),
    run,
  )
  sealRun(db, run)
}

/** A run's row as the list of runs has it. */
export const listedSum = ({ number, id }: Pick<RunRow, 'number' | 'id'>): number => sumOf('run', number, id)

/** The checksum of a run's own row; its counts have another. */
export const rowSum = (row: RunRow): number =>
  sumOf(
    row.number,
    row.id,
    row.agon,
    row.contest,
    row.title,
    row.game,
    row.version,
    row.seed,
    row.out,
    row.began,
    row.ended,
    row.state,
    hex(row.tournament),
    row.identity,
    row.plan,
  )

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
  db.run('DELETE FROM digest WHERE run = ?', number)
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

/** All runs, or that one; the newest first. Throws UserError where they are not as they were written. */
export function readRuns(db: Database, id?: string): RunSummary[] {
  const rows = id === undefined ? runRows(db) : db.all<RunRow>(`SELECT ${COLUMNS} FROM run WHERE id = ?`, id)
  if (id === undefined) refuseDamage(db, WHOLE, 'runs', total(rows.map(listedSum)))
  return rows.map((row) => {
    refuseDamage(db, row.number, 'run', rowSum(row))
    if (!countsWhole(db, row.number, row.matches)) throw damaged(db.file)
    return summaryOf(row, (text) => db.parse(text))
  })
}

/** What a run is, by its row; `parse` reads a column of JSON. */
export function summaryOf(
  { number: _number, ended, tournament, identity, plan, ...row }: RunRow,
  parse: <T>(text: string) => T,
): RunSummary {
  return {
    ...row,
    ...(ended !== null && { ended }),
    tournament: hex(tournament),
    identity: parse<RunInfo['identity']>(identity),
    plan: parse<RunPlan>(plan),
  }
}

/** The columns of a `RunRow`. */
export const COLUMNS =
  'number, id, agon, contest, title, game, version, seed, out, began, ended, state, tournament, identity, plan, matches'

/** A run's numbers. Throws where there is no such run, and UserError where it is not as it was written. */
export function readEntry(db: Database, id: string): RunEntry {
  const [row] = db.all<RunRow>(`SELECT ${COLUMNS} FROM run WHERE id = ?`, id)
  if (row === undefined) throw new Error(`${db.file} holds no run ${id}`)
  refuseDamage(db, row.number, 'run', rowSum(row))
  const plan = db.parse<RunPlan>(row.plan)
  const rows = entrantRows(db, row.number)
  refuseDamage(db, row.number, 'entrants', entrantsSum(rows))
  if (rows.length !== plan.names.length) throw damaged(db.file)
  return entryOf(row, plan, rows)
}

export function entryOf(row: RunRow, plan: RunPlan, rows: readonly EntrantRow[]): RunEntry {
  const entrants = rows.map(({ number }) => number)
  return {
    number: row.number,
    tournament: row.tournament,
    entrants,
    index: new Map(entrants.map((entrant, place) => [entrant, place])),
    plan,
  }
}

export interface EntrantRow extends Omit<EntrantInfo, 'output'> {
  readonly number: number
  readonly place: number
  readonly output: string | null
  readonly memory: Memory
}

/** The rows of a run's entrants as they lie there, in the contest's order. */
export const entrantRows = (db: Database, run: number): EntrantRow[] =>
  db.all<EntrantRow>(
    'SELECT id AS number, place, name, hash, source, build, command, wire, memory, limits, toolchain, output FROM run_entrant JOIN entrant ON id = entrant WHERE run = ? ORDER BY place',
    run,
  )

/** The checksum of a run's entrants. */
export const entrantsSum = (rows: readonly EntrantRow[]): number =>
  total(
    rows.map((row) =>
      sumOf(
        row.place,
        row.number,
        row.name,
        row.hash,
        row.source,
        row.build,
        row.command,
        row.wire,
        row.memory,
        row.limits,
        row.toolchain,
        row.output,
      ),
    ),
  )

/** A run's entrants, in the contest's order. Throws UserError where they are not as they were written. */
export function readEntrants(db: Database, run: number): EntrantInfo[] {
  const rows = entrantRows(db, run)
  refuseDamage(db, run, 'entrants', entrantsSum(rows))
  return rows.map(({ number: _number, place: _place, output, ...row }) => ({
    ...row,
    ...(output !== null && { output }),
  }))
}
