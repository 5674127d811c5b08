import { pad, width } from './width.js'

/** A column: its heading, its cells, and whether they are set to the right, as numbers are. */
export interface Column {
  readonly head: string
  readonly cells: readonly string[]
  readonly right: boolean
}

/** A table with aligned columns, two blanks apart, a rule under the headings. Each line ends with a newline. */
export function aligned(columns: readonly Column[]): string {
  const widths = columns.map(widthOf)
  const height = columns[0]?.cells.length ?? 0
  const line = (cell: (column: Column) => string): string =>
    columns
      .map((column, i) => pad(cell(column), widths[i] ?? 0, column.right))
      .join('  ')
      .trimEnd()
  const lines = [line(({ head }) => head), widths.map((columnsWide) => '-'.repeat(columnsWide)).join('  ')]
  for (let row = 0; row < height; row++) lines.push(line(({ cells }) => cells[row] ?? ''))
  return lines.map((text) => `${text}\n`).join('')
}

/** How many columns of a terminal a table's column takes. */
export function widthOf({ head, cells }: Column): number {
  return Math.max(width(head), ...cells.map(width))
}
