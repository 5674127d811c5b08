import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

/** A value in a row of a table of a store. */
export interface Cell {
  readonly table: string
  readonly column: string
  /** Which row, in the order in which SQLite gives them out. */
  readonly row: number
}

/** What takes the place of a value. */
export type Spoilt = null | number | string | Uint8Array

interface Column {
  readonly name: string
  readonly pk: number
}

/** All values of a store's file, which is closed. */
export function cellsOf(file: string): Cell[] {
  const db = new DatabaseSync(file)
  try {
    return tablesOf(db).flatMap(({ name: table }) => {
      const { rows } = db.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number }
      return columnsOf(db, table).flatMap(({ name: column }) =>
        Array.from({ length: rows }, (_, row): Cell => ({ table, column, row })),
      )
    })
  } finally {
    db.close()
  }
}

/**
 * The bytes of a store's file in which a value is another one. A STRICT table refuses one of another type, so the table is none while it is
 * written. undefined: it is that value already, or no two rows may have it.
 */
export function withCell(folder: string, bytes: Buffer, cell: Cell, value: Spoilt): Buffer | undefined {
  const own = join(folder, 'cell')
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own)
  const file = join(own, 'agon.db')
  writeFileSync(file, bytes)
  const { table } = cell
  const sql = withSchema(file, table, loosened)
  const isSet = inFile(file, (db) => set(db, cell, value))
  withSchema(file, table, () => sql)
  return isSet ? readFileSync(file) : undefined
}

function set(db: InstanceType<typeof DatabaseSync>, { table, column, row }: Cell, value: Spoilt): boolean {
  const keys = columnsOf(db, table).filter(({ pk }) => pk > 0)
  const names = keys.length > 0 ? keys.map(({ name }) => name) : ['rowid']
  const key = db.prepare(`SELECT ${names.join()} FROM ${table} LIMIT 1 OFFSET ?`).get(row) as Record<string, Spoilt>
  const where = names.map((name) => `${name} IS ?`).join(' AND ')
  try {
    const values = names.map((name) => key[name])
    const sql = `UPDATE ${table} SET ${column} = ? WHERE ${where} AND ${column} IS NOT ?`
    return db.prepare(sql).run(value, ...values, value).changes === 1
  } catch (error) {
    if (/constraint failed|datatype mismatch/.test(String(error))) return false
    throw error
  }
}

/** A table's statement without types, but for a key that is the number of the row. */
const loosened = (sql: string): string =>
  sql
    .replace(/\bINTEGER PRIMARY KEY\b/, 'KEY_OF_ROW')
    .replaceAll(/\b(?:TEXT|BLOB|INTEGER|REAL)\b(?: NOT NULL)?(?: DEFAULT (?:'[^']*'|-?\d+))?/g, '')
    .replace('KEY_OF_ROW', 'INTEGER PRIMARY KEY')
    .replace(/\bSTRICT,? ?/, '')
    .replace(/, *$/, '')

/** Changes the statement that a table was made with, and nothing else. Returns what it was. */
function withSchema(file: string, table: string, change: (sql: string) => string): string {
  return inFile(file, (db) => {
    const { sql } = db.prepare("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) as {
      sql: string
    }
    db.exec('PRAGMA writable_schema = ON')
    db.prepare("UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = ?").run(change(sql), table)
    return sql
  })
}

function inFile<T>(file: string, work: (db: InstanceType<typeof DatabaseSync>) => T): T {
  const db = new DatabaseSync(file, { defensive: false })
  try {
    return work(db)
  } finally {
    // Statements that were not collected yet keep the file open, and what was written in its log.
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
  }
}

const tablesOf = (db: InstanceType<typeof DatabaseSync>): { name: string }[] =>
  db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all() as never

const columnsOf = (db: InstanceType<typeof DatabaseSync>, table: string): Column[] =>
  db.prepare('SELECT name, pk FROM pragma_table_info(?)').all(table) as never
