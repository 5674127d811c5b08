import { removed } from '../damage.js'
import type { LogEntry } from '../data.js'
import type { RunEntry } from '../run-rows.js'
import { logSum } from '../seals.js'
import { addDigests } from './digests.js'
import { readEntry } from './entries.js'
import type { Server, Sql } from './server.js'

/** An open store on a server, as its ports share it: the connections, the runs that were looked up, and the log. */
export class Session {
  private readonly entries = new Map<string, { readonly entry: RunEntry; readonly sum: number }>()

  constructor(
    readonly server: Server,
    /** The version that the log names. */
    private readonly agon: string,
  ) {}

  /**
   * A run with its number here. `lock`: no other process changes the run, or adds matches to it, until this write ends. Throws where there is
   * none. Another process may have given it other entrants.
   */
  async entry(sql: Sql, run: string, lock?: 'lock'): Promise<RunEntry> {
    const head = await sql.get<{ number: number; sum: number | null }>(
      `SELECT r.number, (SELECT sum FROM agon.digest WHERE run = r.number AND part = 'entrants') AS sum
       FROM agon.run r WHERE r.id = $1 ${lock === undefined ? '' : 'FOR UPDATE OF r'}`,
      run,
    )
    const known = this.entries.get(run)
    if (head === undefined && known !== undefined) throw removed(sql.where)
    if (known !== undefined && known.entry.number === head?.number && known.sum === head.sum) return known.entry
    const read = await readEntry(sql, run)
    this.entries.set(run, read)
    return read.entry
  }

  /** A run was removed. */
  forget(run: string): void {
    this.entries.delete(run)
  }

  /** Adds a line to the log; `run` null: of the store as a whole. Within a write. */
  async note(sql: Sql, run: number | null, what: string, detail: LogEntry['detail']): Promise<void> {
    await insertLog(sql, run, { at: now(), agon: this.agon, what, detail })
  }
}

export async function insertLog(sql: Sql, run: number | null, { at, agon, what, detail }: LogEntry): Promise<void> {
  const row = { at, agon, what, detail: JSON.stringify(detail) }
  await sql.run(
    'INSERT INTO agon.log (at, agon, run, what, detail) VALUES ($1, $2, $3, $4, $5)',
    at,
    agon,
    run,
    what,
    row.detail,
  )
  if (run !== null) await addDigests(sql, run, { log: logSum(row) })
}

/** ISO 8601. */
export const now = (): string => new Date().toISOString()
