import {
  type EntrantFacts,
  type ScoringSpec,
  type Standing,
  type Standings,
  type TournamentSpec,
  visible,
} from '../core/index.js'
import { namesOf } from './pairs.js'
import { exact, nothing, pointsOf, type Score } from './scoring.js'
import {
  aligned,
  cellText,
  type Column,
  csv,
  listed,
  markdown,
  number,
  tableCell,
  unmarked,
  widthOf,
} from '../text/index.js'

/** An item with its rank: 1 is best, equals share the rank of the first of them (1, 1, 3). */
export interface Ranked<T> {
  readonly rank: number
  readonly item: T
}

/** The items from the best to the last; `compare` is negative where its first argument is better. Equals keep their order. */
export function ranked<T>(items: readonly T[], compare: (a: T, b: T) => number): readonly Ranked<T>[] {
  const rows: Ranked<T>[] = []
  for (const item of [...items].sort(compare)) {
    const before = rows[rows.length - 1]
    rows.push({ rank: before && compare(before.item, item) === 0 ? before.rank : rows.length + 1, item })
  }
  return rows
}

/**
 * Points, then the tie-breaks in order, more being better: negative where the first is better. Where scores count, an entrant without
 * one is behind all others.
 */
export function compareScores(scoring: ScoringSpec, a: Score, b: Score): number {
  return (
    unscoredLast(scoring, a, b) ||
    pointsOf(scoring, b) - pointsOf(scoring, a) ||
    a.ties.map((mine, i) => exact((b.ties[i] ?? 0) - mine)).find((lead) => lead !== 0) ||
    0
  )
}

/** Where scores count, an entrant without one is behind all that have one, even below 0: negative where the first is better. */
export const unscoredLast = ({ by }: ScoringSpec, a: Pick<Score, 'scored'>, b: Pick<Score, 'scored'>): number =>
  by === 'score' ? Number(b.scored > 0) - Number(a.scored > 0) : 0

/** An entrant that may have left: `until` says after which round, Infinity: it is still in. */
interface Stay extends Pick<Score, 'scored'> {
  readonly until: number
  readonly points: number
}

/** Who was in longer stands first. Those still in are ordered by their points, unless all is `over`: then they share the place. */
export const longestFirst =
  (scoring: ScoringSpec, over = false) =>
  (a: Stay, b: Stay): number => {
    if (a.until !== b.until) return a.until < b.until ? 1 : -1
    return a.until < Infinity || over ? 0 : unscoredLast(scoring, a, b) || b.points - a.points
  }

/** Rows of a table from the best to the last, as `ranked` has them. */
export function rowsOf<T extends Omit<Standing, 'rank' | 'name'>>(
  { names }: TournamentSpec,
  lines: readonly T[],
  compare: (a: T, b: T) => number,
): readonly Standing[] {
  return ranked(lines, compare).map(({ rank, item: { entrant, points, cells, bound } }) => ({
    rank,
    entrant,
    name: names[entrant] ?? '',
    points,
    cells,
    bound,
  }))
}

/** The table of these entrants by points, then by the tie-breaks in order, more being better each time. */
export function standingsOf(spec: TournamentSpec, entrants: readonly number[], scores: readonly Score[]): Standings {
  const { scoring } = spec
  const lines = entrants.map((entrant) => {
    const score = scores[entrant] ?? nothing(scoring)
    return { entrant, score, points: pointsOf(scoring, score), cells: score.ties.map(exact) }
  })
  const rows = rowsOf(spec, lines, (a, b) => compareScores(scoring, a.score, b.score))
  return { columns: scoring.ties.map((tie) => tie.name), rows, notes: [] }
}

/**
 * Whether these counts hold nothing that counts for something: no win, and draws at most where they are worth no more than a loss; or,
 * where scores count, no score.
 */
export function hasNothing({ by, draw, loss }: ScoringSpec, { wins, draws, scored }: Omit<Score, 'ties'>): boolean {
  return by === 'score' ? scored === 0 : wins === 0 && (draws === 0 || draw <= loss)
}

/** Who has won where several share the first place: all of them, or none where all are out, or where none `achieved` anything. */
export function sharedBy(
  spec: TournamentSpec,
  level: readonly number[],
  achieved: (entrant: number) => boolean = () => true,
): string {
  const names = listed(namesOf(spec, level))
  if (level.every((entrant) => spec.out?.includes(entrant))) return `nobody won: ${names} are level, and out`
  return level.some(achieved) ? `joint winners: ${names}` : `nobody won: ${names} are level without a win`
}

/**
 * The table for a terminal. With `width` (columns of it), the first rounds or tie-breaks give way to a '…' where not all fit:
 * the latest say most. Columns `beside` them, in the order of the rows, stand there only where everything fits. Notes follow
 * below. Each line ends with a newline. `field`: the entrants, so that what tables show of them stands beside their names.
 */
export function standingsText(
  standings: Standings,
  { width = Infinity, beside = [], field = [] }: TextSetting = {},
): string {
  const [fixed, cells] = columnsOf(standings, field)
  let shown = cells
  const room = (columns: readonly Column[]): number => columns.reduce((sum, column) => sum + widthOf(column) + 2, -2)
  while (shown.length > 0 && room([...fixed, ...given(shown, cells)]) > width) shown = shown.slice(1)
  const notes = standings.notes.map((note) => `${visible(note)}\n`)
  const whole = [...fixed, ...cells, ...beside]
  const table = room(whole) <= width ? whole : [...fixed, ...given(shown, cells)]
  return aligned(table) + (notes.length > 0 ? `\n${notes.join('')}` : '')
}

/** The table in Markdown, notes as a list below. `field`: as of `standingsText`. */
export function standingsMarkdown(standings: Standings, field: Field = []): string {
  const notes = standings.notes.map((note) => `- ${unmarked(note)}\n`)
  return markdown(columnsOf(standings, field).flat()) + (notes.length > 0 ? `\n${notes.join('')}` : '')
}

/**
 * The table as comma-separated values: rank, name, what is shown of entrants beside their names, points, then `Standings.columns`; a cell that does
 * not apply is empty. `field`: as of `standingsText`.
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

/** A run's entrants, by their index. */
type Field = readonly { readonly facts: EntrantFacts; readonly remote?: true }[]

/** What tables show of an entrant beside its name, if any entrant has it. */
const SHOWN = [{ key: 'country', head: 'Country' }] as const satisfies readonly {
  readonly key: keyof EntrantFacts
  readonly head: string
}[]
const shownOf = (field: Field): (typeof SHOWN)[number][] =>
  SHOWN.filter(({ key }) => field.some(({ facts }) => facts[key] !== undefined))

interface TextSetting {
  readonly width?: number
  readonly beside?: readonly Column[]
  readonly field?: Field
}

function columnsOf({ columns, rows }: Standings, field: Field): [fixed: Column[], cells: Column[]] {
  return [
    [
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
