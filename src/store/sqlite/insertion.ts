/** Rows of one statement: few different numbers, so that each statement is prepared once. */
export const PORTIONS = [64, 8, 1]

/** A match that lands alone is three short statements: to write their texts anew would take as long as to run them. */
const insertions = new Map<string, string>()

/** The statement that inserts so many rows. `columns` are always those of that table's insertions. */
export function insertion(table: string, columns: readonly string[], rows: number): string {
  const name = `${table} ${rows}`
  const known = insertions.get(name)
  if (known !== undefined) return known
  const row = `(${columns.map(() => '?').join(', ')})`
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(', ')}`
  insertions.set(name, sql)
  return sql
}
