import { DatabaseSync } from '@photostructure/sqlite'
import { UserError } from '../core/index.js'

type Value = string | number | bigint | null | Uint8Array

/** An open database: its statements prepared once, its errors in words, its writes in transactions that wait for their turn. */
export class Database {
  private readonly raw: InstanceType<typeof DatabaseSync>
  private readonly prepared = new Map<string, ReturnType<InstanceType<typeof DatabaseSync>['prepare']>>()

  /** Opens what is there. `file`: its name in errors. Throws UserError for what the host can mend. */
  constructor(
    path: string,
    readonly file = path,
  ) {
    this.raw = guarded(file, () => new DatabaseSync(path, { timeout: BUSY_MS }))
  }

  /** Statements without results. */
  exec(sql: string): void {
    guarded(this.file, () => this.raw.exec(sql))
  }

  run(sql: string, ...values: readonly Value[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = guarded(this.file, () => this.prepare(sql).run(...values))
    return { changes, id: Number(lastInsertRowid) }
  }

  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return guarded(this.file, () => this.prepare(sql).get(...values) as Row | undefined)
  }

  all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    return guarded(this.file, () => this.prepare(sql).all(...values) as Row[])
  }

  /** What a column of JSON says. Throws UserError, which names the file, where it is none. */
  parse<T>(text: string): T {
    try {
      return JSON.parse(text) as T
    } catch {
      throw damaged(this.file)
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
      // A full disk has rolled back already.
      this.end('ROLLBACK')
      throw error
    }
  }

  /** Ends a transaction in which something may have gone wrong: that is told, and not that its end went wrong too. */
  private end(how: 'COMMIT' | 'ROLLBACK'): void {
    try {
      if (this.raw.isTransaction) this.raw.exec(how)
    } catch {
      // A damaged file does not even end it.
    }
  }

  /** Reads that must see the same moment. */
  look<T>(work: () => T): T {
    this.exec('BEGIN')
    try {
      return work()
    } finally {
      this.end('COMMIT')
    }
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

  private prepare(sql: string) {
    const statement = this.prepared.get(sql) ?? this.raw.prepare(sql)
    this.prepared.set(sql, statement)
    return statement
  }
}

/** Milliseconds that a write waits for another process's. */
const BUSY_MS = 10_000

function guarded<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw inWords(file, error)
  }
}

/** SQLite's errors that the host can mend, as UserErrors; all others as they are. */
function inWords(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : Number.NaN
  // A statement that gives rows throws without the code.
  const damaged = error instanceof Error && /malformed|not a database/.test(error.message)
  const why = WORDS[code & 0xff] ?? (damaged ? WORDS[11] : undefined)
  return why === undefined ? error : new UserError(`${file}: ${why}`)
}

/** Something in the file is not as it was written. */
export const damaged = (file: string): UserError => new UserError(`${file}: ${WORDS[11]}`)

const WORDS: Readonly<Record<number, string>> = {
  5: 'another program has held it for ten seconds; let it end, and go on with --resume',
  8: 'may not be written: the folder or the file is read-only; choose another workspace with --workspace',
  10: 'cannot be read or written (the disk is full, or fails); make room and go on with --resume',
  11: 'is damaged; put a copy of it back, or move it away and import an archive',
  13: 'no space left on the disk (SQLITE_FULL); make room and go on with --resume',
  14: 'cannot be opened: the folder or the file may not be used; choose another workspace with --workspace',
  26: 'is no store of agon, or is damaged; put a copy of it back, or move it away',
}
