import { FAULT_KINDS } from '../core/index.js'
import { SEPARABLE } from '../rating/index.js'
import { crosstableTitle } from '../tournament/index.js'
import { markdown, number, unmarked } from '../text/index.js'
import type { ReportData } from './data.js'

/** The report for an answer in a forum: the table with its intervals, the crosstable, faults and times. */
export function reportMarkdown({ document }: ReportData): string {
  const { entrants, standings, ratings, crosstable, faults, leftOut = [], timing, matches, format, seed } = document
  const nameOf = (entrant: number): string => entrants[entrant]?.name ?? ''
  const ranked = standings.rows.map(({ entrant }) => entrant)
  const column = (head: string, cells: readonly string[], right = true) => ({ head, cells, right })
  const table = markdown([
    column(
      '#',
      standings.rows.map(({ rank }) => String(rank)),
    ),
    column('Name', ranked.map(nameOf), false),
    column(
      'Points',
      standings.rows.map(({ points }) => number(points)),
    ),
    ...standings.columns.map((head, i) =>
      column(
        head,
        standings.rows.map(({ cells }) => number(cells[i] ?? null)),
      ),
    ),
    ...(ratings
      ? [
          column(
            'Rating',
            ranked.map((entrant) => whole(ratings.rows[entrant]?.rating)),
          ),
          column(
            `${number(ratings.confidence * 100)} % interval`,
            ranked.map((entrant) => `${whole(ratings.rows[entrant]?.low)} … ${whole(ratings.rows[entrant]?.high)}`),
          ),
          column(
            'First place',
            ranked.map((entrant) => `${Math.round((ratings.rows[entrant]?.first ?? 0) * 100)} %`),
          ),
          column(
            'Ranks',
            ranked.map((entrant) => (ratings.rows[entrant]?.ranks ?? []).join('–')),
          ),
        ]
      : []),
  ])
  const open = (ratings?.superiority ?? []).filter(({ probability }) => probability < SEPARABLE)
  const cross = markdown([
    column(
      '#',
      crosstable.order.map((_, i) => String(i + 1)),
    ),
    column('Name', crosstable.order.map(nameOf), false),
    ...crosstable.order.map((_, j) =>
      column(
        String(j + 1),
        crosstable.meetings.map((row, i) => (i === j && !row[j] ? '·' : number(row[j]?.points ?? null))),
      ),
    ),
  ])
  const troubles = ranked.flatMap((entrant) => {
    const kinds = FAULT_KINDS.flatMap((kind) => (faults[entrant]?.[kind] ? `${faults[entrant][kind]} ${kind}` : []))
    return kinds.length === 0 ? [] : [`- ${unmarked(nameOf(entrant))}: ${kinds.join(', ')}\n`]
  })
  const times = markdown([
    column('Name', ranked.map(nameOf), false),
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
  return [
    `# ${unmarked(document.title)}\n\n`,
    `${unmarked(document.game.title)}, ${matches.total} matches, ${format.kind}, seed ${unmarked(seed)}.\n\n`,
    table,
    ...standings.notes.map((note) => `\n${unmarked(note)}\n`),
    ...(ratings
      ? [
          `\nRatings are ${ratings.model} strengths in Elo units around the field's average, from ${ratings.distinct} matches that were not a repetition of one before. First place and ranks: by the contest's own rule, over ${ratings.resamples} resamples of the matches.\n`,
        ]
      : []),
    ...(open.length > 0
      ? [
          `\nNot separable: ${open.map(({ better, worse }) => `${unmarked(nameOf(better))} and ${unmarked(nameOf(worse))}`).join('; ')}.\n`,
        ]
      : []),
    `\n## ${crosstableTitle(crosstable)}\n\n${cross}`,
    troubles.length > 0 ? `\n## Faults\n\n${troubles.join('')}` : '\nNo faults.\n',
    ...(leftOut.length > 0
      ? ['\n## Left out\n\n', ...leftOut.map(({ name, why }) => `- ${unmarked(name)}: ${unmarked(why)}\n`)]
      : []),
    `\n## Time\n\n${times}`,
  ].join('')
}

const whole = (value: number | undefined): string =>
  value === undefined ? '' : `${value > 0 ? '+' : ''}${Math.round(value)}`
const ms = (us: number | undefined): string => (us === undefined ? '' : number(us / 1000))
