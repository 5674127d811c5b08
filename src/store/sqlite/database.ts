import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'
import { BusyError, type Wording, message, UserError } from '../../core/index.js'
import { DAMAGED } from '../damage.js'
import { type ColumnType, columnTypes, isTyped } from './column-types.js'
import { insertion, PORTIONS } from './insertion.js'
import type { Level, Lost, Mark } from './mark.js'
import { isDamage, WORDS } from './words.js'

type Columns = Readonly<Record<string, unknown>>
type Value = string | number | bigint | null | Uint8Array

/** An open database: its statements prepared once, its errors in words, its writes in transactions that wait for their turn. */
export class Database {
  private readonly raw: InstanceType<typeof DatabaseSync>
  private readonly prepared = new Map<string, StatementSyncInstance>()
  /** Of the statements that were read with: what their columns may hold. */
  private readonly types = new Map<string, readonly ColumnType[]>()
  private mark: Mark | undefined
  private asBuilt: (() => boolean) | undefined
  private fresh = 0
  /** What writes that add matches left behind, by its name. */
  private readonly memory = new Map<string, unknown>()
  /** The file's `version`, as this connection saw it last. */
  private seen: number | undefined
  private adding = false
  /** Commits that the file held once, and has lost. */
  lost: Lost | undefined

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

  /** From now on: `mark` is called for each commit, and an error in a statement is damage where the schema is not as it was built. */
  watch(mark: Mark, asBuilt: () => boolean): void {
    this.asBuilt = asBuilt
    this.lost = mark.lost(() => this.level())
    this.mark = mark
  }

  /** How much was ever committed. */
  private level(): Level {
    const level = this.get<{ store: string; commits: number | null; matches: number | null }>(
      "SELECT store, (SELECT sum FROM digest WHERE run = 0 AND part = 'commits') AS commits, (SELECT sum FROM digest WHERE run = 0 AND part = 'stored') AS matches FROM mark",
    )
    if (level === undefined) throw this.damaged()
    const { store, commits, matches } = level
    if (commits === null || matches === null) throw this.damaged()
    return { store, commits, matches }
  }

  /** So many matches are added by the write under way. */
  adds(matches: number): void {
    this.fresh += matches
  }

  /** Statements without results. */
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

  /** Inserts rows, many in a statement: each call of SQLite costs as much as two rows. `values`: those of one row after another. */
  insert(table: string, columns: readonly string[], values: readonly Value[]): void {
    const width = columns.length
    for (let at = 0; at < values.length;) {
      const left = (values.length - at) / width
      const rows = PORTIONS.find((portion) => portion <= left) ?? 1
      const end = at + rows * width
      const part = at === 0 && end === values.length ? values : values.slice(at, end)
      at = end
      this.run(insertion(table, columns, rows), ...part)
    }
  }

  /** The first row. Throws UserError, which names the file, where a column holds what it may not. */
  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    let row: Columns | undefined
    try {
      row = this.prepare(sql).get(...values) as Columns | undefined
    } catch (error) {
      throw this.inWords(error)
    }
    if (row !== undefined && !isTyped(row, this.typesOf(sql))) throw this.damaged()
    return row as Row | undefined
  }

  /** All rows. Throws UserError, which names the file, where a column holds what it may not. */
  all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    let rows: Columns[]
    try {
      rows = this.prepare(sql).all(...values) as Columns[]
    } catch (error) {
      throw this.inWords(error)
    }
    const types = rows.length > 0 ? this.typesOf(sql) : []
    if (types.length > 0) for (const row of rows) if (!isTyped(row, types)) throw this.damaged()
    return rows as Row[]
  }

  private typesOf(sql: string): readonly ColumnType[] {
    const known = this.types.get(sql)
    if (known !== undefined) return known
    const types = columnTypes(this.prepare(sql), (table) =>
      this.all('SELECT name, "notnull", pk FROM pragma_table_info(?)', table),
    )
    if (types === undefined) throw this.damaged()
    this.types.set(sql, types)
    return types
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
    this.memory.clear()
    return this.transact(work)
  }

  /** A write that only adds matches to runs. What one of them left behind, the next may `recall`. */
  add<T>(work: () => T): T {
    return this.transact(() => {
      const version = this.version()
      if (version !== this.seen) this.memory.clear()
      this.seen = version
      this.adding = true
      return work()
    })
  }

  /** SQLite's number of the file: it changes when another connection commits, and not when this one does. */
  version(): number | undefined {
    return this.get<{ data_version: number }>('PRAGMA data_version')?.data_version
  }

  /**
   * What was kept under a name by the last write that added matches, where nothing else has been written since, by this connection or
   * another. Outside such a write: undefined.
   */
  recall<T>(name: string): T | undefined {
    return this.adding ? (this.memory.get(name) as T | undefined) : undefined
  }

  /** Keeps what the file says now, for the next write that adds matches. */
  keep(name: string, value: unknown): void {
    if (this.adding) this.memory.set(name, value)
  }

  private transact<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE')
    this.fresh = 0
    try {
      const result = work()
      const level = this.mark && this.count()
      this.exec('COMMIT')
      if (level) this.mark?.write(level)
      return result
    } catch (error) {
      this.memory.clear()
      // A full disk has rolled back already.
      this.end('ROLLBACK')
      throw this.judged(error)
    } finally {
      this.adding = false
    }
  }

  private count(): Level {
    const { store, commits, matches } = this.recall<Level>('mark') ?? this.level()
    const level = { store, commits: commits + 1, matches: matches + this.fresh }
    // Both statements together take less than one that returns the row that it wrote.
    this.run(
      "INSERT OR REPLACE INTO digest (run, part, sum) VALUES (0, 'commits', ?), (0, 'stored', ?)",
      level.commits,
      level.matches,
    )
    this.keep('mark', level)
    return level
  }

  /** Ends a transaction in which something may have gone wrong: that is reported, and not that its end went wrong too. */
  private end(how: 'COMMIT' | 'ROLLBACK'): void {
    try {
      if (this.raw.isTransaction) this.raw.exec(how)
    } catch {
      // A damaged file does not even end it.
    }
  }

  /** Reads that must see the same moment: rows, and the checksum over them. Within another look or a write they see its moment. */
  look<T>(work: () => T): T {
    if (this.raw.isTransaction) return work()
    this.exec('BEGIN')
    try {
      return work()
    } catch (error) {
      throw this.judged(error)
    } finally {
      this.end('COMMIT')
    }
  }

  /** Brings what is in the log into the file itself, as far as readers let it: it is there then without the log. */
  settle(): void {
    this.exec('PRAGMA wal_checkpoint(PASSIVE)')
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
    this.types.clear()
    this.mark?.close()
    this.raw.close()
  }

  /** SQLite's errors that the host can mend, as UserErrors; all others as they are. */
  private inWords(error: unknown): unknown {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : Number.NaN
    const known = WORDS[code & 0xff] ?? (isDamage(error) || this.isAltered() ? DAMAGED : undefined)
    const why = known === DAMAGED ? this.damage : known
    return why === undefined ? error : new UserError(message`${this.file}: ${why}`)
  }

  /**
   * An error of whoever works with the rows: damage, where SQLite finds a table or an index that is not as it must be (it does not look at
   * the types of what it reads: a column of bytes may come as NULL, and an index may hide a row); else the error itself.
   */
  private judged(error: unknown): unknown {
    const isOther = error instanceof UserError || error instanceof BusyError
    return isOther || this.isSound() ? error : this.damaged()
  }

  private damaged(): UserError {
    return new UserError(message`${this.file}: ${this.damage}`)
  }

  private isSound(): boolean {
    try {
      const [line] = this.raw.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[]
      return line?.integrity_check === 'ok'
    } catch {
      return false
    }
  }

  /** What cannot be asked of this schema is our own fault, unless the schema is not the one that was built. */
  private isAltered(): boolean {
    try {
      return this.asBuilt?.() === false
    } catch {
      return true
    }
  }

  private prepare(sql: string) {
    const statement = this.prepared.get(sql) ?? this.raw.prepare(sql)
    this.prepared.set(sql, statement)
    return statement
  }
}

/** Milliseconds that a write waits for another process's. */
const BUSY_MS = 10_000
