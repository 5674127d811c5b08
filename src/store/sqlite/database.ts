import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'
import { BusyError, type Wording, message, option, UserError } from '../../core/index.js'
import type { Value } from '../sql.js'
import { DAMAGED } from '../sums.js'

/** A statement that gives rows throws without SQLite's code; and agon writes no number beyond a double. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  /malformed|not a database|constraint failed|datatype mismatch|cannot store|too big|too large|unsupported file format|out of range/i.test(
    error.message,
  )

/** The disk is full: nothing was changed, and it can be tried again. */
export class FullDisk extends UserError {}
/** SQLite's codes: a failed write, a full disk. */
const FULL: ReadonlySet<number> = new Set([10, 13])

/** SQLite's errors that the host can mend, by code. */
const WORDS: Readonly<Record<number, Wording>> = {
  5: message`another program has held it for ten seconds; let it end, and continue with ${option('resume')}`,
  8: message`may not be written: the folder or the file is read-only; choose another workspace with ${option('workspace')}`,
  10: message`cannot be read or written (the disk is full, or fails); make room and continue with ${option('resume')}`,
  11: DAMAGED,
  13: message`no space left on the disk (SQLITE_FULL); make room and continue with ${option('resume')}`,
  19: DAMAGED,
  20: DAMAGED,
  14: message`cannot be opened: the folder or the file may not be used; choose another workspace with ${option('workspace')}`,
  26: 'is no store of agon, or is damaged; put a copy of it back, or move it away',
}

/** An open file: statements prepared once, errors in words, writes in transactions one after another. */
export class Database {
  private readonly raw: InstanceType<typeof DatabaseSync>
  private readonly prepared = new Map<string, StatementSyncInstance>()

  /** Opens an existing file. `file`: its name in errors; `damage`: the error for damage. Throws UserError for what the host can mend. */
  constructor(
    path: string,
    readonly file = path,
    private readonly damage: Wording = DAMAGED,
  ) {
    try {
      this.raw = new DatabaseSync(path, { timeout: BUSY_MS })
    } catch (error) {
      throw this.inWords(error)
    }
  }

  exec(sql: string): void {
    try {
      this.raw.exec(sql)
    } catch (error) {
      throw this.inWords(error)
    }
  }

  run(sql: string, ...values: readonly Value[]): { changes: number; id: number } {
    try {
      const { changes, lastInsertRowid } = this.prepare(sql).run(...values)
      return { changes, id: Number(lastInsertRowid) }
    } catch (error) {
      throw this.inWords(error)
    }
  }

  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.all<Row>(sql, ...values)[0]
  }

  all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    try {
      return this.prepare(sql).all(...values) as Row[]
    } catch (error) {
      throw this.inWords(error)
    }
  }

  /** A column's JSON. Throws UserError, which names the file, where it is none. */
  parse<T>(text: string): T {
    try {
      return JSON.parse(text) as T
    } catch {
      throw this.damaged()
    }
  }

  /** One transaction: all or, where it throws, nothing. It has the file for itself. */
  write<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.exec('COMMIT')
      return result
    } catch (error) {
      throw this.failed(error)
    }
  }

  /**
   * Rolls back. Returns the error to throw: damage, where SQLite finds a table or an index broken (it does not check the types that it
   * reads, and an index may hide a row); else the error itself.
   */
  failed(error: unknown): unknown {
    try {
      // A full disk has rolled back already.
      if (this.raw.isTransaction) this.raw.exec('ROLLBACK')
    } catch {
      // A damaged file cannot even do that.
    }
    const isOther = error instanceof UserError || error instanceof BusyError
    return isOther || this.isSound() ? error : this.damaged()
  }

  /**
   * Closes it, with all writes in the file itself and an empty log. Statements, and the system's handles with them, live until
   * they are collected as garbage.
   */
  close(): void {
    if (!this.raw.isOpen) return
    try {
      this.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // What is in the log is safe there.
    }
    this.prepared.clear()
    this.raw.close()
  }

  /** SQLite's errors that the host can mend, as UserErrors; others as they are. */
  private inWords(error: unknown): unknown {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : Number.NaN
    const known = WORDS[code & 0xff] ?? (isDamage(error) ? DAMAGED : undefined)
    const why = known === DAMAGED ? this.damage : known
    if (why === undefined) return error
    const text = message`${this.file}: ${why}`
    return FULL.has(code & 0xff) ? new FullDisk(text) : new UserError(text)
  }

  damaged(): UserError {
    return new UserError(message`${this.file}: ${this.damage}`)
  }

  private isSound(): boolean {
    try {
      return this.get<{ integrity_check: string }>('PRAGMA integrity_check(1)')?.integrity_check === 'ok'
    } catch {
      return false
    }
  }

  private prepare(sql: string): StatementSyncInstance {
    const statement = this.prepared.get(sql) ?? this.raw.prepare(sql)
    this.prepared.set(sql, statement)
    return statement
  }
}

/** Milliseconds that a write waits for another process. */
const BUSY_MS = 10_000
