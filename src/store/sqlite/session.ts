import type { LogEntry, RunSummary } from '../data.js'
import type { RunEntry } from '../run-rows.js'
import { insertLog } from './beside.js'
import { countsWhole } from './counts.js'
import type { Database } from './database.js'
import { storedDigest } from './digests.js'
import { readEntry, readRuns } from './entries.js'
import { Unpacker } from './packs.js'
import { Segments } from './segments.js'

/** An open store, as its ports share it: the file, the runs that were looked up, and the log. */
export class Session {
  readonly unpacker: Unpacker
  readonly segments: Segments
  private readonly entries = new Map<string, { readonly entry: RunEntry; readonly sum: number }>()

  /** By a run's number: the version of the file in which its counts were those that were written. */
  private readonly counted = new Map<number, number | undefined>()

  constructor(
    readonly db: Database,
    /** The version that the log names. */
    private readonly agon: string,
  ) {
    this.unpacker = new Unpacker(db)
    this.segments = new Segments(db, this.unpacker)
  }

  /** A run with its number here. Throws where there is none. Another process may have given it other entrants. */
  entry(run: string): RunEntry {
    const known = this.entries.get(run)
    if (known !== undefined) {
      if (this.db.recall(`entrants of ${run}`) === known.sum) return known.entry
      const sum = storedDigest(this.db, known.entry.number, 'entrants')
      // A run that was removed has none: a write to it reports that.
      if (sum === known.sum) this.db.keep(`entrants of ${run}`, sum)
      if (sum === known.sum || sum === 0) return known.entry
    }
    const entry = this.db.look(() => readEntry(this.db, run))
    this.entries.set(run, { entry, sum: storedDigest(this.db, entry.number, 'entrants') })
    return entry
  }

  /** All runs, or that one; the newest first. Throws UserError where they are not as they were written. */
  runs(id?: string): RunSummary[] {
    return readRuns(this.db, id, (db, { number, matches }) => {
      const version = db.version()
      // A run that is played is looked at every second. What this process adds keeps counts and checksum in step; another one's writes are compared.
      const isKnown = version !== undefined && this.counted.get(number) === version
      if (!isKnown && !countsWhole(db, number, matches)) return false
      this.counted.set(number, version)
      return true
    })
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
