import type { Match } from '../core/index.js'
import type { PlayedJob } from './port.js'
import { type JobHead, type OpenJob, bytesOf, jobHeads, recordsSum } from './jobs.js'
import { writeKept } from './kept.js'
import { type MatchRow, RowReader, faultsOf, jobSum, linkSum, matchRow, rowsOfJobs } from './match-rows.js'
import { pack } from './packing.js'
import { type RunEntry, type Session, addWritten, lockWriter } from './run-rows.js'
import { MetError, type StoreSql, type Value, rowsAmong } from './sql.js'
import { damaged, total } from './sums.js'

export interface PackedJob extends PlayedJob {
  readonly records: Uint8Array
  /** When each match was played, in milliseconds since 1970. */
  readonly at: readonly number[]
}

/** Compresses a job's records before its transaction, so that nobody waits for it. `at`: when a match was played. */
export const packJob = <Played extends Match>(
  job: PlayedJob & { readonly matches: readonly Played[] },
  at: (match: Played) => number,
): PackedJob => ({
  ...job,
  records: pack(job.matches.map(({ record }) => JSON.stringify(record))),
  at: job.matches.map(at),
})

type NewLink = Pick<OpenJob, 'job' | 'rows'>

/**
 * Stores jobs and counts them in a run. Those there already stay as they are and count too; those given by key alone count if they are there.
 * Returns the keys of those that were there. Within a transaction.
 */
export async function recordJobs(
  session: Session,
  sql: StoreSql,
  run: RunEntry,
  jobs: readonly (PackedJob | Pick<PackedJob, 'key'>)[],
): Promise<ReadonlySet<string>> {
  const keys = jobs.map(({ key }) => key)
  const there = await jobHeads(sql, keys)
  const known = new Set(there.keys())
  const fresh = jobs.flatMap((job) => ('records' in job && !known.has(job.key) && known.add(job.key) ? [job] : []))
  const links = [...(await newLinks(sql, run, there)), ...(await insertJobs(sql, run, fresh))]
  await writeLinks(session, sql, run, links)
  await writeKept(sql, fresh)
  return new Set(there.keys())
}

async function insertJobs(sql: StoreSql, run: RunEntry, jobs: readonly PackedJob[]): Promise<NewLink[]> {
  if (jobs.length === 0) return []
  const count = jobs.reduce((sum, { matches }) => sum + matches.length, jobs.length)
  const numbers = await sql.numbers(count)
  let next = 0
  const made = jobs.map(({ key, matches, records, at }) => {
    const job = numbers[next++] as number
    const rows = matches.map((match, number) =>
      matchRow(match, { id: numbers[next++] as number, job, number, at: at[number] ?? 0 }, run.names),
    )
    return { key, records, job, rows }
  })
  const jobValues: Value[] = []
  const matchValues: Value[] = []
  // One order, so that two who add the same jobs do not wait for each other.
  for (const { key, records, job, rows } of [...made].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    jobValues.push(job, bytesOf(key), jobSum(rows), recordsSum(key, job, records), records)
    for (const row of rows) {
      matchValues.push(row.id, row.job, row.number, row.key, row.seats, row.outcome, row.playoff, row.turns)
      matchValues.push(row.answers, row.luck, row.faults, row.at)
    }
  }
  // Another run's process may just have stored one: then that one counts.
  if ((await sql.insert('job', jobValues)) < jobs.length) throw new MetError()
  await sql.insert('match', matchValues)
  return made
}

/** The stored jobs that do not count in a run yet. Throws UserError where one is damaged. */
async function newLinks(sql: StoreSql, run: RunEntry, heads: ReadonlyMap<string, JobHead>): Promise<NewLink[]> {
  if (heads.size === 0) return []
  const numbers = [...heads.values()].map(({ job }) => job)
  const text = 'SELECT job, run FROM run_job WHERE job IN (%)'
  const linked = await rowsAmong<{ job: number; run: number }>(sql, text, numbers)
  const here = new Set(linked.flatMap((link) => (link.run === run.number ? link.job : [])))
  const fresh = [...heads.values()].filter(({ job }) => !here.has(job))
  const rows = await rowsOfJobs(sql, fresh)
  return fresh.map(({ job }) => {
    const own = rows.get(job)
    if (own === undefined) throw damaged(sql.where)
    return { job, rows: own }
  })
}

/** Writes that jobs count in a run, and who sits in them. Within a transaction. */
export async function writeLinks(
  session: Session,
  sql: StoreSql,
  run: RunEntry,
  jobs: readonly NewLink[],
): Promise<void> {
  if (jobs.length === 0) return
  const writer = await session.writerOf(sql)
  // The numbers are drawn while nobody else writes as this writer: they go up as its transactions end.
  const row = await lockWriter(sql, run.number, writer)
  const numbers = await sql.numbers(jobs.length)
  const reader = new RowReader(sql.where, run.index, new Map())
  const links: Value[] = []
  const seats: Value[] = []
  const sums = jobs.map(({ job, rows }, i) => {
    const number = numbers[i] as number
    const faulted = rows.some(({ faults }) => faults !== null) ? 1 : 0
    const sum = jobSum(rows)
    links.push(run.number, number, writer, job, faulted, sum)
    for (const [entrant, own] of faultedBy(sql, reader, rows)) seats.push(run.number, entrant, number, own ? 1 : 0)
    return linkSum({ number, job, faulted, sum })
  })
  // Another process may just have counted one in the run.
  if ((await sql.insert('run_job', links)) < jobs.length) throw new MetError()
  await sql.insert('seat', seats)
  const matches = jobs.flatMap(({ rows }) => rows).length
  await addWritten(sql, row, { jobs: jobs.length, matches, job_sum: total(sums) })
}

/** Whether each entrant of a job faulted in it. */
function faultedBy(sql: StoreSql, reader: RowReader, rows: readonly MatchRow[]): Map<number, boolean> {
  const by = new Map<number, boolean>()
  for (const row of rows) {
    const who = reader.seats(row)
    const faulted = new Set(faultsOf(sql.where, row).map(({ seat }) => who[seat]))
    for (const entrant of who) by.set(entrant, by.get(entrant) === true || faulted.has(entrant))
  }
  // Names that the run does not have.
  by.delete(-1)
  return by
}
