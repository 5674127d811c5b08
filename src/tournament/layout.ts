import { pad, visible, width } from '../core/index.js'

/** Plain tables of text: what standings and crosstables share. Pure; widths are columns of a terminal. */

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

/** A Markdown table. Pipes, backslashes and what Markdown would read as markup are escaped. */
export function markdown(columns: readonly Column[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  const height = columns[0]?.cells.length ?? 0
  const rows = Array.from({ length: height }, (_, i) => row(columns.map(({ cells }) => unmarked(cells[i] ?? ''))))
  const rule = `|${columns.map(({ right }) => (right ? '---:' : '---')).join('|')}|\n`
  return row(columns.map(({ head }) => unmarked(head))) + rule + rows.join('')
}

/**
 * A name as a cell of comma-separated values: visible, and no formula to a spreadsheet, which would run it. A quotation mark
 * before it is what spreadsheets themselves put there.
 */
export function cellText(name: string): string {
  const text = visible(name)
  return /^[=+\-@]/.test(text) ? `'${text}` : text
}

/** Comma-separated values as RFC 4180 has them, lines ended by CRLF. */
export function csv(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')
}

/** Points and tallies: '12.5', '3', at most three decimals; nothing where there is no number. */
export function number(value: number | null): string {
  return value === null ? '' : String(Math.round(value * 1000) / 1000)
}

/** A line of text as Markdown that shows just that text. */
export function unmarked(text: string): string {
  return visible(text).replace(/[\\|`*_<>[\]~&]/g, (c) =>
    c === '<' ? '&lt;' : c === '>' ? '&gt;' : c === '&' ? '&amp;' : `\\${c}`,
  )
}
