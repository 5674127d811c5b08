import { type Standings, visible } from '../core/index.js'
import { aligned, cellText, type Column, csv, markdown, number, tableCell, unmarked, widthOf } from '../text/index.js'

/**
 * The table for a terminal. With `width` (columns of it), the first rounds or tie-breaks give way to a '…' where not all fit:
 * the latest say most. Columns `beside` them, in the order of the rows, stand there only where everything fits. Notes follow
 * below. Each line ends with a newline.
 */
export function standingsText(
  standings: Standings,
  { width = Infinity, beside = [] }: { readonly width?: number; readonly beside?: readonly Column[] } = {},
): string {
  const [fixed, cells] = columnsOf(standings)
  let shown = cells
  const room = (columns: readonly Column[]): number => columns.reduce((sum, column) => sum + widthOf(column) + 2, -2)
  while (shown.length > 0 && room([...fixed, ...given(shown, cells)]) > width) shown = shown.slice(1)
  const notes = standings.notes.map((note) => `${visible(note)}\n`)
  const whole = [...fixed, ...cells, ...beside]
  const table = room(whole) <= width ? whole : [...fixed, ...given(shown, cells)]
  return aligned(table) + (notes.length > 0 ? `\n${notes.join('')}` : '')
}

/** The table in Markdown, notes as a list below. */
export function standingsMarkdown(standings: Standings): string {
  const notes = standings.notes.map((note) => `- ${unmarked(note)}\n`)
  return markdown(columnsOf(standings).flat()) + (notes.length > 0 ? `\n${notes.join('')}` : '')
}

/** The table as comma-separated values: rank, name, points, then `Standings.columns`; a cell that does not apply is empty. */
export function standingsCsv({ columns, rows }: Standings): string {
  const lines = rows.map(({ rank, name, points, cells }) => [
    String(rank),
    cellText(name),
    number(points),
    ...cells.map(number),
  ])
  return csv([['rank', 'name', 'points', ...columns.map(cellText)], ...lines])
}

function columnsOf({ columns, rows }: Standings): [fixed: Column[], cells: Column[]] {
  return [
    [
      { head: '#', cells: rows.map(({ rank }) => String(rank)), right: true },
      { head: 'Name', cells: rows.map(({ name }) => visible(name)), right: false },
      { head: 'Points', cells: rows.map(({ points }) => number(points)), right: true },
    ],
    columns.map((head, i) => ({
      head: visible(head),
      cells: rows.map(({ cells, bound }) => tableCell(head, cells[i] ?? null, bound)),
      right: true,
    })),
  ]
}

/** What is shown, behind an ellipsis where something is not. */
function given(shown: readonly Column[], all: readonly Column[]): readonly Column[] {
  const gap: Column = { head: '…', cells: [], right: true }
  return shown.length < all.length ? [gap, ...shown] : shown
}
