import { type PublishedTable, visible } from '../core/index.js'
import { markdown, unmarked } from './markdown.js'
import { aligned } from './table.js'

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
