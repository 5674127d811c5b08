import { BY_MATCHES, SUMS_BY_MATCHES } from '../parts.js'
import { rulingSum } from '../seals.js'
import { minus, total } from '../sums.js'
import { rulingRows } from './beside.js'
import { addDigests, setDigest } from './digests.js'
import { entrantRows, readEntrants, readRow, rewriteRow, writeEntrants } from './entries.js'
import { dropKept } from './kept.js'
import type { Sql } from './server.js'

/** Takes all matches from a run, which stay in the store: it holds none, and takes them again as it goes on. Its row is to be written. */
export async function emptyRun(sql: Sql, run: number): Promise<void> {
  for (const table of BY_MATCHES) await sql.run(`DELETE FROM agon.${table} WHERE run = $1`, run)
  for (const part of SUMS_BY_MATCHES) await setDigest(sql, run, part, 0)
}

/**
 * Removes the jobs of a run in which a worker played a match, and `jobs` by their keys, whoever is said to have played them, but for those that other runs hold too, and takes all others from the
 * run, which is open again. Where bots played in them that live through the tournament, all jobs of such bots go, with what they held on
 * disk: what they did later depends on it. Returns how many matches are gone. Within a write.
 */
export async function takeBack(sql: Sql, id: string, worker: string, jobs: readonly string[]): Promise<number> {
  const row = await readRow(sql, id, 'FOR UPDATE')
  const run = row.number
  // Nobody links a match to another run until this write ends.
  await sql.query('LOCK TABLE agon.run_match IN SHARE ROW EXCLUSIVE MODE')
  const lasting = (await entrantRows(sql, run)).flatMap((one) => (one.memory === 'tournament' ? [one.number] : []))
  const gone = await sql.all<{ id: number; pack: number; lasts: boolean }>(
    `WITH own AS (
       SELECT DISTINCT m.unit, m.entrants && $3::integer[] AS lasts
       FROM agon.match m JOIN agon.run_match r ON r.match = m.id JOIN agon.worker w ON w.number = m.worker
       WHERE r.run = $1 AND w.id = $2
       UNION SELECT unit, entrants && $3::integer[] FROM agon.match WHERE unit = ANY($4::bytea[])),
     job AS (
       SELECT unit FROM own
       UNION SELECT m.unit FROM agon.match m JOIN agon.run_match r ON r.match = m.id
       WHERE r.run = $1 AND m.entrants && $3::integer[] AND EXISTS (SELECT 1 FROM own WHERE lasts))
     DELETE FROM agon.match m USING job j WHERE m.unit = j.unit
       AND NOT EXISTS (SELECT 1 FROM agon.run_match o JOIN agon.match k ON k.id = o.match WHERE k.unit = m.unit AND o.run <> $1)
     RETURNING m.id, m.pack, m.entrants && $3::integer[] AS lasts`,
    run,
    worker,
    lasting,
    jobs.map((key) => Buffer.from(key, 'hex')),
  )
  await sql.run(
    'DELETE FROM agon.pack p WHERE id = ANY($1::bigint[]) AND NOT EXISTS (SELECT 1 FROM agon.match m WHERE m.pack = p.id)',
    [...new Set(gone.map(({ pack }) => pack))],
  )
  if (gone.some(({ lasts }) => lasts)) await dropKept(sql, Buffer.from(row.tournament).toString('hex'))
  await dropRulings(sql, run, new Set(gone.map((one) => one.id)))
  const entrants = await readEntrants(sql, run)
  await emptyRun(sql, run)
  await rewriteRow(sql, { ...row, state: 'open', ended: null, matches: 0 })
  await writeEntrants(sql, run, entrants)
  return gone.length
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
