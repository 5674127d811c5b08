import { portions } from '../core/index.js'
import type { Table } from './schema.js'

/** A value in a statement. Whole numbers are below 2⁵³. */
export type Value = string | number | null | Uint8Array

/** Statements that SQLite and PostgreSQL both read; `$1` stands for the first value. */
export interface Sql {
  all<Row>(text: string, values?: readonly Value[]): Promise<Row[]>
  /** Resolves with how many rows it changed. */
  run(text: string, values?: readonly Value[]): Promise<number>
}

/** A store's database, for whoever keeps tables of its own beside the store's. */
export interface Database extends Sql {
  /** Does work in one transaction: all of it is done, or nothing. It may be begun anew, from its first statement. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
}

/** The statements of one transaction, with what each dialect does in its own way. */
export interface StoreSql extends Sql {
  /** For a person: the file, or the server's URL without its password. */
  readonly where: string
  /** Milliseconds since 1970 by the store's clock: an expression. */
  readonly now: string
  /** Behind a SELECT: nobody else changes or locks these rows before the transaction ends. '' where a transaction has the store for itself. */
  readonly forUpdate: string
  /** New numbers, in ascending order. */
  numbers(count: number): Promise<readonly number[]>
  /** Adds rows, the values of one behind those of another in the order of the table's columns; resolves with how many of them were not there. */
  insert(table: Table, values: readonly Value[]): Promise<number>
}

export interface StoreDatabase extends Pick<StoreSql, 'where'> {
  transaction<T>(work: (sql: StoreSql) => Promise<T>): Promise<T>
  look<T>(work: (sql: StoreSql) => Promise<T>): Promise<T>
  /** A transaction beside which no other one writes. */
  transactionAlone<T>(work: (sql: StoreSql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Another transaction wrote the same rows just now: this one is begun anew. */
export class MetError extends Error {}

/** '$1,$2,$3': so many values. */
const list = (count: number): string => Array.from({ length: count }, (_, i) => `$${i + 1}`).join()

export async function first<Row>(sql: Sql, text: string, values: readonly Value[] = []): Promise<Row | undefined> {
  return (await sql.all<Row>(text, values))[0]
}

/** Values that one statement lists, at most. */
const LISTED = 200

/** The rows of a statement that lists these values (`%`, from `$1` on), however many they are. */
export async function rowsAmong<Row>(sql: Sql, text: string, values: readonly Value[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const part of portions(values, LISTED))
    rows.push(...(await sql.all<Row>(text.replace('%', list(part.length)), part)))
  return rows
}

export async function changeAmong(sql: Sql, text: string, values: readonly Value[]): Promise<void> {
  for (const part of portions(values, LISTED)) await sql.run(text.replace('%', list(part.length)), part)
}
