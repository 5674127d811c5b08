import { insertLog } from './beside.js'
import type { LogEntry } from './data.js'
import type { Database } from './database.js'
import { type RunEntry, readEntry } from './entries.js'
import { Unpacker } from './packs.js'
import { Segments } from './segments.js'

/** An open store, as its ports share it: the file, the runs that were looked up, and the log. */
export class Session {
  readonly unpacker: Unpacker
  readonly segments: Segments
  private readonly entries = new Map<string, RunEntry>()

  constructor(
    readonly db: Database,
    /** The version that the log names. */
    private readonly agon: string,
  ) {
    this.unpacker = new Unpacker(db)
    this.segments = new Segments(db, this.unpacker)
  }

  /** A run with its number here. Throws where there is none. */
  entry(run: string): RunEntry {
    const entry = this.entries.get(run) ?? this.db.look(() => readEntry(this.db, run))
    this.entries.set(run, entry)
    return entry
  }

  /** A run was removed. */
  forget(run: string): void {
    this.entries.delete(run)
  }

  /** Adds a line to the log. Within a write. */
  note(run: string | undefined, what: string, detail: LogEntry['detail']): void {
    const number = run === undefined ? null : readEntry(this.db, run).number
    insertLog(this.db, number, { at: now(), agon: this.agon, what, detail: JSON.stringify(detail) })
  }
}

/** ISO 8601. */
export const now = (): string => new Date().toISOString()
