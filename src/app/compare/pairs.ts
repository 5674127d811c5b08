import { visible } from '../../core/index.js'
import { type Column, aligned, percent, width } from '../../text/index.js'

/** By entrant and entrant: how probable it is that the one stands before the other by its true value. */
export type Before = readonly (readonly number[])[]

/** All pairs of a field: `above` tells the first of two, and is asked for each pair once. Undefined where it tells nothing of some. */
export function beforeOf(field: number, above: (a: number, b: number) => number | undefined): Before | undefined {
  const matrix = Array.from({ length: field }, () => Array.from({ length: field }, () => 0.5))
  for (let a = 0; a < field; a++) {
    for (let b = a + 1; b < field; b++) {
      const p = above(a, b)
      if (p === undefined) return undefined
      ;(matrix[a] as number[])[b] = p
      ;(matrix[b] as number[])[a] = 1 - p
    }
  }
  return matrix
}

/** Fields up to here have all their pairs in a document. */
export const PAIRED = 200

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
    const cells = order.map((entrant, i) => (i === j ? '·' : percent(before[entrant]?.[other] ?? 0.5)))
    const column = { head: String(j + 1), cells, right: true }
    if (j > 0 && width(aligned([...shown, column]).split('\n')[1] ?? '') > columns) {
      const hidden = order.length - j
      return `${aligned(shown)}${hidden} more columns are in the JSON, or in a wider terminal.\n`
    }
    shown.push(column)
  }
  return aligned(shown)
}
