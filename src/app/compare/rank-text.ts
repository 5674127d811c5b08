import { visible } from '../../core/index.js'
import { seatNotes } from './elo-table.js'
import type { RankedField } from './rank.js'
import { doubtNotes, firstNotes, openNotes } from './strengths.js'
import { type Before, type Ranking, type RuleName, WEIGHED } from '../../lab/index.js'
import { SEPARABLE } from '../../stats/index.js'
import { type Column, aligned, chance, counted, number, percent, placesNote, signed, width } from '../../text/index.js'

/** Headings of the rules' numbers. */
const RULE_HEADS: Readonly<Record<RuleName, string>> = {
  points: 'Points a game',
  elo: 'Elo',
  'plackett-luce': 'Plackett-Luce',
  'last-standing': 'Last standing',
  ecological: 'Ecological',
  nash: 'Nash',
  'alpha-rank': 'Alpha-Rank',
}

/** Rules whose first places are probabilities. */
const MODELLED: ReadonlySet<Ranking['by']> = new Set(['points', 'elo', 'plackett-luce'] as const)

/** Cycles that are listed; the surest come first. */
const CYCLES = 5

/** A ranking by one rule with all that is known of it, or by several side by side. */
export function rankText(ranked: RankedField, columns: number): string {
  const { title, matches, distinct, names, rankings, simultaneous } = ranked
  const repeated = distinct < matches ? `, ${distinct} of them no repetition of one before` : ''
  const [only] = rankings
  return [
    `${visible(title)}: ${counted(matches, 'match', 'matches')}${repeated}`,
    '',
    rankings.length === 1 && only ? oneTable(only, ranked) : sideBySide(ranked, columns),
    ...(rankings.length > 1 && ranked.doubt !== 'seats' ? [crownText(ranked), ''] : []),
    ...(rankings.length === 1 && only ? notesOf(only, names) : []),
    ...(rankings.length === 1 && only ? intervalNote(only, simultaneous).flatMap((note) => [note, '']) : []),
    ...(rankings.length === 1 && only?.before
      ? [`${PAIRS}\n\n${beforeText(only.before, orderOf(only), names, columns)}`]
      : []),
    ...(only?.seat ? [...seatNotes(only), ''] : []),
    ...doubtNotes(ranked.doubt).flatMap((note) => [note, '']),
    ...leftOutLines(ranked),
    ...cycleLines(ranked),
    ...luckLines(ranked),
  ]
    .join('\n')
    .trimEnd()
}

const leftOutLines = ({ leftOut = [], names }: RankedField): readonly string[] =>
  leftOut.length === 0
    ? []
    : [`Left out, as a field of ${number(names.length)} is too large for them: ${leftOut.join(', ')}, and cycles.`, '']

const PAIRS = 'How probable it is that the one of the row stands before the one of the column, by their true values:'

const orderOf = ({ lines }: Pick<Ranking, 'lines'>): readonly number[] => lines.map(({ entrant }) => entrant)

/** What an interval's 95 % are of. Without a model the rule may jump where a result crosses a bound, and no interval is sure to hold. */
const intervalNote = ({ by, again, lines }: Ranking, simultaneous: boolean): readonly string[] => {
  if (again) return [placesNote({ again })]
  if (lines.every(({ low }) => low === undefined)) return []
  if (!MODELLED.has(by))
    return [
      'Each interval holds 95 % of the resamples: it shows what else the results might have come to, and promises no more.',
    ]
  return [
    simultaneous
      ? 'The intervals hold all at once with 95 %.'
      : 'Each interval holds with 95 % by itself, and not all at once; simultaneous intervals do.',
  ]
}

function oneTable({ by, lines, again }: Ranking, ranked: RankedField): string {
  const { names } = ranked
  const format = figures(by, ranked)
  const strength = lines.some(({ superior }) => superior !== undefined)
  return aligned([
    { head: '#', cells: lines.map(({ rank }) => String(rank)), right: true },
    { head: 'Name', cells: lines.map(({ entrant }) => visible(names[entrant] ?? '')), right: false },
    { head: headOf(by, ranked), cells: lines.map(({ value }) => format(value)), right: true },
    ...(lines.some(({ low }) => low !== undefined)
      ? [
          {
            head: '95 % interval',
            cells: lines.map(({ low, high }) =>
              low === undefined || high === undefined ? '' : `${format(low)} … ${format(high)}`,
            ),
            right: true,
          },
        ]
      : []),
    ...(lines.some(({ first }) => first !== undefined)
      ? [
          // Without a model of strength it is how often it came first, which is no probability.
          {
            head: again || MODELLED.has(by) ? 'First' : 'First, resampled',
            cells: lines.map(({ first }) => (first === undefined ? '' : chance(first))),
            right: true,
          },
          { head: 'Ranks', cells: lines.map(({ ranks }) => [...new Set(ranks)].join('–')), right: true },
        ]
      : []),
    ...(strength
      ? [
          {
            head: 'Above next',
            cells: lines.map(({ superior }) => (superior === undefined ? '' : chance(superior))),
            right: true,
          },
        ]
      : []),
    ...(lines.some(({ flags }) => flags.length > 0)
      ? [{ head: '', cells: lines.map(({ flags }) => flags.join(', ')), right: false }]
      : []),
  ])
}

/**
 * "A before B" as a table: a row for A, a column for each B by its number, in `order`. As many columns as fit, with a line that says where
 * the others are.
 */
function beforeText(before: Before, order: readonly number[], names: readonly string[], columns: number): string {
  const numbers = { head: '#', cells: order.map((_, i) => String(i + 1)), right: true }
  const name = { head: 'Before', cells: order.map((entrant) => visible(names[entrant] ?? '')), right: false }
  const shown: Column[] = [numbers, name]
  for (const [j, other] of order.entries()) {
    const cells = order.map((entrant, i) => (i === j ? '·' : chance(before[entrant]?.[other] ?? 0.5)))
    const column = { head: String(j + 1), cells, right: true }
    if (j > 0 && width(aligned([...shown, column]).split('\n')[1] ?? '') > columns) {
      const hidden = order.length - j
      return `${aligned(shown)}${hidden} more columns are in the JSON, or in a wider terminal.\n`
    }
    shown.push(column)
  }
  return aligned(shown)
}

/** The rules beside each other: the number, and the rank where it is another than that by the first rule. */
function sideBySide(ranked: RankedField, columns: number): string {
  const { names, rankings } = ranked
  const order = rankings[0]?.lines.map(({ entrant }) => entrant) ?? []
  const name = { head: 'Name', cells: order.map((entrant) => visible(names[entrant] ?? '')), right: false }
  const cells: Column[] = rankings.map(({ by, lines }) => ({
    head: headOf(by, ranked),
    right: true,
    cells: order.map((entrant) => {
      const line = lines.find((one) => one.entrant === entrant)
      return line === undefined ? '' : `${figures(by, ranked)(line.value)} (${line.rank})`
    }),
  }))
  // What does not fit beside the others stands in a table below them.
  const tables: (typeof cells)[] = [[]]
  for (const column of cells) {
    const last = tables.at(-1) ?? []
    const lines = aligned([name, ...last, column]).split('\n')
    if (last.length > 0 && Math.max(...lines.map(width)) > columns) tables.push([column])
    else last.push(column)
  }
  return tables.map((table) => aligned([name, ...table])).join('\n')
}

function crownText({ rankings, crown }: RankedField): string {
  const [best] = crown
  if (best !== undefined && crown.every(({ by }) => by.length === rankings.length)) {
    const names = crown.map(({ name }) => visible(name)).join(', ')
    return `First by every rule here${crown.length > 1 ? ', shared' : ''}: ${names}.`
  }
  const lines = crown.map(({ name, by }) => `  ${visible(name)}: ${by.join(', ')}`)
  return `The crown depends on the rule (a shared first place is named for each):\n${lines.join('\n')}`
}

/** What the table cannot be trusted to tell. */
function notesOf({ lines }: Ranking, names: readonly string[]): readonly string[] {
  const name = (i: number) => names[lines[i]?.entrant ?? -1] ?? ''
  const neighbours = lines.flatMap(({ superior }, i) =>
    superior === undefined ? [] : [{ upper: name(i), lower: name(i + 1), superior }],
  )
  const open = openNotes(
    neighbours.filter(({ superior }) => superior < SEPARABLE),
    neighbours.length,
  )
  const flagged = lines.some(({ flags }) => flags.length > 0)
  return [
    ...(open.length > 0 ? [...open, ''] : []),
    ...firstNotes(lines.map(({ first }) => first)).flatMap((note) => [note, '']),
    ...(flagged
      ? [
          'Of who is unbeaten, winless or unconnected, games tell no bound on one side: there the rating follows how widely the field is spread.',
          '',
        ]
      : []),
  ]
}

function cycleLines({ cycles: found, leftOut = [] }: RankedField): readonly string[] {
  if (leftOut.length > 0) return []
  if (found.length === 0) return ['No cycle (A beats B beats C beats A) that is likelier than not.']
  const more = found.length > CYCLES ? `  and ${found.length - CYCLES} more` : undefined
  const lines = found.slice(0, CYCLES).map(({ members, confidence }) => {
    const [first = ''] = members
    return `  ${[...members, first].map(visible).join(' beats ')} (${chance(confidence)})`
  })
  return ['Cycles, with the probability that all three are so:', ...lines, ...(more ? [more] : [])]
}

function luckLines({ luck: { effect, blocks } }: RankedField): readonly string[] {
  if (blocks === 0) return []
  const saved = 1 - effect
  const what =
    Math.abs(saved) < 0.005
      ? 'makes no difference to the variance'
      : `${saved > 0 ? 'saves' : 'costs'} ${percent(Math.abs(saved))} of the variance`
  return [`Equal luck (the same deal in every order of seats) ${what}, from ${counted(blocks, 'block')}.`]
}

const headOf = (by: Ranking['by'], ranked: Pick<RankedField, 'by'>): string =>
  by === 'points' && ranked.by === 'score' ? 'Mean score' : RULE_HEADS[by]

/** How a rule's numbers are written: Elo as whole numbers with a sign, shares in per cent, scores as they are. */
const figures = (by: Ranking['by'], ranked: Pick<RankedField, 'by'>): ((value: number) => string) => {
  if (by === 'elo' || by === 'plackett-luce') return signed
  if (WEIGHED.includes(by)) return percent
  if (by === 'points' && ranked.by === 'score') return number
  return (value) => value.toFixed(by === 'points' ? 3 : 0)
}
