import { pad, width } from './width.js'
import { visible, type PublishedTable } from '../core/index.js'

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

/** A text as HTML that shows just that text, in an element or a quoted attribute. */
export function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}

/** A page without scripts and styles, of a body that is HTML. */
export const htmlPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<h1>${escaped(title)}</h1>
${body}</html>
`

/** The same as an HTML table, whose rows are headed by their cells of the first column that is set to the left. */
export function htmlTable(columns: readonly Column[]): string {
  const name = columns.findIndex(({ right }) => !right)
  const heads = columns.map(({ head }) => `<th scope="col">${escaped(head)}</th>`)
  const rows = (columns[0]?.cells ?? []).map((_, row) => {
    const cells = columns.map(({ cells: own }, i) => {
      const text = escaped(own[row] ?? '')
      return i === name ? `<th scope="row">${text}</th>` : `<td>${text}</td>`
    })
    return `<tr>${cells.join('')}</tr>\n`
  })
  return `<table cellpadding="4">\n<thead><tr>${heads.join('')}</tr></thead>\n<tbody>\n${rows.join('')}</tbody>\n</table>\n`
}

/** A line of text as Markdown that shows just that text. */
export function unmarked(text: string): string {
  return visible(text).replace(/[\\|`*_<>[\]~&]/g, (c) =>
    c === '<' ? '&lt;' : c === '>' ? '&gt;' : c === '&' ? '&amp;' : `\\${c}`,
  )
}

/** A table as its contest's author published it, for a terminal; each line ends with a newline. */
export function publishedText({ columns, form }: PublishedTable): string {
  const table = columns.map(({ head, cells, right = false }) => ({ head, cells: cells.map(visible), right }))
  if (form === 'markdown') return markdown(columns.map(({ right = false, ...column }) => ({ ...column, right })))
  if (form === 'columns') return aligned(table)
  return (table[0]?.cells ?? [])
    .map((_, row) => `${table.map(({ cells }) => cells[row] ?? '').join(form.between)}\n`)
    .join('')
}

/** The same in Markdown: columns as a table, and lines that stay lines. */
export function publishedMarkdown({ columns, form }: PublishedTable): string {
  if (form === 'markdown' || form === 'columns') return publishedText({ columns, form: 'markdown' })
  return (columns[0]?.cells ?? [])
    .map((_, row) => `${columns.map(({ cells }) => unmarked(cells[row] ?? '')).join(form.between)}\\\n`)
    .join('')
    .replace(/\\\n$/, '\n')
}
