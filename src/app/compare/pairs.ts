import { visible } from '../../core/index.js'
import type { Before } from '../../lab/index.js'
import { type Column, aligned, chance, width } from '../../text/index.js'

/**
 * "A before B" as a table: a row for A, a column for each B by its number, in `order`. As many columns as fit, with a line that says where
 * the others are.
 */
export function beforeText(
  before: Before,
  order: readonly number[],
  names: readonly string[],
  columns: number,
): string {
  const number = { head: '#', cells: order.map((_, i) => String(i + 1)), right: true }
  const name = { head: 'Before', cells: order.map((entrant) => visible(names[entrant] ?? '')), right: false }
  const shown: Column[] = [number, name]
  for (const [j, other] of order.entries()) {
    const cells = order.map((entrant, i) => (i === j ? '·' : chance(before[entrant]?.[other] ?? 0.5)))
    const column = { head: String(j + 1), cells, right: true }
    if (j > 0 && width(aligned([...shown, column]).split('\n')[1] ?? '') > columns) {
      const hidden = order.length - j
      return `${aligned(shown)}${hidden} more columns are in the JSON, or in a wider terminal.\n`
    }
    shown.push(column)
  }
  return aligned(shown)
}
