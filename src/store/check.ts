import { type MatchRecord, type Outcome, UserError, messageOf, portions, type FaultAt } from '../core/index.js'
import { type OpenJob, bytesOf, openJobs } from './jobs.js'
import { readKept } from './kept.js'
import { type LinkRow, type MatchRow, LINK, faultsOf, matchRow, rowsOfJobs } from './match-rows.js'
import { NOTES, addLog, notesOf } from './notes.js'
import { writeLinks } from './record.js'
import { type RunRow, Session, emptyRun, entryOf, readWriters, runIn, runRows, writeRow } from './run-rows.js'
import { type StoreDatabase, type StoreSql, changeAmong, rowsAmong } from './sql.js'
import { parsed } from './sums.js'
import { Tally } from './tally.js'

/** What the rules say of a record; undefined: there are none to ask, so it stands. Throws where they cannot follow it. */
export type Judge = (
  record: MatchRecord,
) => { readonly outcome: Outcome; readonly faults: readonly FaultAt[] } | undefined

export interface CheckOptions {
  readonly judge: Judge
  /** Only runs of these contest files; absent: all. */
  readonly only?: (contest: string) => boolean
  /** Removes damaged jobs, so that they are played again. */
  readonly mend: boolean
  readonly progress: (done: number, of: number) => void
}

export interface Found {
  readonly what: string
  /** Mending removes it, to be played again. */
  readonly mendable: boolean
  readonly mended: boolean
}

export interface CheckedStore {
  readonly file: string
  readonly runs: number
  readonly matches: number
  readonly findings: readonly Found[]
  readonly copy?: string
}

interface Finding {
  readonly what: string
  /** What mending removes from all runs, which are counted anew: a job, or what a run has of damaged ones, by number. */
  readonly mend?: { readonly job?: number; readonly run?: number }
}

/** Of a store in a file: what is checked beside the rows, and done before they are mended. */
export interface FileCheck {
  readonly damages: () => readonly string[]
  readonly copy: () => string
}

/** Compares a store with its records and checksums, judges the records again, and mends what it can if asked to. */
export async function checkDatabase(
  db: StoreDatabase,
  agon: string,
  options: CheckOptions,
  file?: FileCheck,
): Promise<CheckedStore> {
  const findings: Finding[] = (file?.damages() ?? []).map((what) => ({ what }))
  const rows = await tried(() => db.look(runRows))
  if (rows === undefined) findings.push({ what: 'what its runs are cannot be read' })
  const runs = await db.look(async (sql) => rows?.filter((row) => options.only?.(runIn(sql, row).file) ?? true) ?? [])
  const { matches, found } = await checkJobs(db, options.only && runs, options)
  findings.push(...found)
  const owners = await db.look((sql) => sql.all<{ run: number }>('SELECT run FROM writer'))
  const there = new Set(rows?.map(({ number }) => number))
  if (rows !== undefined && owners.some(({ run }) => !there.has(run))) findings.push({ what: 'runs of it are lost' })
  for (const run of runs) findings.push(...(await db.look((sql) => checkRun(sql, run))))
  const mends = options.mend ? findings.flatMap(({ mend }) => mend ?? []) : []
  const copy = mends.length > 0 ? file?.copy() : undefined
  if (mends.length > 0) await mendStore(new Session(db, agon), mends)
  const told = findings.map(({ what, mend }) => ({
    what,
    mendable: mend !== undefined,
    mended: options.mend && mend !== undefined,
  }))
  return { file: db.where, runs: runs.length, matches, findings: told, copy }
}

/** Jobs that are read together. */
const AT_ONCE = 100

/** Checks each job's rows against its records, and these against the rules. `runs`: those of these runs alone. */
async function checkJobs(
  db: StoreDatabase,
  runs: readonly RunRow[] | undefined,
  { judge, progress }: CheckOptions,
): Promise<{ readonly matches: number; readonly found: readonly Finding[] }> {
  const found: Finding[] = []
  const { jobs, of } = await db.look((sql) => jobsOf(sql, runs))
  let matches = 0
  for (const some of portions(jobs, AT_ONCE))
    for (const { job: number, open } of await db.look((sql) => openEach(sql, some))) {
      const mend = { job: number }
      if (open === undefined) found.push({ what: `job number ${number} is lost, or cannot be read`, mend })
      for (const [i, row] of (open?.rows ?? []).entries()) {
        const why = checkMatch(db.where, row, open?.lines[i] ?? '', judge)
        if (why !== undefined) found.push({ what: `${row.key}: ${why}`, mend })
        matches++
        progress(matches, Math.max(matches, of))
      }
    }
  return { matches, found }
}

/** The jobs of these runs, or all, and how many matches they have, if known. */
async function jobsOf(sql: StoreSql, runs: readonly RunRow[] | undefined) {
  type Jobs = { readonly job: number }
  if (runs === undefined) {
    const [{ of } = { of: 0 }] = await sql.all<{ of: number }>('SELECT count(*) AS of FROM match')
    return { jobs: await sql.all<Jobs>('SELECT number AS job FROM job UNION SELECT job FROM run_job ORDER BY 1'), of }
  }
  const numbers = runs.map(({ number }) => number)
  const jobs = await rowsAmong<Jobs>(sql, 'SELECT DISTINCT job FROM run_job WHERE run IN (%) ORDER BY job', numbers)
  return { jobs, of: jobs.length }
}

/** Opens jobs together or, if one is damaged, each alone; without `open`: that one. */
async function openEach(
  sql: StoreSql,
  jobs: readonly { readonly job: number }[],
): Promise<readonly { readonly job: number; readonly open?: OpenJob }[]> {
  const together = await tried(() => openJobs(sql, jobs))
  if (together !== undefined) return together.map((open) => ({ job: open.job, open }))
  if (jobs.length === 1) return jobs
  const each: { readonly job: number; readonly open?: OpenJob }[] = []
  for (const one of jobs) each.push(...(await openEach(sql, [one])))
  return each
}

/** Where a match differs from its record, or its record from the rules; undefined: nowhere. */
function checkMatch(where: string, row: MatchRow, line: string, judge: Judge): string | undefined {
  let record: MatchRecord
  let judged: ReturnType<Judge>
  let faults: readonly FaultAt[]
  try {
    record = parsed<MatchRecord>(where, line)
    faults = faultsOf(where, row)
  } catch {
    return 'its record cannot be read'
  }
  try {
    judged = judge(record)
  } catch (error) {
    return `the rules cannot follow its record (${messageOf(error)})`
  }
  const names = record.seats.map(({ entrant }) => entrant)
  const seats = names.map((_, seat) => seat)
  const right = matchRow({ record, faults, seats, playoff: row.playoff === 1 }, row, names)
  if (row.key !== right.key) return `its record is that of ${right.key}`
  if (row.outcome !== right.outcome) return `stored as ${row.outcome}, its record says ${right.outcome}`
  if (row.seats !== right.seats) return 'its seats are not those of its record'
  if (row.turns !== right.turns || row.answers !== right.answers || row.luck !== right.luck)
    return 'its answers and its luck are not those of its record'
  if (judged === undefined) return undefined
  if (JSON.stringify(judged.outcome) !== right.outcome) return 'its record does not end as the rules say'
  return kinds(faults) === kinds(judged.faults) ? undefined : 'its faults are not those of its record'
}

/** The words beside a fault are for people, and may change with the rules. */
const kinds = (faults: readonly FaultAt[]): string =>
  faults
    .map(({ turn, seat, fault }) => `${turn} ${seat} ${fault}`)
    .sort()
    .join()

/** Checks a run's notes, what its bots keep, and whether the jobs that it counts are those that were written. */
async function checkRun(sql: StoreSql, row: RunRow): Promise<Finding[]> {
  const { number, id } = row
  const findings: Finding[] = []
  const look = async (what: string, work: () => Promise<unknown>, mend?: Finding['mend']): Promise<void> => {
    if ((await tried(work)) === undefined) findings.push({ what: `run ${id}: ${what}`, mend })
  }
  const { tournament } = runIn(sql, row)
  await look('its notes (log, rulings, who is out, ratings) are not as they were written', async () => {
    for (const kind of NOTES) await notesOf(sql, row, kind)
    return true
  })
  await look('what its bots kept on disk is not as it was written', () => readKept(sql, tournament), { run: number })
  if ((await tried(() => readWriters(sql, number))) === undefined)
    return [...findings, { what: `run ${id}: how much was written of it is not as it was written` }]
  const tally = new Tally(entryOf(sql, row), new Map(), sql.where)
  if (!(await tried(() => tally.update(sql))))
    findings.push({ what: `run ${id}: the jobs that it counts are not those that were written`, mend: { run: number } })
  return findings
}

/** Undefined: something is damaged. Throws any other error. */
async function tried<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** Removes damaged jobs in one transaction: their runs are open again, and `agon run --resume` plays what is missing. */
async function mendStore(session: Session, mends: readonly NonNullable<Finding['mend']>[]): Promise<void> {
  await session.db.transactionAlone(async (sql) => {
    const rows = new Map((await runRows(sql)).map((row) => [row.number, row]))
    const jobs = new Set(mends.flatMap(({ job }) => job ?? []))
    const runs = new Set([...mends.flatMap(({ run }) => run ?? []), ...(await runsOf(sql, jobs))])
    // What a long-lived bot did later depends on what is removed, or on what it kept on disk.
    for (const run of runs) for (const job of await lastingJobs(sql, rows.get(run))) jobs.add(job)
    for (const run of await runsOf(sql, jobs)) runs.add(run)
    const numbers = [...jobs]
    await changeAmong(sql, 'DELETE FROM match WHERE job IN (%)', numbers)
    await changeAmong(sql, 'DELETE FROM job WHERE number IN (%)', numbers)
    for (const run of runs) await recount(session, sql, rows.get(run))
  })
}

async function runsOf(sql: StoreSql, jobs: ReadonlySet<number>): Promise<number[]> {
  const rows = await rowsAmong<{ run: number }>(sql, 'SELECT run FROM run_job WHERE job IN (%)', [...jobs])
  return [...new Set(rows.map(({ run }) => run))]
}

/** A run's jobs with bots that live through its tournament; what these kept on disk is forgotten. */
async function lastingJobs(sql: StoreSql, row: RunRow | undefined): Promise<number[]> {
  if (row === undefined) return []
  const { tournament, entrants } = runIn(sql, row)
  const lasting = entrants.flatMap(({ memory }, place) => (memory === 'tournament' ? [place] : []))
  if (lasting.length === 0) return []
  await sql.run('DELETE FROM kept WHERE tournament = $1', [bytesOf(tournament)])
  const jobs = await rowsAmong<{ job: number }>(
    sql,
    `SELECT r.job FROM seat s JOIN run_job r ON r.run = s.run AND r.number = s.number
     WHERE s.run = ${row.number} AND s.entrant IN (%)`,
    lasting,
  )
  return jobs.map(({ job }) => job)
}

/** Counts a run's whole jobs anew: it is open again. */
async function recount(session: Session, sql: StoreSql, row: RunRow | undefined): Promise<void> {
  if (row === undefined) return
  const run = entryOf(sql, row)
  const links = await sql.all<LinkRow>(`SELECT ${LINK} FROM run_job r WHERE r.run = $1 ORDER BY r.number`, [run.number])
  await emptyRun(sql, run.number)
  let jobs = 0
  for (const some of portions(links, AT_ONCE)) {
    const rows = await rowsOfJobs(sql, some)
    const whole = some.map(({ job }) => ({ job, rows: rows.get(job) ?? [] })).filter((one) => one.rows.length > 0)
    await writeLinks(session, sql, run, whole)
    jobs += whole.length
  }
  await writeRow(sql, { ...row, state: 'open', ended: null })
  await addLog(session, sql, run, 'mended', { jobs, removed: links.length - jobs })
}
