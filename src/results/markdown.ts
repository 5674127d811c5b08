import { FAULT_KINDS } from '../core/index.js'
import { SEPARABLE } from '../stats/index.js'
import { crosstableTitle } from '../tournament/index.js'
import {
  type Column,
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
import type { ReportDocument } from '../web/document.js'
import type { ReportData } from './data.js'
import { printedNames } from './totals.js'

/** The report for an answer in a forum: the table with its intervals, the crosstable, faults and times. */
export function reportMarkdown({ document, published }: ReportData): string {
  const { standings, crosstable, leftOut = [], matches, format, seed } = document
  const troubles = faultItems(document)
  return [
    `# ${unmarked(document.title)}\n\n`,
    `${unmarked(document.game.title)}, ${matches.total} matches, ${format.kind}${seed === '' ? '' : `, seed ${unmarked(seed)}`}.\n\n`,
    standingsTable(document),
    ...standings.notes.map((note) => `\n${unmarked(note)}\n`),
    ...ratingNotes(document),
    ...pairsTable(document),
    `\n## ${crosstableTitle(crosstable)}\n\n${pointsTable(document)}`,
    troubles.length > 0 ? `\n## Faults\n\n${troubles.join('')}` : '\nNo faults.\n',
    ...(leftOut.length > 0
      ? ['\n## Left out\n\n', ...leftOut.map(({ name, why }) => `- ${unmarked(name)}: ${unmarked(why)}\n`)]
      : []),
    `\n## Time\n\n${timeTable(document)}`,
    ...printedPart(document),
    ...(published ? [`\n## As the contest's author published it\n\n${publishedMarkdown(published)}`] : []),
  ].join('')
}

function standingsTable(document: ReportDocument): string {
  const { rows, columns } = document.standings
  return markdown([
    column(
      '#',
      rows.map(({ rank }) => String(rank)),
    ),
    column('Name', rankedOf(document).map(nameIn(document)), false),
    ...languageColumns(document),
    column(
      'Points',
      rows.map(({ points }) => number(points)),
    ),
    ...columns.map((head, i) =>
      column(
        head,
        rows.map(({ cells, bound }) => tableCell(head, cells[i] ?? null, bound)),
      ),
    ),
    ...ratingColumns(document),
  ])
}

/** As the gun duel's author published it; none where nothing is known. */
function languageColumns(document: ReportDocument): Column[] {
  const languages = rankedOf(document).map((entrant) => document.entrants[entrant]?.language ?? '')
  return languages.some((language) => language !== '') ? [column('Language', languages, false)] : []
}

function ratingColumns(document: ReportDocument): Column[] {
  const { ratings } = document
  if (!ratings) return []
  const rows = rankedOf(document).map((entrant) => ratings.rows[entrant])
  const figure = ratings.scores ? (value: number | undefined) => number(value ?? null) : whole
  return [
    column(
      ratings.scores ? 'Mean' : 'Rating',
      rows.map((row) => figure(row?.rating)),
    ),
    column(
      `${number(ratings.confidence * 100)} % interval`,
      rows.map((row) => (row ? `${figure(row.low ?? -Infinity)} … ${figure(row.high ?? Infinity)}` : '')),
    ),
    ...(ratings.doubt
      ? []
      : [
          column(
            'First place',
            rows.map((row) => chance(row?.first ?? 0)),
          ),
          column(
            'Ranks',
            rows.map((row) => (row?.ranks ?? []).join('–')),
          ),
        ]),
  ]
}

/** Pairs that are named; of more, the closest. */
const NAMED = 5

/** How the ratings were computed, and which neighbours they do not tell apart. */
function ratingNotes(document: ReportDocument): string[] {
  const { ratings } = document
  if (!ratings) return []
  const name = (entrant: number): string => unmarked(nameIn(document)(entrant))
  const open = ratings.superiority
    .filter(({ probability }) => probability < SEPARABLE)
    .sort((a, b) => a.probability - b.probability)
  const pairs = open.map(({ better, worse }) => `${name(better)} and ${name(worse)}`)
  const what = ratings.scores
    ? `Means are those of all matches with a score, their intervals Student’s t over blocks of equal luck; ${ratings.distinct} matches were not a repetition of one before`
    : `Ratings are ${ratings.model} strengths in Elo units around the field's average, from ${ratings.distinct} matches that were not a repetition of one before`
  return [
    `\n${what}. Each interval holds by itself, and not all at once. ${ratings.doubt ? DOUBTS[ratings.doubt] : placesNote(ratings)}\n`,
    ...(pairs.length === 0
      ? []
      : pairs.length > NAMED
        ? [
            `\nNot separable: ${pairs.length} of ${ratings.superiority.length} neighbours; the closest: ${pairs.slice(0, NAMED).join('; ')}.\n`,
          ]
        : [`\nNot separable: ${pairs.join('; ')}.\n`]),
  ]
}

/** How probable it is that the one of the row is better than the one of the column; nothing where the report has no such figures. */
function pairsTable(document: ReportDocument): string[] {
  const before = document.ratings?.before
  if (before === undefined) return []
  const { order, above } = before
  const table = markdown([
    column(
      '#',
      order.map((_, i) => String(i + 1)),
    ),
    column('A before B', order.map(nameIn(document)), false),
    ...order.map((_, j) =>
      column(
        String(j + 1),
        order.map((__, i) => (i === j ? '·' : chance(above[i]?.[j] ?? 0.5))),
      ),
    ),
  ])
  return [`\n## A before B\n\n${table}`]
}

/** The crosstable: a row and a column for each entrant, in the order of the standings. */
function pointsTable(document: ReportDocument): string {
  const { order, meetings } = document.crosstable
  const all = document.standings.rows.length
  const rest = order.length < all ? `\nThe first ${order.length} of ${all} entrants.\n` : ''
  const table = markdown([
    column(
      '#',
      order.map((_, i) => String(i + 1)),
    ),
    column('Name', order.map(nameIn(document)), false),
    ...order.map((_, j) =>
      column(
        String(j + 1),
        meetings.map((row, i) => (i === j && !row[j] ? '·' : number(row[j]?.points ?? null))),
      ),
    ),
  ])
  return `${table}${rest}`
}

/** A line for each entrant that made faults. */
function faultItems(document: ReportDocument): string[] {
  return rankedOf(document).flatMap((entrant) => {
    const counts = document.faults[entrant]
    const kinds = FAULT_KINDS.flatMap((kind) => (counts?.[kind] ? `${counts[kind]} ${kind}` : []))
    return kinds.length === 0 ? [] : [`- ${unmarked(nameIn(document)(entrant))}: ${kinds.join(', ')}\n`]
  })
}

function timeTable(document: ReportDocument): string {
  const { entrants, timing } = document
  const ranked = rankedOf(document)
  return markdown([
    column('Name', ranked.map(nameIn(document)), false),
    column(
      'Median, ms',
      ranked.map((entrant) => ms(timing[entrant]?.median)),
    ),
    column(
      '99 %, ms',
      ranked.map((entrant) => ms(timing[entrant]?.p99)),
    ),
    column(
      'Slowest, ms',
      ranked.map((entrant) => ms(timing[entrant]?.max)),
    ),
    column(
      'Limit, ms',
      ranked.map((entrant) => number(entrants[entrant]?.limit ?? null)),
    ),
  ])
}

/** What bots printed of themselves: a column for each name; empty where no bot did. */
function printedPart(document: ReportDocument): string[] {
  const { printed } = document
  if (!printed) return []
  const ranked = rankedOf(document).filter((entrant) => (printed[entrant] ?? []).length > 0)
  const names = printedNames(printed)
  const mean = (entrant: number, name: string): number | null =>
    printed[entrant]?.find((one) => one.name === name)?.mean ?? null
  const table = markdown([
    column('Name', ranked.map(nameIn(document)), false),
    ...names.map((name) =>
      column(
        unmarked(name),
        ranked.map((entrant) => number(mean(entrant, name))),
      ),
    ),
  ])
  return [`\n## Figures that bots printed, mean of a match\n\n${table}`]
}

const column = (head: string, cells: readonly string[], right = true): Column => ({ head, cells, right })

/** Entrants, first to last. */
const rankedOf = ({ standings }: Pick<ReportDocument, 'standings'>): number[] =>
  standings.rows.map(({ entrant }) => entrant)

const nameIn =
  ({ entrants }: ReportDocument) =>
  (entrant: number): string =>
    entrants[entrant]?.name ?? ''

const whole = (value: number | undefined): string => (value === undefined ? '' : signed(value))
const ms = (us: number | undefined): string => (us === undefined ? '' : number(us / 1000))
