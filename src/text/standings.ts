import { type EntrantFacts, type Standings, visible } from '../core/index.js'
import { cellText, csv } from './csv.js'
import { number, tableCell } from './numbers.js'
import { aligned, type Column, markdown, unmarked, widthOf } from './table.js'

/** A run's entrants, by their index. */
type Field = readonly { readonly facts: EntrantFacts; readonly remote?: true }[]

/** What tables show of entrants beside their names, if any has it. */
const SHOWN: readonly { readonly key: keyof EntrantFacts; readonly head: string }[] = [
  { key: 'country', head: 'Country' },
]
const shownOf = (field: Field) => SHOWN.filter(({ key }) => field.some(({ facts }) => facts[key] !== undefined))

interface TextSetting {
  readonly width?: number
  readonly beside?: readonly Column[]
  readonly field?: Field
}

/**
 * The table for a terminal. If it exceeds `width` (columns), the first rounds or tie-breaks give way to a '…': the latest say
 * most. Columns `beside` them, in the rows' order, stand only where everything fits. Notes follow. Each line ends with a
 * newline. `field`: the entrants, of whom tables show facts.
 */
export function standingsText(
  standings: Standings,
  { width = Infinity, beside = [], field = [] }: TextSetting = {},
): string {
  const fixed = entrantColumns(standings, field)
  const cells = cellColumns(standings)
  const fits = (columns: readonly Column[]): boolean =>
    columns.reduce((sum, column) => sum + widthOf(column) + 2, -2) <= width
  const gap: Column = { head: '…', cells: [], right: true }
  let table = [...fixed, ...cells, ...beside]
  for (let left = 0; !fits(table) && left <= cells.length; left++)
    table = [...fixed, ...(left > 0 ? [gap] : []), ...cells.slice(left)]
  const notes = standings.notes.map((note) => `${visible(note)}\n`)
  return aligned(table) + (notes.length > 0 ? `\n${notes.join('')}` : '')
}

/** The table in Markdown, notes as a list below. `field`: as of `standingsText`. */
export function standingsMarkdown(standings: Standings, field: Field = []): string {
  const notes = standings.notes.map((note) => `- ${unmarked(note)}\n`)
  const table = markdown([...entrantColumns(standings, field), ...cellColumns(standings)])
  return table + (notes.length > 0 ? `\n${notes.join('')}` : '')
}

/**
 * The table as CSV: rank, name, facts of entrants, points, then `Standings.columns`; a cell that does not apply is empty. `field`: as of
 * `standingsText`.
 */
export function standingsCsv({ columns, rows }: Standings, field: Field = []): string {
  const facts = shownOf(field)
  const lines = rows.map(({ rank, entrant, name, points, cells }) => [
    String(rank),
    cellText(name),
    ...facts.map(({ key }) => cellText(field[entrant]?.facts[key] ?? '')),
    number(points),
    ...cells.map(number),
  ])
  return csv([['rank', 'name', ...facts.map(({ key }) => key), 'points', ...columns.map(cellText)], ...lines])
}

const entrantColumns = ({ rows }: Standings, field: Field): readonly Column[] => [
  { head: '#', cells: rows.map(({ rank }) => String(rank)), right: true },
  {
    head: 'Name',
    cells: rows.map(({ name, entrant }) => visible(name) + (field[entrant]?.remote ? ' (remote)' : '')),
    right: false,
  },
  ...shownOf(field).map(({ key, head }) => ({
    head,
    cells: rows.map(({ entrant }) => visible(field[entrant]?.facts[key] ?? '')),
    right: false,
  })),
  { head: 'Points', cells: rows.map(({ points }) => number(points)), right: true },
]

const cellColumns = ({ columns, rows }: Standings): readonly Column[] =>
  columns.map((head, i) => ({
    head: visible(head),
    cells: rows.map(({ cells, bound }) => tableCell(head, cells[i] ?? null, bound)),
    right: true,
  }))
