import type { MatchRecord } from '../core/index.js'
import { damaged } from './damage.js'
import type { JudgedMatch } from './data.js'
import { type MatchRow, faultsOf, jobSum, recordIn, rowsOfJobs } from './match-rows.js'
import { unpack } from './packing.js'
import { type StoreSql, rowsAmong } from './sql.js'
import { sumOf, sumOfBytes } from './sums.js'

/** A job as it lies in the store. */
interface JobRow {
  readonly number: number
  readonly key: Uint8Array
  /** The checksum of its matches' rows. */
  readonly sum: number
  /** The checksum of its records' bytes. */
  readonly bytes: number
  readonly records: Uint8Array
}

/** A key's bytes. */
export const bytesOf = (key: string): Uint8Array => Buffer.from(key, 'hex')

const hexOf = (data: Uint8Array): string => Buffer.from(data).toString('hex')

/** The checksum of a job's records. */
export const recordsSum = (key: string, number: number, records: Uint8Array): number =>
  sumOfBytes(sumOf('job', key, number), records)

/** A job as it was read: its matches' rows, and their records as lines of JSON. */
export interface OpenJob {
  readonly number: number
  readonly key: string
  readonly rows: readonly MatchRow[]
  readonly lines: readonly string[]
}

/** What is known of a job without its records. */
export interface JobHead {
  readonly number: number
  readonly key: string
  readonly sum: number
}

/** Those of the jobs that are there, by their keys. */
export async function jobHeads(sql: StoreSql, keys: readonly string[], lock = ''): Promise<Map<string, JobHead>> {
  const rows = await rowsAmong<Pick<JobRow, 'number' | 'key' | 'sum'>>(
    sql,
    `SELECT number, key, sum FROM job WHERE key IN (%)${lock}`,
    [...new Set(keys)].map(bytesOf),
  )
  return new Map(rows.map(({ number, key, sum }) => [hexOf(key), { number, key: hexOf(key), sum }]))
}

/** Jobs with their records, by their numbers or keys; those that are not there are left out. Throws UserError where they are not as they were written. */
export async function openJobs(
  sql: StoreSql,
  by: { readonly numbers: readonly number[] } | { readonly keys: readonly string[] },
): Promise<OpenJob[]> {
  const column = 'numbers' in by ? 'number' : 'key'
  const values = 'numbers' in by ? by.numbers : [...new Set(by.keys)].map(bytesOf)
  const jobs = await rowsAmong<JobRow>(
    sql,
    `SELECT number, key, sum, bytes, records FROM job WHERE ${column} IN (%)`,
    values,
  )
  const rows = await rowsOfJobs(
    sql,
    jobs.map(({ number }) => number),
  )
  return jobs.map((job) => openJob(sql.where, job, rows.get(job.number) ?? []))
}

function openJob(where: string, { number, key, sum, bytes, records }: JobRow, rows: readonly MatchRow[]): OpenJob {
  const hex = hexOf(key)
  if (bytes !== recordsSum(hex, number, records) || jobSum(rows) !== sum) throw damaged(where)
  const lines = unpack(where, records)
  if (lines.length !== rows.length) throw damaged(where)
  return { number, key: hex, rows, lines }
}

/** Matches whose records are read together, or those of one job. */
const TOGETHER = 500

/** The numbers of jobs, in their order, as many together as may be opened at once. */
export function* openTogether(
  jobs: readonly { readonly job: number; readonly matches: number }[],
): Generator<readonly number[]> {
  let [some, held]: [number[], number] = [[], 0]
  for (const { job, matches } of jobs) {
    if (some.length > 0 && held + matches > TOGETHER) {
      yield some
      ;[some, held] = [[], 0]
    }
    some.push(job)
    held += matches
  }
  if (some.length > 0) yield some
}

/** A job's matches, in order. */
export const judgedMatches = (where: string, { rows, lines }: OpenJob): JudgedMatch[] =>
  rows.map((row, i) => ({ record: recordIn(where, lines[i] ?? ''), faults: faultsOf(where, row) }))

/** Jobs that are kept open: a reader of records often wants those of one job. */
const OPEN = 4

/** Reads single records. */
export class RecordReader {
  private readonly jobs = new Map<number, OpenJob>()

  /** The record of a match by its number. Throws where there is none, and UserError where it is not as it was written. */
  async record(sql: StoreSql, match: number): Promise<MatchRecord> {
    const [row] = await sql.all<{ job: number; number: number }>('SELECT job, number FROM match WHERE id = $1', [match])
    if (row === undefined) throw new Error(`${sql.where} holds no match ${match}`)
    const job = this.jobs.get(row.job) ?? (await openJobs(sql, { numbers: [row.job] }))[0]
    if (job?.rows[row.number]?.id !== match) throw damaged(sql.where)
    this.jobs.delete(row.job)
    this.jobs.set(row.job, job)
    for (const oldest of [...this.jobs.keys()].slice(0, -OPEN)) this.jobs.delete(oldest)
    return recordIn(sql.where, job.lines[row.number] ?? '')
  }
}
