import { BY_MATCHES, SUMS_BY_MATCHES } from '../parts.js'
import type { RunRow } from '../run-rows.js'
import { rulingSum } from '../seals.js'
import { minus, total } from '../sums.js'
import { rulingRows } from './beside.js'
import { addDigests, setDigest } from './digests.js'
import { entrantRows, readEntrants, readEntry, readRow, rewriteRow, writeEntrants } from './entries.js'
import { dropKept } from './kept.js'
import { adoptJobs } from './record.js'
import type { Sql } from './server.js'

/** Takes all matches from a run, which stay in the store: it holds none, and takes them again as it goes on. Its row is to be written. */
export async function emptyRun(sql: Sql, run: number): Promise<void> {
  for (const table of BY_MATCHES) await sql.run(`DELETE FROM agon.${table} WHERE run = $1`, run)
  for (const part of SUMS_BY_MATCHES) await setDigest(sql, run, part, 0)
}

/** Jobs that are adopted together. */
const AT_ONCE = 5000

/** Which matches are not believed. */
export interface Distrusted {
  readonly worker: string
  /** Keys of jobs, whichever worker is said to have played them. */
  readonly jobs: readonly string[]
}

/** How many matches are gone, and from which other runs, too. */
export interface TakenBack {
  readonly matches: number
  readonly others: readonly { readonly id: string; readonly number: number; readonly matches: number }[]
}

/**
 * Removes the jobs of a run in which a worker played a match, those of its jobs that are of no run, and `jobs`, and takes all others from
 * the run, which is open again. Another run that held one of them is left with its other matches, and is open again. Where bots played in
 * them that live through the tournament, all jobs of such bots go, with what they held on disk: what they did later depends on it. Within a write.
 */
export async function takeBack(sql: Sql, id: string, distrusted: Distrusted): Promise<TakenBack> {
  const row = await readRow(sql, id, 'FOR UPDATE')
  const run = row.number
  // No process links a match to another run until this write ends.
  await sql.query('LOCK TABLE agon.run_match IN SHARE ROW EXCLUSIVE MODE')
  const lasting = (await entrantRows(sql, run)).flatMap((one) => (one.memory === 'tournament' ? [one.number] : []))
  const gone = await deleteJobs(sql, run, distrusted, lasting)
  await sql.run(
    'DELETE FROM agon.pack p WHERE id = ANY($1::bigint[]) AND NOT EXISTS (SELECT 1 FROM agon.match m WHERE m.pack = p.id)',
    [...new Set(gone.map(({ pack }) => pack))],
  )
  if (gone.some(({ lasts }) => lasts)) await dropKept(sql, Buffer.from(row.tournament).toString('hex'))
  const ids = gone.map((one) => one.id)
  const others = await sql.all<{ id: string; number: number; matches: number }>(
    `SELECT r.id, r.number, count(*)::int AS matches FROM agon.run_match x JOIN agon.run r ON r.number = x.run
     WHERE x.match = ANY($1::bigint[]) AND x.run <> $2 GROUP BY r.id, r.number ORDER BY r.number`,
    ids,
    run,
  )
  await reopen(sql, row, new Set(ids))
  for (const other of others) await dropFrom(sql, other.id, new Set(ids))
  return { matches: gone.length, others }
}

async function deleteJobs(
  sql: Sql,
  run: number,
  { worker, jobs }: Distrusted,
  lasting: readonly number[],
): Promise<{ id: number; pack: number; lasts: boolean }[]> {
  return sql.all(
    `WITH own AS (
       SELECT DISTINCT m.unit, m.entrants && $3::integer[] AS lasts
       FROM agon.match m JOIN agon.worker w ON w.number = m.worker
       WHERE w.id = $2 AND (EXISTS (SELECT 1 FROM agon.run_match r WHERE r.run = $1 AND r.match = m.id)
         OR NOT EXISTS (SELECT 1 FROM agon.run_match r WHERE r.match = m.id))
       UNION SELECT unit, entrants && $3::integer[] FROM agon.match WHERE unit = ANY($4::bytea[])),
     held AS (
       SELECT DISTINCT r.run FROM own o JOIN agon.match m USING (unit) JOIN agon.run_match r ON r.match = m.id WHERE o.lasts),
     job AS (
       SELECT unit FROM own
       UNION SELECT m.unit FROM agon.match m JOIN agon.run_match r ON r.match = m.id
       WHERE m.entrants && $3::integer[] AND EXISTS (SELECT 1 FROM own WHERE lasts) AND (r.run = $1 OR r.run IN (SELECT run FROM held)))
     DELETE FROM agon.match m USING job j WHERE m.unit = j.unit
     RETURNING m.id, m.pack, m.entrants && $3::integer[] AS lasts`,
    run,
    worker,
    lasting,
    jobs.map((key) => Buffer.from(key, 'hex')),
  )
}

/** Empties a run of which these matches are gone. */
async function reopen(sql: Sql, row: RunRow, gone: ReadonlySet<number>): Promise<void> {
  const run = row.number
  await dropRulings(sql, run, gone)
  const entrants = await readEntrants(sql, run)
  await emptyRun(sql, run)
  await rewriteRow(sql, { ...row, state: row.state === 'paused' ? 'paused' : 'open', ended: null, matches: 0 })
  await writeEntrants(sql, run, entrants)
}

/** Takes these matches, which are gone, from a run that keeps its others. */
async function dropFrom(sql: Sql, id: string, gone: ReadonlySet<number>): Promise<void> {
  const row = await readRow(sql, id, 'FOR UPDATE')
  const left = await sql.all<{ unit: string }>(
    `SELECT encode(m.unit, 'hex') AS unit FROM agon.run_match x JOIN agon.match m ON m.id = x.match
     WHERE x.run = $1 AND m.number = 0 ORDER BY m.id`,
    row.number,
  )
  await reopen(sql, row, gone)
  const { entry } = await readEntry(sql, id)
  for (let from = 0; from < left.length; from += AT_ONCE)
    await adoptJobs(
      sql,
      entry,
      left.slice(from, from + AT_ONCE).map(({ unit }) => unit),
    )
}

/** A ruling of a match that is gone is about nothing. */
async function dropRulings(sql: Sql, run: number, gone: ReadonlySet<number>): Promise<void> {
  const rows = (await rulingRows.rows(sql, run)).filter(({ match }) => gone.has(match))
  if (rows.length === 0) return
  await sql.run(
    'DELETE FROM agon.ruling WHERE run = $1 AND match = ANY($2::bigint[])',
    run,
    rows.map(({ match }) => match),
  )
  await addDigests(sql, run, { ruling: minus(0, total(rows.map(rulingSum))) })
}
