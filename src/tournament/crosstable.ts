import { type Result, type ScoringSpec, countedScores, isAlone, visible } from '../core/index.js'
import { isPlayoff } from './keys.js'
import { meanOf, pointsOf, type Score, unitOf } from './scoring.js'
import { aligned, cellText, type Column, csv, markdown, number, widthOf } from '../text/index.js'

export interface Meeting {
  readonly n: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
  /** Where scores count: the mean of its scores. */
  readonly points: number
}

export interface Crosstable {
  readonly names: readonly string[]
  /** Some matches are of more than two: what counts is who came in ahead of whom, a draw half. */
  readonly ahead: boolean
  /** Points are mean scores, also in matches of more than two. Absent: wins count. */
  readonly scores?: true
  /**
   * By row, in the table's order: how it did against each it met (by row, from 0); in large fields most have not met.
   */
  readonly rows: readonly (readonly (Meeting & { readonly opponent: number })[])[]
}

/** The table with a cell for each two of the first `most` entrants; undefined: they have not met. */
export function gridOf(
  { rows }: Pick<Crosstable, 'rows'>,
  most = Infinity,
): readonly (readonly (Meeting | undefined)[])[] {
  const shown = Math.min(most, rows.length)
  return rows.slice(0, shown).map((row) => {
    const cells = Array.from({ length: shown }, (): Meeting | undefined => undefined)
    for (const { opponent, ...meeting } of row) if (opponent < shown) cells[opponent] = meeting
    return cells
  })
}

type Count = Omit<Score, 'ties' | 'unit'>

/** By entrant and by opponent. `ahead`: there are matches of more than two. */
interface Counts {
  readonly rows: readonly Map<number, Count>[]
  ahead: boolean
  /** To which sums are compared. */
  unit: number
}

const noCounts = (names: readonly string[]): Counts => ({ rows: names.map(() => new Map()), ahead: false, unit: 0 })

function countOf({ rows }: Counts, me: number, other: number): Count {
  const row = rows[me] as Map<number, Count>
  const count = row.get(other) ?? { wins: 0, draws: 0, losses: 0, scored: 0, sum: 0 }
  row.set(other, count)
  return count
}

/**
 * Counts each two entrants' matches without playoffs, which change no points. Of more than two, a better place is a win
 * over that opponent, an equal one a draw. Where scores count, a row's mean score against each opponent; against
 * itself, the mean of its seats. `order`: entrants' indexes in the table's order.
 */
export function crosstable(
  names: readonly string[],
  scoring: ScoringSpec,
  results: Iterable<Result>,
  order: readonly number[] = names.map((_, entrant) => entrant),
): Crosstable {
  const counts = noCounts(names)
  let most = 0
  // Sums in the order of keys are the same to the last digit, whichever match ended first.
  const all = scoring.by === 'score' ? [...results].sort((a, b) => (a.key < b.key ? -1 : 1)) : results
  for (const result of all) {
    const { key, seats, outcome } = result
    if (isPlayoff(key)) continue
    counts.ahead ||= seats.length > 2
    const scores = countedScores(scoring, result)
    for (const value of scores ?? []) most = Math.max(most, Math.abs(value))
    // Each of the two seats is the other's opponent.
    const share = isAlone(seats) ? 0.5 : 1
    const team = scoring.teams?.[seats.length]
    seats.forEach((me, seat) => {
      seats.forEach((other, otherSeat) => {
        // Team mates do not meet.
        if (seat === otherSeat || (team !== undefined && team[seat] === team[otherSeat])) return
        const lead = (outcome.place[otherSeat] ?? 0) - (outcome.place[seat] ?? 0)
        const count = countOf(counts, me, other)
        if (share < 1 || lead === 0) count.draws += share
        else if (lead > 0) count.wins++
        else count.losses++
        if (scores === undefined) return
        count.scored += share
        count.sum += share * (scores[seat] ?? 0)
      })
    })
  }
  counts.unit = unitOf(most)
  return crosstableOf(names, scoring, counts, order)
}

/** Of matches of two: how often the one was before the other, level, and behind. */
export interface PairCount {
  readonly one: number
  readonly other: number
  readonly ahead: number
  readonly level: number
  readonly behind: number
}

/** The same of matches of two, where wins count, by counts there. */
export function crosstableOfPairs(
  names: readonly string[],
  scoring: ScoringSpec,
  pairs: readonly PairCount[],
  order: readonly number[],
): Crosstable {
  const counts = noCounts(names)
  for (const { one, other, ahead, level, behind } of pairs) {
    Object.assign(countOf(counts, one, other), { wins: ahead, draws: level, losses: behind })
    Object.assign(countOf(counts, other, one), { wins: behind, draws: level, losses: ahead })
  }
  return crosstableOf(names, scoring, counts, order)
}

function crosstableOf(
  names: readonly string[],
  scoring: ScoringSpec,
  { rows, ahead, unit }: Counts,
  order: readonly number[],
): Crosstable {
  const byScore = scoring.by === 'score'
  const rowOf = new Map(order.map((entrant, i) => [entrant, i]))
  const pointsIn = (count: Count): number => {
    if (byScore) return meanOf({ ...count, unit }) ?? 0
    return ahead ? count.wins + count.draws / 2 : pointsOf(scoring, { ...count, unit })
  }
  return {
    names: order.map((entrant) => names[entrant] ?? ''),
    ahead: ahead && !byScore,
    scores: byScore ? true : undefined,
    rows: order.map((me) =>
      [...(rows[me] ?? [])]
        .flatMap(([other, count]) => {
          const { wins, draws, losses, scored } = count
          const opponent = rowOf.get(other)
          const n = byScore ? scored : wins + draws + losses
          return opponent === undefined || n === 0 ? [] : { opponent, n, wins, draws, losses, points: pointsIn(count) }
        })
        .sort((a, b) => a.opponent - b.opponent),
    ),
  }
}

export const crosstableTitle = ({ ahead, scores }: Pick<Crosstable, 'ahead' | 'scores'>): string =>
  scores
    ? 'Mean score by opponent'
    : ahead
      ? 'Matches finished ahead of each opponent, a draw for a half'
      : 'Points by opponent'

/** At most so many opponents have columns: a larger field has its comma-separated values. */
export const OPPONENTS = 300
/** Columns before the opponents, the number and the name; an opponent's least width. */
const [FIXED, NARROWEST] = [2, 3]

/**
 * The crosstable for a terminal: a row's points against the entrant whose number heads the column. As many opponents,
 * from the first, as fit into `width` columns; the last line then says where the rest is.
 */
export function crosstableText(table: Crosstable, width = Infinity, elsewhere = ''): string {
  const columns = columnsOf(table, Math.min(OPPONENTS, Math.max(1, Math.floor(width / NARROWEST))))
  let room = columns.reduce((sum, column) => sum + widthOf(column) + 2, -2)
  while (columns.length > FIXED + 1 && room > width) room -= widthOf(columns.pop() as Column) + 2
  const shown = columns.length - FIXED
  const all = table.names.length
  return aligned(columns) + (shown < all ? `The first ${shown} of ${all} opponents; all are in ${elsewhere}.\n` : '')
}

export function crosstableMarkdown(table: Crosstable): string {
  const all = table.names.length
  const rest = all > OPPONENTS ? `\nThe first ${OPPONENTS} of ${all} opponents; all are in crosstable.csv.\n` : ''
  return `${markdown(columnsOf(table, OPPONENTS))}${rest}`
}

/**
 * Every two that met as comma-separated values, a line each way: name, opponent, n, wins, draws, losses, points (or
 * `ahead`); where scores count name, opponent, n and mean score.
 */
export function crosstableCsv({ names, rows, ahead, scores }: Crosstable): string {
  const lines = rows.flatMap((row, i) =>
    row.map(({ opponent, n, wins, draws, losses, points }) => {
      const figures = scores ? [String(n), String(points)] : [n, wins, draws, losses, points].map(number)
      return [cellText(names[i] ?? ''), cellText(names[opponent] ?? ''), ...figures]
    }),
  )
  const columns = scores ? ['n', 'score'] : ['n', 'wins', 'draws', 'losses', ahead ? 'ahead' : 'points']
  return csv([['name', 'opponent', ...columns], ...lines])
}

function columnsOf({ names, rows }: Crosstable, most: number): Column[] {
  const cells = names.slice(0, most).map((_, j) => names.map((_name, i) => (i === j ? '·' : number(null))))
  rows.forEach((row, i) => {
    for (const { opponent, points } of row) {
      const column = cells[opponent]
      if (column) column[i] = number(points)
    }
  })
  return [
    { head: '#', cells: names.map((_, i) => String(i + 1)), right: true },
    { head: 'Name', cells: names.map(visible), right: false },
    ...cells.map((column, j): Column => ({ head: String(j + 1), cells: column, right: true })),
  ]
}
