import type { Run, ScoringSpec } from '../core/index.js'
import type { RunState } from './port.js'
import { type StoreDatabase, type StoreSql, first } from './sql.js'
import { damaged, minus, parsed, plus, removed, sumOf } from './sums.js'

/** A run as it lies in the store; `doc` is the `Run` as JSON. */
export interface RunRow {
  readonly number: number
  readonly id: string
  readonly state: RunState
  readonly ended: string | null
  readonly doc: string
  readonly sum: number
}
const RUN = 'number, id, state, ended, doc, sum'

const runSum = ({ number, id, state, ended, doc }: Omit<RunRow, 'sum'>): number => sumOf(number, id, state, ended, doc)

/** What is needed to read and write a run's matches. */
export interface RunEntry {
  readonly number: number
  /** The checksum of its row, which changes with it. */
  readonly sum: number
  readonly scoring: ScoringSpec
  readonly tournament: string
  /** Its entrants', in the contest's order. */
  readonly names: readonly string[]
  readonly index: ReadonlyMap<string, number>
}

const whole = (sql: StoreSql, row: RunRow): RunRow => {
  if (row.sum !== runSum(row)) throw damaged(sql.where)
  return row
}

/** All runs, the newest first. Throws UserError where one is damaged. */
export const runRows = async (sql: StoreSql): Promise<RunRow[]> =>
  (await sql.all<RunRow>(`SELECT ${RUN} FROM run ORDER BY number DESC`)).map((row) => whole(sql, row))

/** A run's row; undefined: none. Throws UserError where it is there, but not where the index looks. */
export async function findRow(sql: StoreSql, id: string): Promise<RunRow | undefined> {
  const row = await first<RunRow>(sql, `SELECT ${RUN} FROM run WHERE id = $1`, [id])
  if (row !== undefined) return whole(sql, row)
  if ((await sql.all("SELECT 1 FROM run WHERE id || '' = $1", [id])).length > 0) throw damaged(sql.where)
  return undefined
}

export async function readRow(sql: StoreSql, id: string): Promise<RunRow> {
  const row = await findRow(sql, id)
  if (row === undefined) throw new Error(`${sql.where} holds no run ${id}`)
  return row
}

/** A run as written: without what starts its entrants on this machine. */
export const runIn = (sql: StoreSql, { doc }: RunRow): Run => parsed<Run>(sql.where, doc)

/** Writes or replaces a run's row. Within a transaction. */
export async function writeRow(sql: StoreSql, row: Omit<RunRow, 'sum'>): Promise<void> {
  const { number, id, state, ended, doc } = row
  await sql.run(
    `INSERT INTO run (${RUN}) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (number) DO UPDATE SET state = excluded.state, ended = excluded.ended, doc = excluded.doc, sum = excluded.sum`,
    [number, id, state, ended, doc, runSum(row)],
  )
}

export const docOf = ({ entrants, ...run }: Run): string =>
  JSON.stringify({ ...run, entrants: entrants.map((entrant) => ({ ...entrant, program: undefined })) })

/** Adds a run. Throws if its id is there already. Within a transaction. */
export async function insertRun(sql: StoreSql, run: Run, state: RunState = 'open', ended?: string): Promise<number> {
  const { id } = run
  if ((await findRow(sql, id)) !== undefined) throw new Error(`UNIQUE: ${sql.where} holds a run ${id} already`)
  const [number = 0] = await sql.numbers(1)
  await writeRow(sql, { number, id, state, ended: ended ?? null, doc: docOf(run) })
  return number
}

export function entryOf(sql: StoreSql, row: RunRow): RunEntry {
  const { number, sum } = row
  const { contest, tournament, entrants } = runIn(sql, row)
  const names = entrants.map(({ name }) => name)
  const index = new Map(names.map((name, place) => [name, place]))
  return { number, sum, scoring: contest.scoring, tournament, names, index }
}

export interface WriterRow {
  readonly run: number
  readonly number: number
  readonly jobs: number
  readonly matches: number
  /** The sum of its links' checksums. */
  readonly job_sum: number
  readonly notes: number
  readonly note_sum: number
  readonly sum: number
}
const WRITER = 'run, number, jobs, matches, job_sum, notes, note_sum, sum'

const writerSum = (row: Omit<WriterRow, 'sum'>): number =>
  sumOf(row.run, row.number, row.jobs, row.matches, row.job_sum, row.notes, row.note_sum)

/** The writers of a run, or of all. Throws UserError where one is damaged. */
export async function readWriters(sql: StoreSql, run?: number, number?: number): Promise<WriterRow[]> {
  const values = [run, number].flatMap((one) => one ?? [])
  const where = ['run = $1', 'number = $2'].slice(0, values.length).join(' AND ')
  const lock = number === undefined ? '' : sql.forUpdate
  const rows = await sql.all<WriterRow>(`SELECT ${WRITER} FROM writer${where && ` WHERE ${where}`}${lock}`, values)
  for (const row of rows) if (row.sum !== writerSum(row)) throw damaged(sql.where)
  return rows
}

/** Takes all jobs from a run; they stay in the store. Within a transaction that is alone. */
export async function emptyRun(sql: StoreSql, run: number): Promise<void> {
  await sql.run('DELETE FROM run_job WHERE run = $1', [run])
  await sql.run('DELETE FROM seat WHERE run = $1', [run])
  for (const row of await readWriters(sql, run))
    await addWritten(sql, row, { jobs: -row.jobs, matches: -row.matches, job_sum: minus(0, row.job_sum) })
}

/** A writer's row, locked until the transaction ends. */
export async function lockWriter(sql: StoreSql, run: number, number: number): Promise<WriterRow> {
  const [there] = await readWriters(sql, run, number)
  if (there !== undefined) return there
  const none = { run, number, jobs: 0, matches: 0, job_sum: 0, notes: 0, note_sum: 0 }
  await sql.run(
    `INSERT INTO writer (${WRITER}) VALUES ($1, $2, 0, 0, 0, 0, 0, $3) ON CONFLICT (run, number) DO NOTHING`,
    [run, number, writerSum(none)],
  )
  return lockWriter(sql, run, number)
}

/** Adds to what a writer has written; negative: takes away. Within the transaction that has locked its row. */
export async function addWritten(
  sql: StoreSql,
  row: WriterRow,
  more: Partial<Omit<WriterRow, 'run' | 'number' | 'sum'>>,
): Promise<void> {
  const { run, number } = row
  const jobs = row.jobs + (more.jobs ?? 0)
  const matches = row.matches + (more.matches ?? 0)
  const job_sum = plus(row.job_sum, more.job_sum ?? 0)
  const notes = row.notes + (more.notes ?? 0)
  const note_sum = plus(row.note_sum, more.note_sum ?? 0)
  const sum = writerSum({ run, number, jobs, matches, job_sum, notes, note_sum })
  await sql.run(
    `UPDATE writer SET jobs = $3, matches = $4, job_sum = $5, notes = $6, note_sum = $7, sum = $8
     WHERE run = $1 AND number = $2`,
    [run, number, jobs, matches, job_sum, notes, note_sum, sum],
  )
}

/** An open store as its ports share it: its database, the runs looked up, and this process's writer. */
export class Session {
  private readonly entries = new Map<string, RunEntry>()
  private writer: number | undefined

  constructor(
    readonly db: StoreDatabase,
    readonly agon: string,
  ) {}

  /** Reads a run at one moment. Throws where there is none. */
  look<T>(run: string, work: (sql: StoreSql, run: RunEntry) => Promise<T>): Promise<T> {
    return this.db.look(async (sql) => work(sql, await this.entry(sql, run)))
  }

  /** Does work on a run in one transaction. Throws where there is none. */
  change<T>(run: string, work: (sql: StoreSql, run: RunEntry) => Promise<T>): Promise<T> {
    return this.db.transaction(async (sql) => work(sql, await this.entry(sql, run)))
  }

  private async entry(sql: StoreSql, id: string): Promise<RunEntry> {
    const known = this.entries.get(id)
    const head = known && (await first<{ sum: number }>(sql, 'SELECT sum FROM run WHERE number = $1', [known.number]))
    if (known !== undefined && head?.sum === known.sum) return known
    const row = await findRow(sql, id)
    if (row === undefined) throw known === undefined ? new Error(`${sql.where} holds no run ${id}`) : removed(sql.where)
    const entry = entryOf(sql, row)
    this.entries.set(id, entry)
    return entry
  }

  /** This process's number among the writers of runs. */
  async writerOf(sql: StoreSql): Promise<number> {
    return (this.writer ??= (await sql.numbers(1))[0] ?? 0)
  }
}
