import { visible } from '../core/index.js'
import type { Crosstable } from './crosstable.js'
import { aligned, cellText, type Column, csv, markdown, number } from '../text/index.js'

/** What its figures are. */
export const crosstableTitle = ({ ahead }: Pick<Crosstable, 'ahead'>): string =>
  ahead ? 'Matches finished ahead of each opponent, a draw for a half' : 'Points by opponent'

/** The crosstable for a terminal: a row's points against the entrant whose number heads the column. */
export function crosstableText(table: Crosstable): string {
  return aligned(columnsOf(table))
}

/** The same in Markdown. */
export function crosstableMarkdown(table: Crosstable): string {
  return markdown(columnsOf(table))
}

/** Every two that have met as comma-separated values, a line each way: name, opponent, n, wins, draws, losses, points (or `ahead`). */
export function crosstableCsv({ names, meetings, ahead }: Crosstable): string {
  const lines = meetings.flatMap((row, i) =>
    row.flatMap((meeting, j) => {
      if (!meeting) return []
      const { n, wins, draws, losses, points } = meeting
      return [[cellText(names[i] ?? ''), cellText(names[j] ?? ''), ...[n, wins, draws, losses, points].map(number)]]
    }),
  )
  return csv([['name', 'opponent', 'n', 'wins', 'draws', 'losses', ahead ? 'ahead' : 'points'], ...lines])
}

function columnsOf({ names, meetings }: Crosstable): readonly Column[] {
  return [
    { head: '#', cells: names.map((_, i) => String(i + 1)), right: true },
    { head: 'Name', cells: names.map(visible), right: false },
    ...names.map((_, j): Column => {
      const cells = meetings.map((row, i) => (i === j ? '·' : number(row[j]?.points ?? null)))
      return { head: String(j + 1), cells, right: true }
    }),
  ]
}
