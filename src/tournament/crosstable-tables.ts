import { visible } from '../core/index.js'
import type { Crosstable } from './crosstable.js'
import { aligned, cellText, type Column, csv, markdown, number, widthOf } from '../text/index.js'

/** What its figures are. */
export const crosstableTitle = ({ ahead, scores }: Pick<Crosstable, 'ahead' | 'scores'>): string =>
  scores
    ? 'Mean score by opponent'
    : ahead
      ? 'Matches finished ahead of each opponent, a draw for a half'
      : 'Points by opponent'

/**
 * The crosstable for a terminal: a row's points against the entrant whose number heads the column. Of one that is wider than `width`
 * columns, as many opponents as fit, the first of the table first; the last line then says where the rest is.
 */
export function crosstableText(table: Crosstable, width = Infinity, elsewhere = ''): string {
  const most = Math.min(OPPONENTS, Math.max(1, Math.floor(width / NARROWEST)))
  const columns = columnsOf(table, most)
  let shown = columns.length
  const room = (): number => columns.slice(0, shown).reduce((sum, column) => sum + widthOf(column) + 2, -2)
  while (shown > FIXED + 1 && room() > width) shown--
  const all = table.names.length
  const rest = shown - FIXED < all ? `The first ${shown - FIXED} of ${all} opponents; all are in ${elsewhere}.\n` : ''
  return `${aligned(columns.slice(0, shown))}${rest}`
}

/** Opponents that a table has columns for at most: who met whom in a larger field stands in its comma-separated values. */
export const OPPONENTS = 300
/** Columns that an opponent takes at least. */
const NARROWEST = 3
/** Columns before the opponents: the number and the name. */
const FIXED = 2

/** The same in Markdown. */
export function crosstableMarkdown(table: Crosstable): string {
  const all = table.names.length
  const rest = all > OPPONENTS ? `\nThe first ${OPPONENTS} of ${all} opponents; all are in crosstable.csv.\n` : ''
  return `${markdown(columnsOf(table, OPPONENTS))}${rest}`
}

/**
 * Every two that have met as comma-separated values, a line each way: name, opponent, n, wins, draws, losses, points (or `ahead`); where
 * scores count name, opponent, n and score, the mean.
 */
export function crosstableCsv({ names, rows, ahead, scores }: Crosstable): string {
  const lines = rows.flatMap((row, i) =>
    row.map(({ opponent, n, wins, draws, losses, points }) => {
      const figures = scores ? [String(n), String(points)] : [n, wins, draws, losses, points].map(number)
      return [cellText(names[i] ?? ''), cellText(names[opponent] ?? ''), ...figures]
    }),
  )
  const columns = scores ? ['n', 'score'] : ['n', 'wins', 'draws', 'losses', ahead ? 'ahead' : 'points']
  return csv([['name', 'opponent', ...columns], ...lines])
}

function columnsOf({ names, rows }: Crosstable, most: number): readonly Column[] {
  const shown = Math.min(most, names.length)
  const cells = Array.from({ length: shown }, (_, j) => names.map((_name, i) => (i === j ? '·' : number(null))))
  rows.forEach((row, i) => {
    for (const { opponent, points } of row) {
      const column = cells[opponent]
      if (column) column[i] = number(points)
    }
  })
  return [
    { head: '#', cells: names.map((_, i) => String(i + 1)), right: true },
    { head: 'Name', cells: names.map(visible), right: false },
    ...cells.map((column, j): Column => ({ head: String(j + 1), cells: column, right: true })),
  ]
}
