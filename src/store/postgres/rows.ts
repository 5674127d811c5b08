import type { MatchRecord } from '../../core/index.js'
import type { StoredFault } from '../data.js'
import { heldSum, lineOf, linesOf } from '../packing.js'
import type { Transaction } from '../port.js'
import { type RunEntry, indexIn } from '../run-rows.js'
import { type Sealed, type SeatRow, faultsSum, isSealed } from '../seals.js'
import { sumOfBytes } from '../sums.js'
import { damagedAt } from './errors.js'
import type { Sql } from './server.js'

/** A match's row as it lies there: its seats and faults are in it. */
export interface ServerMatchRow extends Sealed {
  readonly id: number
  readonly sum: number
  /** By seat: the entrant's number in the store. */
  readonly entrants: readonly number[]
  /** By seat. */
  readonly ranks: readonly number[]
  /** As JSON; null: there are none. */
  readonly faulted: string | null
  readonly pack: number
  readonly slot: number
  /** The checksum of where its record lies. */
  readonly held: number
}
/** The columns of a `ServerMatchRow`, of a match called m. */
export const MATCH =
  "m.id, encode(m.unit, 'hex') AS unit, m.number, m.place, m.outcome, m.playoff, m.at, m.faults, m.sum, m.entrants, m.ranks, m.faulted, m.pack, m.slot, m.held"

/**
 * The matches m of the jobs whose keys the parameter lists, each key once: a FROM. Every key is looked up by itself. Before PostgreSQL has
 * counted a new table's rows it supposes that many have the same key, and for a list of keys it would read all of the table.
 */
export const matchesOfJobs = (parameter: string): string =>
  `unnest(${parameter}::bytea[]) AS job (unit) CROSS JOIN LATERAL (SELECT * FROM agon.match x WHERE x.unit = job.unit OFFSET 0) AS m`

/** Keys of jobs as `matchesOfJobs` takes them. */
export const jobKeys = (keys: readonly string[]): Buffer[] => [...new Set(keys)].map((key) => Buffer.from(key, 'hex'))

/** Those of these jobs' keys that are there: each is looked up by itself, as in `matchesOfJobs`. */
export async function storedJobs(sql: Pick<Transaction, 'query'>, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql.query<{ key: string }>(
    `SELECT key FROM unnest($1::text[]) AS job (key)
     WHERE (SELECT true FROM agon.match WHERE unit = decode(key, 'hex') AND number = 0)`,
    [keys],
  )
  return new Set(rows.map(({ key }) => key))
}

export const seatRows = ({ entrants, ranks }: Pick<ServerMatchRow, 'entrants' | 'ranks'>): SeatRow[] =>
  entrants.map((entrant, seat) => ({ seat, entrant, rank: ranks[seat] ?? 0 }))

/** By seat: entrants' indexes in the run. */
export const seatsOf = (run: RunEntry, { entrants }: Pick<ServerMatchRow, 'entrants'>): number[] =>
  entrants.map((entrant) => indexIn(run, entrant))

/** A match's faults in the order of turns. Throws UserError where they are not as they were written. */
export function faultsOf(sql: Sql, { faulted, faults: sum }: ServerMatchRow): StoredFault[] {
  const faults = faulted === null ? [] : sql.parse<StoredFault[]>(faulted)
  if (faultsSum(faults) !== sum) throw damagedAt(sql.where)
  return faults
}

/** Whether a row, its seats and the place of its record are as they were written. */
export const isWholeRow = (row: ServerMatchRow): boolean =>
  isSealed(row, seatRows(row)) && row.held === heldSum(row.sum, row)

/** Throws UserError where one of the rows is not as it was written. */
function refuseDamagedRows(sql: Sql, rows: readonly ServerMatchRow[]): void {
  if (!rows.every(isWholeRow)) throw damagedAt(sql.where)
}

/** The matches of jobs by their keys, in order. Throws UserError where they are not as they were written. */
export async function jobRows(sql: Sql, keys: readonly string[]): Promise<Map<string, ServerMatchRow[]>> {
  const rows = await sql.all<ServerMatchRow>(
    `SELECT ${MATCH} FROM ${matchesOfJobs('$1')} ORDER BY m.unit, m.number`,
    jobKeys(keys),
  )
  refuseDamagedRows(sql, rows)
  const jobs = new Map<string, ServerMatchRow[]>()
  for (const row of rows) {
    const job = jobs.get(row.unit)
    if (row.number !== (job?.length ?? 0)) throw damagedAt(sql.where)
    if (job === undefined) jobs.set(row.unit, [row])
    else job.push(row)
  }
  return jobs
}

/** Matches by their numbers. Throws UserError where one is not there, or not as it was written. */
export async function matchRows(sql: Sql, ids: readonly number[]): Promise<Map<number, ServerMatchRow>> {
  const rows = await sql.all<ServerMatchRow>(`SELECT ${MATCH} FROM agon.match m WHERE m.id = ANY($1::bigint[])`, [
    ...new Set(ids),
  ])
  refuseDamagedRows(sql, rows)
  if (rows.length !== new Set(ids).size) throw damagedAt(sql.where)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The records of matches as lines of JSON, by their numbers. Throws UserError where they are not as they were written. */
export async function recordLines(
  sql: Sql,
  rows: readonly Pick<ServerMatchRow, 'id' | 'pack' | 'slot'>[],
): Promise<Map<number, string>> {
  const packs = await sql.all<{ id: number; data: Buffer; sum: number }>(
    'SELECT id, data, sum FROM agon.pack WHERE id = ANY($1::bigint[])',
    [...new Set(rows.map(({ pack }) => pack))],
  )
  const opened = new Map(
    packs.map(({ id, data, sum }) => {
      if (sum !== sumOfBytes(id, data)) throw damagedAt(sql.where)
      return [id, linesOf(sql.where, data)]
    }),
  )
  return new Map(
    rows.map(({ id, pack, slot }) => {
      const lines = opened.get(pack)
      const line = lines && lineOf(lines, slot)
      if (line === undefined) throw damagedAt(sql.where)
      return [id, line]
    }),
  )
}

/** The same as records. */
export async function records(
  sql: Sql,
  rows: readonly Pick<ServerMatchRow, 'id' | 'pack' | 'slot'>[],
): Promise<Map<number, MatchRecord>> {
  const lines = await recordLines(sql, rows)
  return new Map([...lines].map(([id, line]) => [id, sql.parse<MatchRecord>(line)]))
}
