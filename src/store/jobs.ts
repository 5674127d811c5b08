import type { MatchRecord, JudgedMatch } from '../core/index.js'
import { type MatchRow, faultsOf, rowsOfJobs } from './match-rows.js'
import { linesIn, unpack } from './packing.js'
import { type StoreSql, type Value, first, rowsAmong } from './sql.js'
import { damaged, parsed, sumOf, sumOfBytes } from './sums.js'

export const bytesOf = (key: string): Uint8Array => Buffer.from(key, 'hex')

const hexOf = (data: Uint8Array): string => Buffer.from(data).toString('hex')

export const recordsSum = (key: string, number: number, records: Uint8Array): number =>
  sumOfBytes(sumOf('job', key, number), records)

/** A job as read: its matches' rows, and their records as lines of JSON. */
export interface OpenJob {
  readonly job: number
  readonly key: string
  readonly rows: readonly MatchRow[]
  readonly lines: readonly string[]
}

interface JobRow {
  readonly job: number
  readonly key: Uint8Array
  readonly sum: number
  readonly bytes: number
  readonly records: Uint8Array
}

export type JobHead = Omit<JobRow, 'bytes' | 'records'>

/** By key those of the jobs that are there, without their records. */
export async function jobHeads(sql: StoreSql, keys: readonly string[]): Promise<Map<string, JobHead>> {
  const text = `SELECT number AS job, key, sum FROM job WHERE key IN (%)`
  const rows = await rowsAmong<JobHead>(sql, text, [...new Set(keys)].map(bytesOf))
  return new Map(rows.map((row) => [hexOf(row.key), row]))
}

/** Jobs with their records. Throws UserError where one is lost or damaged. */
export async function openJobs(sql: StoreSql, jobs: readonly { readonly job: number }[]): Promise<OpenJob[]> {
  const numbers = jobs.map(({ job }) => job)
  const open = await jobsIn(sql, 'number', numbers)
  if (open.length < jobs.length) throw damaged(sql.where)
  return open
}

/** The matches of jobs by the jobs' keys; those not there are left out. Throws UserError where one is damaged. */
export async function readJobs(sql: StoreSql, keys: readonly string[]): Promise<Map<string, JudgedMatch[]>> {
  const open = await jobsIn(sql, 'key', [...new Set(keys)].map(bytesOf))
  return new Map(open.map((job) => [job.key, judgedMatches(sql.where, job)]))
}

/** The records of jobs by key, as bytes of lines, without their matches' rows: to write many. Throws as `readJobs`. */
export async function readLines(sql: StoreSql, keys: readonly string[]): Promise<Map<string, Uint8Array>> {
  const text = 'SELECT number AS job, key, bytes, records FROM job WHERE key IN (%)'
  const jobs = await rowsAmong<Omit<JobRow, 'sum'>>(sql, text, [...new Set(keys)].map(bytesOf))
  return new Map(jobs.map((job) => [hexOf(job.key), bytesOfLines(sql.where, job)]))
}

async function jobsIn(sql: StoreSql, column: 'number' | 'key', values: readonly Value[]): Promise<OpenJob[]> {
  const text = `SELECT number AS job, key, sum, bytes, records FROM job WHERE ${column} IN (%)`
  const jobs = await rowsAmong<JobRow>(sql, text, values)
  const rowsBy = await rowsOfJobs(sql, jobs)
  return jobs.map((row) => {
    const lines = linesIn(bytesOfLines(sql.where, row))
    const rows = rowsBy.get(row.job)
    if (lines.length !== rows?.length) throw damaged(sql.where)
    return { job: row.job, key: hexOf(row.key), rows, lines }
  })
}

function bytesOfLines(where: string, { job, key, bytes, records }: Omit<JobRow, 'sum'>): Buffer {
  if (bytes !== recordsSum(hexOf(key), job, records)) throw damaged(where)
  return unpack(where, records)
}

export const judgedMatches = (where: string, { rows, lines }: OpenJob): JudgedMatch[] =>
  rows.map((row, i) => ({ record: parsed<MatchRecord>(where, lines[i] ?? ''), faults: faultsOf(where, row) }))

/** Reads the record of a match by its number. Throws where there is none, and UserError where it is damaged. */
export function recordReader(): (sql: StoreSql, match: number) => Promise<MatchRecord> {
  // The last job read: a reader often wants all records of one job.
  let last: OpenJob | undefined
  return async (sql, match) => {
    const text = 'SELECT job, number FROM match WHERE id = $1'
    const row = await first<{ job: number; number: number }>(sql, text, [match])
    if (row === undefined) throw new Error(`${sql.where} holds no match ${match}`)
    const job = last?.job === row.job ? last : (await openJobs(sql, [row]))[0]
    if (job?.rows[row.number]?.id !== match) throw damaged(sql.where)
    last = job
    return parsed<MatchRecord>(sql.where, job.lines[row.number] ?? '')
  }
}
