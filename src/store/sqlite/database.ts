import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'
import { BusyError, type Wording, message, option, UserError } from '../../core/index.js'
import type { Value } from '../sql.js'
import { DAMAGED } from '../sums.js'

/** A statement that gives rows throws without SQLite's code, and a number that no double holds is none of ours. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  /malformed|not a database|constraint failed|datatype mismatch|cannot store|too big|too large|unsupported file format|out of range/i.test(
    error.message,
  )

/** There is no room for what was to be written: what was there stays, and it can be tried again. */
export class FullDisk extends UserError {}
/** SQLite's codes of that: a write that failed, and a full disk. */
const FULL: ReadonlySet<number> = new Set([10, 13])

/** By SQLite's code of an error that the host can mend: what is wrong with the file. */
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

/** An open file: its statements prepared once, its errors in words, its writes in transactions that wait for their turn. */
export class Database {
  private readonly raw: InstanceType<typeof DatabaseSync>
  private readonly prepared = new Map<string, StatementSyncInstance>()

  /** Opens what is there. `file`: its name in errors; `damage`: the error for a damaged file. Throws UserError for what the host can mend. */
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

  /** What a column of JSON says. Throws UserError, which names the file, where it is none. */
  parse<T>(text: string): T {
    try {
      return JSON.parse(text) as T
    } catch {
      throw this.damaged()
    }
  }

  /** One transaction: all of it, or, where it throws, nothing. It has the file for itself from its beginning. */
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
   * Takes back the transaction in which something went wrong. Returns what is to be thrown: damage, where SQLite finds a table or an index
   * that is not as it must be (it does not look at the types of what it reads, and an index may hide a row); else the error itself.
   */
  failed(error: unknown): unknown {
    try {
      // A full disk has rolled back already.
      if (this.raw.isTransaction) this.raw.exec('ROLLBACK')
    } catch {
      // A damaged file does not even end it.
    }
    const isOther = error instanceof UserError || error instanceof BusyError
    return isOther || this.isSound() ? error : this.damaged()
  }

  /**
   * Closes it, with all that was written in the file itself and an empty log beside it. Statements live until they are collected
   * as garbage, and the system's handles with them.
   */
  close(): void {
    if (!this.raw.isOpen) return
    try {
      this.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // What is in the log is as good there.
    }
    this.prepared.clear()
    this.raw.close()
  }

  /** SQLite's errors that the host can mend, as UserErrors; all others as they are. */
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

/** Milliseconds that a write waits for another process's. */
const BUSY_MS = 10_000
