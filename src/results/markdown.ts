import { FAULT_KINDS } from '../core/index.js'
import { SEPARABLE } from '../stats/index.js'
import { crosstableTitle } from '../tournament/index.js'
import {
  DOUBTS,
  chance,
  markdown,
  number,
  placesNote,
  publishedMarkdown,
  signed,
  tableCell,
  unmarked,
} from '../text/index.js'
import type { ReportData, ReportDocument } from './data.js'
import { printedNames } from './totals.js'

/** The report for a forum: the table with intervals, the crosstable, faults and times. */
export function reportMarkdown({ document, published }: ReportData): string {
  const { standings, crosstable, leftOut = [], matches, format, seed } = document
  const troubles = faultItems(document)
  return [
    `# ${unmarked(document.title)}\n\n`,
    `${unmarked(document.game.title)}, ${matches.total} matches, ${format.kind}${seed === '' ? '' : `, seed ${unmarked(seed)}`}.\n\n`,
    standingsTable(document),
    ...standings.notes.map((note) => `\n${unmarked(note)}\n`),
    ratingNotes(document),
    pairsTable(document),
    `\n## ${crosstableTitle(crosstable)}\n\n${pointsTable(document)}`,
    troubles.length > 0 ? `\n## Faults\n\n${troubles.join('')}` : '\nNo faults.\n',
    ...(leftOut.length > 0
      ? ['\n## Left out\n\n', ...leftOut.map(({ name, why }) => `- ${unmarked(name)}: ${unmarked(why)}\n`)]
      : []),
    `\n## Time\n\n${timeTable(document)}`,
    printedPart(document),
    ...(published ? [`\n## As the contest's author published it\n\n${publishedMarkdown(published)}`] : []),
  ].join('')
}

type Row = ReportDocument['standings']['rows'][number]
type Columns<R> = readonly (readonly [head: string, cell: (row: R) => string, left?: 'left'])[]

const tableOf = <R>(rows: readonly R[], columns: Columns<R>): string =>
  markdown(columns.map(([head, cell, left]) => ({ head, cells: rows.map(cell), right: left === undefined })))

function standingsTable(document: ReportDocument): string {
  const { entrants, standings } = document
  const isKnown = standings.rows.some(({ entrant }) => entrants[entrant]?.language !== undefined)
  const language = ['Language', ({ entrant }: Row) => entrants[entrant]?.language ?? '', 'left'] as const
  return tableOf<Row>(standings.rows, [
    ['#', ({ rank }) => String(rank)],
    ['Name', ({ entrant }) => nameIn(document)(entrant), 'left'],
    ...(isKnown ? [language] : []),
    ['Points', ({ points }) => number(points)],
    ...standings.columns.map(
      (head, i) => [head, ({ cells, bound }: Row) => tableCell(head, cells[i] ?? null, bound)] as const,
    ),
    ...ratingColumns(document),
  ])
}

function ratingColumns({ ratings }: ReportDocument): Columns<Row> {
  if (!ratings) return []
  const { rows, scores, confidence, doubt } = ratings
  const figure = scores ? number : signed
  return [
    [scores ? 'Mean' : 'Rating', ({ entrant }) => figure(rows[entrant]?.rating ?? 0)],
    [
      `${number(confidence * 100)} % interval`,
      ({ entrant }) => `${figure(rows[entrant]?.low ?? -Infinity)} … ${figure(rows[entrant]?.high ?? Infinity)}`,
    ],
    ...(doubt
      ? []
      : ([
          ['First place', ({ entrant }) => chance(rows[entrant]?.first ?? 0)],
          ['Ranks', ({ entrant }) => (rows[entrant]?.ranks ?? []).join('–')],
        ] satisfies Columns<Row>)),
  ]
}

/** Pairs named at most, the closest. */
const NAMED = 5

/** How ratings were computed, and which neighbours they do not tell apart. */
function ratingNotes(document: ReportDocument): string {
  const { ratings } = document
  if (!ratings) return ''
  const { superiority, scores, distinct, model, doubt } = ratings
  const name = (entrant: number): string => unmarked(nameIn(document)(entrant))
  const open = superiority
    .filter(({ probability }) => probability < SEPARABLE)
    .sort((a, b) => a.probability - b.probability)
  const pairs = open.slice(0, NAMED).map(({ better, worse }) => `${name(better)} and ${name(worse)}`)
  const many = open.length > NAMED ? `${open.length} of ${superiority.length} neighbours; the closest: ` : ''
  const what = scores
    ? `Means are those of all matches with a score, their intervals Student’s t over blocks of equal luck; ${distinct} matches were not a repetition of one before`
    : `Ratings are ${model} strengths in Elo units around the field's average, from ${distinct} matches that were not a repetition of one before`
  const notes = `\n${what}. Each interval holds by itself, and not all at once. ${doubt ? DOUBTS[doubt] : placesNote(ratings)}\n`
  return pairs.length === 0 ? notes : `${notes}\nNot separable: ${many}${pairs.join('; ')}.\n`
}

/** How probable it is that the row's entrant is better than the column's; '' without such figures. */
function pairsTable(document: ReportDocument): string {
  const before = document.ratings?.before
  if (before === undefined) return ''
  const { order, above } = before
  const table = tableOf(
    [...order.keys()],
    [
      ['#', (i) => String(i + 1)],
      ['A before B', (i) => nameIn(document)(order[i] ?? -1), 'left'],
      ...order.map((_, j) => [String(j + 1), (i: number) => (i === j ? '·' : chance(above[i]?.[j] ?? 0.5))] as const),
    ],
  )
  return `\n## A before B\n\n${table}`
}

function pointsTable(document: ReportDocument): string {
  const { order, meetings } = document.crosstable
  const all = document.standings.rows.length
  const rest = order.length < all ? `\nThe first ${order.length} of ${all} entrants.\n` : ''
  const pointsText = (i: number, j: number): string => {
    const meeting = meetings[i]?.[j]
    return i === j && !meeting ? '·' : number(meeting?.points ?? null)
  }
  const table = tableOf(
    [...order.keys()],
    [
      ['#', (i) => String(i + 1)],
      ['Name', (i) => nameIn(document)(order[i] ?? -1), 'left'],
      ...order.map((_, j) => [String(j + 1), (i: number) => pointsText(i, j)] as const),
    ],
  )
  return `${table}${rest}`
}

function faultItems(document: ReportDocument): string[] {
  return rankedOf(document).flatMap((entrant) => {
    const counts = document.faults[entrant]
    const kinds = FAULT_KINDS.flatMap((kind) => (counts?.[kind] ? `${counts[kind]} ${kind}` : []))
    return kinds.length === 0 ? [] : [`- ${unmarked(nameIn(document)(entrant))}: ${kinds.join(', ')}\n`]
  })
}

function timeTable(document: ReportDocument): string {
  const { entrants, timing } = document
  return tableOf(rankedOf(document), [
    ['Name', nameIn(document), 'left'],
    ['Median, ms', (entrant) => ms(timing[entrant]?.median)],
    ['99 %, ms', (entrant) => ms(timing[entrant]?.p99)],
    ['Slowest, ms', (entrant) => ms(timing[entrant]?.max)],
    ['Limit, ms', (entrant) => number(entrants[entrant]?.limit ?? null)],
  ])
}

function printedPart(document: ReportDocument): string {
  const { printed } = document
  if (!printed) return ''
  const ranked = rankedOf(document).filter((entrant) => (printed[entrant] ?? []).length > 0)
  const table = tableOf(ranked, [
    ['Name', nameIn(document), 'left'],
    ...printedNames(printed).map(
      (name) =>
        [
          unmarked(name),
          (entrant: number) => number(printed[entrant]?.find((one) => one.name === name)?.mean ?? null),
        ] as const,
    ),
  ])
  return `\n## Figures that bots printed, mean of a match\n\n${table}`
}

const rankedOf = ({ standings }: Pick<ReportDocument, 'standings'>): number[] =>
  standings.rows.map(({ entrant }) => entrant)

const nameIn =
  ({ entrants }: ReportDocument) =>
  (entrant: number): string =>
    entrants[entrant]?.name ?? ''

const ms = (us: number | undefined): string => (us === undefined ? '' : number(us / 1000))
