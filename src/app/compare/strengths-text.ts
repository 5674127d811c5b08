import { type Standings, visible } from '../../core/index.js'
import { type Probability, type SeatAdvantage, SEPARABLE } from '../../stats/index.js'
import { type Column, DOUBTS, type Doubt, chance, number, signed } from '../../text/index.js'
import { formatOf } from '../../tournament/index.js'
import type { Neighbours, ScoreTable, Strengths } from './strengths.js'

const NO_SPREAD =
  'No intervals: nothing tells yet how scores vary. Some entrants have to score differently in two blocks of equal luck at least.'

/** A column of numbers, which is there if any row has one. */
export function numbers<Row>(head: string, rows: readonly Row[], text: (row: Row) => string | undefined): Column[] {
  const cells = rows.map(text)
  return cells.every((cell) => cell === undefined)
    ? []
    : [{ head, cells: cells.map((cell) => cell ?? ''), right: true }]
}

export const intervals = (
  rows: readonly { readonly low?: number; readonly high?: number }[],
  text: (end: number) => string,
): Column[] =>
  numbers('95 % interval', rows, ({ low, high }) =>
    low === undefined || high === undefined ? undefined : `${text(low)} … ${text(high)}`,
  )

const hasIntervals = ({ rows }: Pick<ScoreTable, 'rows'>): boolean => rows.some(({ low }) => low !== undefined)

export function strengthColumns({ elo, scores }: Pick<Strengths, 'elo' | 'scores'>): Column[] {
  if (elo) return [...numbers('Elo', elo.rows, ({ rating }) => signed(rating)), ...intervals(elo.rows, signed)]
  if (!scores || !hasIntervals(scores)) return []
  const { rows, means } = scores
  return [
    ...numbers('Mean', rows, ({ mean }) => (!means || mean === null ? undefined : number(mean))),
    ...intervals(rows, number),
    ...numbers('First', rows, ({ first }) => (first === undefined ? undefined : chance(first))),
  ]
}

/** Notes on the table: where its order is not that of the strengths, and which neighbours are not separated. */
export function strengthNotes(
  { elo, scores, repeating = [] }: Strengths,
  standings: Standings,
  { format }: { readonly format: { readonly kind: string } },
): string[] {
  const neighbours = (elo ?? scores)?.neighbours ?? []
  const contrary = neighbours.filter(({ superior }) => superior < 0.5)
  const open = neighbours.filter(({ superior }) => superior >= 0.5 && superior < SEPARABLE)
  return [
    ...orderNotes(contrary, standings, format.kind, scores !== undefined),
    ...openNotes(open, neighbours.length),
    ...seatNotes(elo?.seat),
    ...firstNotes(scores?.rows.map(({ first }) => first) ?? []),
    ...doubtNotes((elo ?? scores)?.doubt),
    ...(elo || (scores && hasIntervals(scores))
      ? ['Each interval holds with 95 % by itself; intervals that hold all at once are wider.']
      : []),
    ...(scores && !hasIntervals(scores) && scores.doubt !== 'rare' ? [NO_SPREAD] : []),
    ...repeatingNotes(repeating),
  ]
}

export const doubtNotes = (doubt: Doubt | undefined): string[] => (doubt ? [DOUBTS[doubt]] : [])

/** What the first seat is worth, where that is certainly something. */
export const seatNotes = (seat: SeatAdvantage | undefined): string[] =>
  seat === undefined || (seat.low <= 0 && seat.high >= 0)
    ? []
    : [`To sit first is worth ${signed(seat.value)} Elo (95 % interval ${signed(seat.low)} … ${signed(seat.high)}).`]

/** What it means that the first place is between two probabilities. */
export const firstNotes = (first: readonly (Probability | undefined)[]): string[] =>
  first.some((one) => typeof one === 'object')
    ? ['First: between the two, by how far apart the entrants truly are, which these matches do not tell.']
    : []

/** Pairs that are named; of more, so many and a count. */
const NAMED = 5

function repeatingNotes(repeating: NonNullable<Strengths['repeating']>): string[] {
  if (repeating.length === 0) return []
  const named = repeating.slice(0, NAMED).map((names) => names.map(visible).join('–'))
  const more = repeating.length > NAMED ? `, and ${repeating.length - NAMED} more` : ''
  return [`The same game each time that they sat the same way: ${named.join(', ')}${more}. More matches tell no more.`]
}

/** Which neighbours are not separated: all of a few, of more a count and the closest. */
export function openNotes(open: Neighbours, all: number): string[] {
  if (open.length === 0) return []
  const text = ({ upper, lower, superior }: Neighbours[number]): string =>
    `${visible(upper)} over ${visible(lower)} (${chance(superior)})`
  if (open.length <= NAMED) return [`Less than ${100 * SEPARABLE} % sure: ${open.map(text).join('; ')}.`]
  const closest = [...open].sort((a, b) => a.superior - b.superior).slice(0, NAMED)
  const named = closest.map(text).join('; ')
  return [
    `Less than ${100 * SEPARABLE} % sure of ${open.length} of the ${all} neighbours in the table; the closest: ${named}.`,
  ]
}

/** Where the table's order is not that of the strengths, said in words. */
function orderNotes(contrary: Neighbours, { rows }: Standings, kind: string, byScore: boolean): string[] {
  const { survival, verb } = formatOf(kind)
  const rank = new Map(rows.map((row) => [row.name, row.rank]))
  const lines = contrary.flatMap(({ upper, lower }) => {
    const [above, below] = [rank.get(upper), rank.get(lower)]
    // Equals stand in the contest's order, which says nothing.
    if (above === below) return []
    const won = survival && above === 1
    const how = won ? 'won the last round' : (verb ?? (byScore ? 'stands higher' : 'has more points'))
    return [`${visible(upper)} ${how}; ${visible(lower)} ${byScore ? 'has the higher mean' : 'is rated higher'}`]
  })
  if (lines.length === 0) return []
  const more = lines.length > NAMED ? `; and so ${lines.length - NAMED} more` : ''
  return [`${lines.slice(0, NAMED).join('. ')}${more}.`]
}
