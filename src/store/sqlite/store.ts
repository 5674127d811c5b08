import { copyFileSync, existsSync } from 'node:fs'
import { UserError, command, message } from '../../core/index.js'
import { type CheckOptions, type CheckedStore, checkDatabase } from '../check.js'
import type { Store } from '../port.js'
import { type Column, type Table, columnsOf } from '../schema.js'
import type { StoreDatabase, StoreSql, Value } from '../sql.js'
import { storeOver } from '../store.js'
import type { Database } from './database.js'
import { openDatabase } from './open.js'

/** Opens a workspace's store, made where there is none. `agon`: the version for the log. Throws UserError. */
export const openStore = (workspace: string, agon: string): Store =>
  storeOver(new SqliteDatabase(openDatabase(workspace)), agon)

/** Of a file that cannot be checked or mended: its reader has called the check already. */
const HOPELESS = message`cannot be read as a store: put a copy of it back; what is whole of it, ${command('export')} may still write to a file`

/** Compares a workspace's store with its records and checksums. Throws UserError if it cannot be opened or mended. */
export async function checkStore(workspace: string, agon: string, options: CheckOptions): Promise<CheckedStore> {
  const file = openDatabase(workspace, HOPELESS)
  const db = new SqliteDatabase(file)
  try {
    return await checkDatabase(db, agon, options, { damages: () => damagesOf(file), copy: () => copyBeside(file) })
  } finally {
    await db.close()
  }
}

function damagesOf(db: Database): readonly string[] {
  try {
    const lines = db.all<{ integrity_check: string }>('PRAGMA integrity_check(20)')
    return lines.flatMap(({ integrity_check: line }) => (line === 'ok' ? [] : [`SQLite: ${line}`]))
  } catch (error) {
    if (error instanceof UserError) return ['SQLite cannot check the file']
    throw error
  }
}

/** Copies a store's file beside it, with all that was committed, and returns the copy's name. */
function copyBeside(db: Database): string {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  for (let n = 1; ; n++) {
    const copy = `${db.file}.before-mend-${n}`
    if (existsSync(copy)) continue
    copyFileSync(db.file, copy)
    return copy
  }
}

/** Rows a statement: few different numbers, so that each is prepared once. */
const PORTIONS = [64, 8, 1]

/**
 * By file: what ends with its open transaction. SQLite has no second one on a connection, and blocks this process while it waits for another
 * connection's.
 */
const turns = new Map<string, Promise<unknown>>()

/** The store's statements on a file, one transaction at a time. */
class SqliteDatabase implements StoreDatabase, StoreSql {
  readonly now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
  readonly forUpdate = ''
  readonly where: string
  private readonly insertions = new Map<string, string>()

  constructor(private readonly db: Database) {
    this.where = db.file
  }

  transaction<T>(work: (sql: StoreSql) => Promise<T>): Promise<T> {
    return this.inTurn('BEGIN IMMEDIATE', work)
  }

  transactionAlone<T>(work: (sql: StoreSql) => Promise<T>): Promise<T> {
    return this.transaction(work)
  }

  look<T>(work: (sql: StoreSql) => Promise<T>): Promise<T> {
    return this.inTurn('BEGIN DEFERRED', work)
  }

  private inTurn<T>(begin: string, work: (sql: StoreSql) => Promise<T>): Promise<T> {
    const done = (turns.get(this.where) ?? Promise.resolve()).then(async () => {
      this.db.exec(begin)
      try {
        const result = await work(this)
        this.db.exec('COMMIT')
        return result
      } catch (error) {
        throw this.db.failed(error)
      }
    })
    const turn = done.catch(() => undefined)
    turns.set(this.where, turn)
    void turn.then(() => turns.get(this.where) === turn && turns.delete(this.where))
    return done
  }

  async close(): Promise<void> {
    await turns.get(this.where)
    this.db.close()
  }

  async all<Row>(text: string, values: readonly Value[] = []): Promise<Row[]> {
    return this.db.all<Row>(numbered(text), ...values)
  }

  async run(text: string, values: readonly Value[] = []): Promise<number> {
    return this.db.run(numbered(text), ...values).changes
  }

  async numbers(count: number): Promise<readonly number[]> {
    const next = this.db.get<{ next: number }>('UPDATE serial SET next = next + ? RETURNING next', count)?.next ?? 0
    return Array.from({ length: count }, (_, i) => next - count + i)
  }

  /** Many rows a statement: each call of SQLite costs as much as two rows. */
  async insert(table: Table, values: readonly Value[]): Promise<number> {
    const columns = columnsOf(table)
    const width = columns.length
    let added = 0
    for (let at = 0; at < values.length;) {
      const left = (values.length - at) / width
      const rows = PORTIONS.find((portion) => portion <= left) ?? 1
      const end = at + rows * width
      const part = at === 0 && end === values.length ? values : values.slice(at, end)
      added += this.db.run(this.insertion(table, columns, rows), ...part).changes
      at = end
    }
    return added
  }

  /** Cached: writing the texts anew would take as long as the few short statements of a match. */
  private insertion(table: Table, columns: readonly Column[], rows: number): string {
    const name = `${table} ${rows}`
    let sql = this.insertions.get(name)
    if (sql === undefined) {
      const row = `(${columns.map(() => '?').join(', ')})`
      const names = columns.map((column) => column.name).join(', ')
      sql = `INSERT INTO ${table} (${names}) VALUES ${Array.from({ length: rows }, () => row).join(', ')} ON CONFLICT DO NOTHING`
      this.insertions.set(name, sql)
    }
    return sql
  }
}

/** SQLite takes $1 for a name; ?1 is the first value. */
const numbered = (text: string): string => text.replaceAll('$', '?')
