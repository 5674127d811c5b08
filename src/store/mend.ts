import { bytesOf } from './jobs.js'
import { type LinkRow, LINK, jobSum, rowsOfJobs } from './match-rows.js'
import { addLog } from './notes.js'
import { writeLinks } from './record.js'
import { type RunRow, type Session, docOf, emptyRun, entryOf, readEntrants, runRows, writeRow } from './run-rows.js'
import { type StoreSql, changeAmong, list, portions, rowsAmong } from './sql.js'

/** What mending does. All of it is that damaged jobs are removed, and that runs count what is left. */
export type Mend =
  /** A job is removed, and from all runs. */
  | { readonly kind: 'job'; readonly number: number }
  /** A run's jobs are counted anew. */
  | { readonly kind: 'count'; readonly run: number }
  /** What bots of a run kept on disk is lost: the jobs of all bots that live through it are removed. */
  | { readonly kind: 'kept'; readonly run: number }

/** Removes damaged jobs, in one transaction: runs that held one are open again, and the next `agon run --resume` plays what is missing. */
export async function mendStore(session: Session, mends: readonly Mend[]): Promise<void> {
  await session.db.transactionAlone(async (sql) => {
    const rows = new Map((await runRows(sql)).map((row) => [row.number, row]))
    const jobs = new Set(mends.flatMap((one) => (one.kind === 'job' ? [one.number] : [])))
    const lasting = new Set(mends.flatMap((one) => (one.kind === 'kept' ? [one.run] : [])))
    for (const run of await runsOf(sql, jobs)) lasting.add(run)
    // What a bot that lives through a tournament did later depends on what is removed.
    for (const run of lasting) for (const job of await lastingJobs(sql, rows.get(run))) jobs.add(job)
    const counted = new Set(mends.flatMap((one) => (one.kind === 'job' ? [] : [one.run])))
    for (const run of await runsOf(sql, jobs)) counted.add(run)
    const numbers = [...jobs]
    await changeAmong(sql, 'DELETE FROM match WHERE job IN (%)', numbers)
    await changeAmong(sql, 'DELETE FROM job WHERE number IN (%)', numbers)
    for (const run of counted) await recount(session, sql, rows.get(run))
  })
}

/** The runs that hold one of these jobs. */
async function runsOf(sql: StoreSql, jobs: ReadonlySet<number>): Promise<number[]> {
  const rows = await rowsAmong<{ run: number }>(sql, 'SELECT run FROM run_job WHERE job IN (%)', [...jobs])
  return [...new Set(rows.map(({ run }) => run))]
}

/** The jobs of a run in which bots play that live through its tournament; what these kept on disk is forgotten. */
async function lastingJobs(sql: StoreSql, row: RunRow | undefined): Promise<number[]> {
  if (row === undefined) return []
  const { tournament } = docOf(sql, row)
  const entrants = await readEntrants(sql, row)
  const lasting = entrants.flatMap(({ memory }, place) => (memory === 'tournament' ? [place] : []))
  if (lasting.length === 0) return []
  await sql.run('DELETE FROM kept WHERE tournament = $1', [bytesOf(tournament)])
  const jobs = await sql.all<{ job: number }>(
    `SELECT DISTINCT r.job FROM seat s JOIN run_job r ON r.run = s.run AND r.number = s.number
     WHERE s.run = $1 AND s.entrant IN (${list(lasting.length, 2)})`,
    [row.number, ...lasting],
  )
  return jobs.map(({ job }) => job)
}

/** Jobs that are counted together. */
const AT_ONCE = 500

/** Counts a run's jobs anew, those that are whole: it is open again. */
async function recount(session: Session, sql: StoreSql, row: RunRow | undefined): Promise<void> {
  if (row === undefined) return
  const run = await entryOf(sql, row)
  const links = await sql.all<LinkRow>(`SELECT ${LINK} FROM run_job r WHERE r.run = $1 ORDER BY r.number`, [run.number])
  await emptyRun(sql, run.number)
  let jobs = 0
  for (const some of portions(links, AT_ONCE)) {
    const rows = await rowsOfJobs(sql, some)
    const all = some.map(({ job, sum }) => ({ job, sum, rows: rows.get(job) ?? [] }))
    const whole = all.filter(({ sum, rows: own }) => own.length > 0 && jobSum(own) === sum)
    await writeLinks(session, sql, run, whole)
    jobs += whole.length
  }
  await writeRow(sql, { ...row, state: 'open', ended: null })
  await addLog(session, sql, run, 'mended', { jobs, removed: links.length - jobs })
}
