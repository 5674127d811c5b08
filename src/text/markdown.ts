import { visible } from '../core/index.js'
import type { Column } from './table.js'

/** A Markdown table. Pipes, backslashes and what Markdown would read as markup are escaped. */
export function markdown(columns: readonly Column[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  const height = columns[0]?.cells.length ?? 0
  const rows = Array.from({ length: height }, (_, i) => row(columns.map(({ cells }) => unmarked(cells[i] ?? ''))))
  const rule = `|${columns.map(({ right }) => (right ? '---:' : '---')).join('|')}|\n`
  return row(columns.map(({ head }) => unmarked(head))) + rule + rows.join('')
}

/** A line of text as Markdown that shows just that text. */
export function unmarked(text: string): string {
  return visible(text).replace(/[\\|`*_<>[\]~&]/g, (c) =>
    c === '<' ? '&lt;' : c === '>' ? '&gt;' : c === '&' ? '&amp;' : `\\${c}`,
  )
}
