import { portions } from '../core/index.js'
import type { Table } from './schema.js'

/** A value in a statement. Whole numbers are below 2⁵³. */
export type Value = string | number | null | Uint8Array

/** Statements for both SQLite and PostgreSQL; `$1` is the first value. */
export interface Sql {
  all<Row>(text: string, values?: readonly Value[]): Promise<Row[]>
  /** Resolves with how many rows it changed. */
  run(text: string, values?: readonly Value[]): Promise<number>
}

/** A store's database, for tables of one's own beside the store's. */
export interface Database extends Sql {
  /** One transaction: all of the work, or nothing. It may be begun anew, from its first statement. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
}

/** The statements of one transaction, with what differs by dialect. */
export interface StoreSql extends Sql {
  /** For a person: the file, or the server's URL without its password. */
  readonly where: string
  /** Milliseconds since 1970 by the store's clock: an expression. */
  readonly now: string
  /** Behind a SELECT: locks these rows until the transaction ends. '' where a transaction has the store for itself. */
  readonly forUpdate: string
  /** New numbers, in ascending order. */
  numbers(count: number): Promise<readonly number[]>
  /** Adds rows, their values one after another in the order of the table's columns; resolves with how many were new. */
  insert(table: Table, values: readonly Value[]): Promise<number>
}

export interface StoreDatabase extends Pick<StoreSql, 'where'> {
  transaction<T>(work: (sql: StoreSql) => Promise<T>): Promise<T>
  look<T>(work: (sql: StoreSql) => Promise<T>): Promise<T>
  /** A transaction beside which no other one writes. */
  transactionAlone<T>(work: (sql: StoreSql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Another transaction just wrote the same rows: this one is begun anew. */
export class MetError extends Error {}

/** '$1,$2,$3'. */
const list = (count: number): string => Array.from({ length: count }, (_, i) => `$${i + 1}`).join()

export async function first<Row>(sql: Sql, text: string, values: readonly Value[] = []): Promise<Row | undefined> {
  return (await sql.all<Row>(text, values))[0]
}

/** Values in one statement's list, at most. */
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
