import type { StatementSyncInstance } from '@photostructure/sqlite'

/*
 * A column of a STRICT table holds values of its type, and NULL only where it may. A bit that was flipped in a row's header makes another type
 * of a value all the same, and SQLite gives it out. So every value that comes straight from a column is compared with what its table says. What
 * an expression gives (`+a`, `coalesce(a, b)`) is not: there a NULL may be meant.
 */

/** A column of a statement's rows, and what it may hold. */
export interface ColumnType {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
}

interface Declared {
  readonly name: string
  readonly notnull: number
  readonly pk: number
}

const TYPES: ReadonlySet<string> = new Set(['INTEGER', 'REAL', 'TEXT', 'BLOB'])

/**
 * The types of those columns of a statement that come straight from a table. `declared`: the columns of a table. undefined: a name has another
 * letter than ours, all of which are small. SQLite finds such a column all the same, and gives it out under that name.
 */
export function columnTypes(
  statement: Pick<StatementSyncInstance, 'columns'>,
  declared: (table: string) => readonly Declared[],
): readonly ColumnType[] | undefined {
  const types: ColumnType[] = []
  for (const { name, table, column, type } of statement.columns()) {
    // SQLite's own tables, and what a function gives as a table, are not STRICT.
    if (table === null || column === null || type === null || !TYPES.has(type) || /^(?:sqlite|pragma)_/.test(table))
      continue
    if (name !== name.toLowerCase()) return undefined
    const own = declared(table).find((one) => one.name === column)
    if (own !== undefined) types.push({ name, type, nullable: own.notnull === 0 && own.pk === 0 })
  }
  return types
}

/** Whether a row holds what its columns may. */
export function isTyped(row: Readonly<Record<string, unknown>>, columns: readonly ColumnType[]): boolean {
  for (let i = 0; i < columns.length; i++) {
    const { name, type, nullable } = columns[i] as ColumnType
    const value = row[name]
    if (value === null ? !nullable : !isOf(type, value)) return false
  }
  return true
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'INTEGER') return Number.isSafeInteger(value)
  if (type === 'TEXT') return typeof value === 'string'
  if (type === 'BLOB') return value instanceof Uint8Array
  return typeof value === 'number'
}
