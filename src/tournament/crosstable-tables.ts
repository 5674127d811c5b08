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
  const columns = columnsOf(table)
  let shown = columns.length
  const room = (): number => columns.slice(0, shown).reduce((sum, column) => sum + widthOf(column) + 2, -2)
  while (shown > FIXED + 1 && room() > width) shown--
  const all = columns.length - FIXED
  const rest =
    shown < columns.length ? `The first ${shown - FIXED} of ${all} opponents; all are in ${elsewhere}.\n` : ''
  return `${aligned(columns.slice(0, shown))}${rest}`
}

/** Columns before the opponents: the number and the name. */
const FIXED = 2

/** The same in Markdown. */
export function crosstableMarkdown(table: Crosstable): string {
  return markdown(columnsOf(table))
}

/**
 * Every two that have met as comma-separated values, a line each way: name, opponent, n, wins, draws, losses, points (or `ahead`); where
 * scores count name, opponent, n and score, the mean.
 */
export function crosstableCsv({ names, meetings, ahead, scores }: Crosstable): string {
  const lines = meetings.flatMap((row, i) =>
    row.flatMap((meeting, j) => {
      if (!meeting) return []
      const { n, wins, draws, losses, points } = meeting
      const figures = scores ? [String(n), String(points)] : [n, wins, draws, losses, points].map(number)
      return [[cellText(names[i] ?? ''), cellText(names[j] ?? ''), ...figures]]
    }),
  )
  const columns = scores ? ['n', 'score'] : ['n', 'wins', 'draws', 'losses', ahead ? 'ahead' : 'points']
  return csv([['name', 'opponent', ...columns], ...lines])
}

function columnsOf({ names, meetings }: Crosstable): readonly Column[] {
  return [
    { head: '#', cells: names.map((_, i) => String(i + 1)), right: true },
    { head: 'Name', cells: names.map(visible), right: false },
    ...names.map((_, j): Column => {
      const cells = meetings.map((row, i) => (i === j && !row[j] ? '·' : number(row[j]?.points ?? null)))
      return { head: String(j + 1), cells, right: true }
    }),
  ]
}
