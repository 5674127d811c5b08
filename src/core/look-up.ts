/**
 * What a table has for a key that a stranger chose. Without this, `constructor` and `__proto__` are in every object, and what
 * they name is no answer of the table's.
 */
export function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
