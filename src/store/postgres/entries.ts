import { type EntrantCounts, type FaultRow, countsSum } from '../counted.js'
import type { EntrantInfo, RunInfo, RunPlan, RunSummary } from '../data.js'
import { WHOLE } from '../parts.js'
import {
  type EntrantRow,
  type RunEntry,
  type RunRow,
  COLUMNS,
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
import { addDigests, readDigests, setDigest } from './digests.js'
import { damagedAt } from './errors.js'
import type { Sql } from './server.js'

/** The rows of runs as they lie there, the newest first: all, or that one. */
export const runRows = (sql: Sql, id?: string): Promise<RunRow[]> =>
  id === undefined
    ? sql.all<RunRow>(`SELECT ${COLUMNS} FROM agon.run ORDER BY began DESC, number DESC`)
    : sql.all<RunRow>(`SELECT ${COLUMNS} FROM agon.run WHERE id = $1`, id)

/** The rows of a run's entrants as they lie there, in the contest's order. */
export const entrantRows = (sql: Sql, run: number): Promise<EntrantRow[]> =>
  sql.all<EntrantRow>(
    `SELECT e.id AS number, x.place, e.name, e.hash, e.source, e.build, e.command, e.wire, e.memory, e.limits, e.toolchain, e.output
     FROM agon.run_entrant x JOIN agon.entrant e ON e.id = x.entrant WHERE x.run = $1 ORDER BY x.place`,
    run,
  )

/** Counts of runs as they lie there, by the run's number. */
export async function countRows(
  sql: Sql,
  runs: readonly number[],
): Promise<Map<number, { readonly entrants: EntrantCounts[]; readonly faults: FaultRow[] }>> {
  const counts = new Map(runs.map((run) => [run, { entrants: [] as EntrantCounts[], faults: [] as FaultRow[] }]))
  for (const { run, ...row } of await sql.all<EntrantCounts & { run: number }>(
    'SELECT run, place, matches, wins, draws, losses, pairs FROM agon.run_entrant WHERE run = ANY($1::integer[]) ORDER BY run, place',
    runs,
  ))
    counts.get(run)?.entrants.push(row)
  for (const { run, ...row } of await sql.all<FaultRow & { run: number }>(
    'SELECT run, place, kind, n FROM agon.fault_count WHERE run = ANY($1::integer[]) ORDER BY run, place, kind',
    runs,
  ))
    counts.get(run)?.faults.push(row)
  return counts
}

/** All runs, or that one; the newest first. Throws UserError where they are not as they were written. */
export async function readRuns(sql: Sql, id?: string): Promise<RunSummary[]> {
  const rows = await runRows(sql, id)
  const numbers = rows.map(({ number }) => number)
  const digests = await readDigests(sql, WHOLE, ...numbers)
  if (id === undefined) digests.refuseDamage(WHOLE, 'runs', total(rows.map(listedSum)))
  const counts = await countRows(sql, numbers)
  return rows.map((row) => {
    const { entrants = [], faults = [] } = counts.get(row.number) ?? {}
    digests.refuseDamage(row.number, 'run', rowSum(row))
    digests.refuseDamage(row.number, 'counts', countsSum(row.number, row.matches, entrants, faults))
    return summaryOf(row, (text) => sql.parse(text))
  })
}

/** A run's row, locked where it is to be changed. Throws where there is none, and UserError where it is not as it was written. */
export async function readRow(sql: Sql, id: string, lock: '' | 'FOR UPDATE' = ''): Promise<RunRow> {
  const row = await sql.get<RunRow>(`SELECT ${COLUMNS} FROM agon.run WHERE id = $1 ${lock}`, id)
  if (row === undefined) throw new Error(`${sql.where} holds no run ${id}`)
  const digests = await readDigests(sql, row.number)
  digests.refuseDamage(row.number, 'run', rowSum(row))
  return row
}

/** A run's numbers. Throws where there is no such run, and UserError where it is not as it was written. */
export async function readEntry(sql: Sql, id: string): Promise<{ readonly entry: RunEntry; readonly sum: number }> {
  const row = await readRow(sql, id)
  const plan = sql.parse<RunPlan>(row.plan)
  const rows = await entrantRows(sql, row.number)
  const sum = entrantsSum(rows)
  ;(await readDigests(sql, row.number)).refuseDamage(row.number, 'entrants', sum)
  if (rows.length !== plan.names.length) throw damagedAt(sql.where)
  return { entry: entryOf(row, plan, rows), sum }
}

/** A run's entrants, in the contest's order. Throws UserError where they are not as they were written. */
export async function readEntrants(sql: Sql, run: number): Promise<EntrantInfo[]> {
  const rows = await entrantRows(sql, run)
  ;(await readDigests(sql, run)).refuseDamage(run, 'entrants', entrantsSum(rows))
  return entrantsOf(rows)
}

/** Adds a run and its entrants. Within a write. */
export async function insertRun(sql: Sql, run: RunInfo, entrants: readonly EntrantInfo[]): Promise<void> {
  const row = await sql.get<RunRow>(
    `INSERT INTO agon.run (${WRITTEN})
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`,
    ...runValues(run),
  )
  if (row === undefined) throw new Error(`UNIQUE: ${sql.where} holds a run ${run.id} already`)
  await addDigests(sql, WHOLE, { runs: listedSum(row) })
  await setDigest(sql, row.number, 'run', rowSum(row))
  await writeEntrants(sql, row.number, entrants)
}

/** Gives a run its entrants, in the contest's order; it has none yet. Within a write. */
export async function writeEntrants(sql: Sql, run: number, entrants: readonly EntrantInfo[]): Promise<void> {
  // In one order, so that two who add the same entrants do not wait for each other.
  const sorted = [...entrants].sort((a, b) => (`${a.name}\n${a.hash}` < `${b.name}\n${b.hash}` ? -1 : 1))
  const column = (name: keyof EntrantInfo): (string | null)[] => sorted.map((one) => one[name] ?? null)
  await sql.run(
    `INSERT INTO agon.entrant (name, hash, source, build, command, wire, memory, limits, toolchain, output)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
     ON CONFLICT (name, hash) DO NOTHING`,
    column('name'),
    column('hash'),
    column('source'),
    column('build'),
    column('command'),
    column('wire'),
    column('memory'),
    column('limits'),
    column('toolchain'),
    column('output'),
  )
  await sql.run(
    `INSERT INTO agon.run_entrant (run, place, entrant)
     SELECT $1::integer, n.place - 1, e.id FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS n (name, hash, place)
     JOIN agon.entrant e ON e.name = n.name AND e.hash = n.hash`,
    run,
    entrants.map(({ name }) => name),
    entrants.map(({ hash }) => hash),
  )
  await setDigest(sql, run, 'entrants', entrantsSum(await entrantRows(sql, run)))
}

/** Writes columns of a run's row that was read and is locked, and its checksum. Within a write. */
export async function rewriteRow(sql: Sql, row: RunRow): Promise<void> {
  await sql.run(
    `UPDATE agon.run SET agon = $2, title = $3, ended = $4, state = $5, tournament = $6, identity = $7, plan = $8, matches = $9
     WHERE number = $1`,
    row.number,
    row.agon,
    row.title,
    row.ended,
    row.state,
    row.tournament,
    row.identity,
    row.plan,
    row.matches,
  )
  await setDigest(sql, row.number, 'run', rowSum(row))
}
