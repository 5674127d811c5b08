import { FAULT_KINDS } from '../core/index.js'
import { cellText, csv, number } from '../text/index.js'
import type { ReportData } from './data.js'
import { printedNames } from './totals.js'

/** The standings with all that is known of each entrant, a line each; times in microseconds. */
export function reportCsv({ document }: ReportData): string {
  const { entrants, standings, ratings, faults, timing, printed = [] } = document
  const names = printedNames(printed)
  const head = [
    'rank',
    'name',
    'points',
    ...standings.columns.map(cellText),
    ...(ratings ? ['rating', 'low', 'high', 'first_place', 'best_rank', 'worst_rank'] : []),
    ...FAULT_KINDS,
    'answers',
    'median_us',
    'p99_us',
    'max_us',
    'limit_ms',
    ...names.map((name) => `printed_${cellText(name)}`),
  ]
  const rows = standings.rows.map(({ rank, entrant, points, cells }) => {
    const own = ratings?.rows[entrant]
    const time = timing[entrant]
    return [
      rank,
      cellText(entrants[entrant]?.name ?? ''),
      points,
      ...cells,
      ...(ratings
        ? [
            own?.rating,
            own?.low,
            own?.high,
            typeof own?.first === 'number' ? own.first : null,
            ...(own?.ranks ?? [null, null]),
          ].map((value) => value ?? null)
        : []),
      ...FAULT_KINDS.map((kind) => faults[entrant]?.[kind] ?? 0),
      time?.n ?? 0,
      time?.median ?? null,
      time?.p99 ?? null,
      time?.max ?? null,
      entrants[entrant]?.limit ?? null,
      ...names.map((name) => printed[entrant]?.find((one) => one.name === name)?.mean ?? null),
    ].map((cell) => (typeof cell === 'string' ? cell : number(cell)))
  })
  return csv([head, ...rows])
}
