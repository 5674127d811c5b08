import type { PlayedJob, PlayedMatch } from './data.js'
import { type JobHead, bytesOf, jobHeads, recordsSum } from './jobs.js'
import { writeKept } from './kept.js'
import {
  type LinkRow,
  type MatchRow,
  RowReader,
  faultsOf,
  jobSum,
  linkSum,
  matchRow,
  rowsOfJobs,
} from './match-rows.js'
import { pack } from './packing.js'
import { type RunEntry, type Session, type Wrote, addWritten, lockWriter } from './run-rows.js'
import { MetError, type StoreSql, type Value, rowsAmong } from './sql.js'
import { damaged } from './damage.js'
import { total } from './sums.js'

/** A job to be stored, with its records compressed. */
export interface PackedJob {
  readonly job: Pick<PlayedJob, 'key' | 'kept'> & { readonly matches: readonly PlayedMatch[] }
  readonly records: Uint8Array
  /** When each of its matches was played, in milliseconds since 1970. */
  readonly at: readonly number[]
}

/** Compresses a job's records: before its transaction begins, so that nobody waits for it. */
export const packJob = (job: PackedJob['job'], at: readonly number[]): PackedJob => ({
  job,
  records: pack(job.matches.map(({ record }) => JSON.stringify(record))),
  at,
})

/**
 * Stores jobs and counts them in a run. Those that are there already stay as they are, and count too. Within a transaction in which the
 * run's row is locked.
 */
export async function recordJobs(
  session: Session,
  sql: StoreSql,
  run: RunEntry,
  jobs: readonly PackedJob[],
): Promise<Wrote> {
  const before = await jobHeads(
    sql,
    jobs.map(({ job }) => job.key),
  )
  const links = new Links(run)
  if (before.size > 0) await links.adopt(sql, [...before.values()])
  const known = new Set(before.keys())
  const fresh = jobs.filter(({ job: { key } }) => !known.has(key) && known.add(key))
  if (fresh.length > 0) await insertJobs(sql, run, fresh, links)
  const written = await links.write(session, sql)
  await writeKept(
    sql,
    fresh.map(({ job }) => job),
  )
  return { run, before: new Set(before.keys()), written }
}

/** Counts those of the jobs that are there in a run. Within a transaction in which the run's row is locked. */
export async function adoptJobs(
  session: Session,
  sql: StoreSql,
  run: RunEntry,
  keys: readonly string[],
): Promise<Wrote> {
  // Locked, so that nobody removes them before they are linked.
  const there = await jobHeads(sql, keys, sql.forShare)
  const links = new Links(run)
  await links.adopt(sql, [...there.values()])
  return { run, before: new Set(there.keys()), written: await links.write(session, sql) }
}

async function insertJobs(sql: StoreSql, run: RunEntry, jobs: readonly PackedJob[], links: Links): Promise<void> {
  // In one order, so that two who add the same jobs do not wait for each other.
  const sorted = jobs.length === 1 ? jobs : [...jobs].sort((a, b) => (a.job.key < b.job.key ? -1 : 1))
  const count = jobs.reduce((sum, { job }) => sum + job.matches.length, jobs.length)
  const numbers = await sql.numbers(count)
  const rowsOf = new Map<PackedJob, { number: number; rows: MatchRow[] }>()
  let next = 0
  for (const packed of jobs) {
    const { matches } = packed.job
    const job = numbers[next++] as number
    const rows = matches.map((match, number) =>
      matchRow(match, { id: numbers[next++] as number, job, number, at: packed.at[number] ?? 0 }, run.names),
    )
    rowsOf.set(packed, { number: job, rows })
    links.add({ number: job, sum: jobSum(rows) }, rows)
  }
  const jobValues: Value[] = []
  const matchValues: Value[] = []
  for (const packed of sorted) {
    const { number, rows } = rowsOf.get(packed) as { number: number; rows: MatchRow[] }
    const { key } = packed.job
    jobValues.push(number, bytesOf(key), jobSum(rows), recordsSum(key, number, packed.records), packed.records)
    for (const row of rows) {
      matchValues.push(row.id, row.job, row.number, row.key, row.seats, row.outcome, row.playoff, row.turns)
      matchValues.push(row.answers, row.luck, row.faults, row.at)
    }
  }
  // Another run's process may have stored one of them just now: then that one counts.
  if ((await sql.insert('job', jobValues)) < jobs.length) throw new MetError()
  await sql.insert('match', matchValues)
}

/** Jobs that are to be counted in a run. */
class Links {
  private readonly jobs: { readonly job: Pick<JobHead, 'number' | 'sum'>; readonly rows: readonly MatchRow[] }[] = []

  constructor(private readonly run: RunEntry) {}

  add(job: Pick<JobHead, 'number' | 'sum'>, rows: readonly MatchRow[]): void {
    this.jobs.push({ job, rows })
  }

  /** Jobs that are stored: those that count in the run already are left out. Throws UserError where they are not as they were written. */
  async adopt(sql: StoreSql, jobs: readonly JobHead[]): Promise<void> {
    const linked = await rowsAmong<{ job: number; run: number }>(
      sql,
      'SELECT job, run FROM run_job WHERE job IN (%)',
      jobs.map(({ number }) => number),
    )
    const here = new Set(linked.flatMap(({ job, run }) => (run === this.run.number ? [job] : [])))
    const fresh = jobs.filter(({ number }) => !here.has(number))
    const rows = await rowsOfJobs(
      sql,
      fresh.map(({ number }) => number),
    )
    for (const job of fresh) {
      const own = rows.get(job.number) ?? []
      if (own.length === 0 || jobSum(own) !== job.sum) throw damaged(sql.where)
      this.add(job, own)
    }
  }

  /** Within a transaction: others find all of it counted, or none. Returns how many jobs this process has written of the run. */
  async write(session: Session, sql: StoreSql): Promise<number> {
    const { jobs, run } = this
    if (jobs.length === 0) return 0
    const writer = await session.writerOf(sql)
    // The numbers are drawn while nobody else writes as this writer, so that they go up as its transactions end.
    const row = await lockWriter(sql, run.number, writer)
    session.refuseOlder(sql, run, row)
    const numbers = await sql.numbers(jobs.length)
    const sums = await writeLinks(
      sql,
      run,
      jobs.map(({ job, rows }, i) => ({ number: numbers[i] as number, writer, job: job.number, rows })),
    )
    const matches = jobs.reduce((sum, { rows }) => sum + rows.length, 0)
    await addWritten(sql, row, { jobs: jobs.length, matches, job_sum: total(sums) })
    return row.jobs + jobs.length
  }
}

/** Writes that a run has jobs, by their numbers in it, with who sits in them. Returns the links' checksums. Within a transaction. */
export async function writeLinks(
  sql: StoreSql,
  run: RunEntry,
  jobs: readonly (Omit<LinkRow, 'faulted' | 'sum'> & { readonly rows: readonly MatchRow[] })[],
): Promise<number[]> {
  const reader = new RowReader(sql.where, run.index, new Map())
  const links: Value[] = []
  const seats: Value[] = []
  const sums = jobs.map(({ number, writer, job, rows }) => {
    const faulted = rows.some(({ faults }) => faults !== null) ? 1 : 0
    const sum = jobSum(rows)
    links.push(run.number, number, writer, job, faulted, sum)
    for (const [entrant, own] of faultedBy(sql, reader, rows)) seats.push(run.number, entrant, number, own ? 1 : 0)
    return linkSum({ number, job, faulted, sum })
  })
  // Another process may have counted one of them in the run just now.
  if ((await sql.insert('run_job', links)) < jobs.length) throw new MetError()
  await sql.insert('seat', seats)
  return sums
}

/** By entrant of a job whether it faulted in it. */
function faultedBy(sql: StoreSql, reader: RowReader, rows: readonly MatchRow[]): Map<number, boolean> {
  const by = new Map<number, boolean>()
  for (const row of rows) {
    const who = reader.seats(row)
    for (const entrant of who) if (entrant >= 0 && !by.has(entrant)) by.set(entrant, false)
    if (row.faults === null) continue
    for (const { seat } of faultsOf(sql.where, row)) if ((who[seat] ?? -1) >= 0) by.set(who[seat] as number, true)
  }
  return by
}
