import { type Result, type ScoringSpec, countedScores, isAlone, visible } from '../core/index.js'
import { isPlayoff } from './keys.js'
import { exact, rounded, unitOf } from './scoring.js'
import { aligned, cellText, type Column, csv, markdown, number, widthOf } from '../text/index.js'

/** How one entrant did against another. */
export interface Meeting {
  readonly n: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
  /** Where scores count: the mean of its scores. */
  readonly points: number
}

/** Who did how well against whom. */
export interface Crosstable {
  /** Entrants' names in the table's order. */
  readonly names: readonly string[]
  /** There are matches of more than two: what is counted is who came in ahead of whom, a draw for a half, and no points. */
  readonly ahead: boolean
  /** Scores count: points are mean scores, also in matches of more than two. Absent: wins do. */
  readonly scores?: true
  /** By row: how it did against each that it met, in the table's order. Of a large field most have not met, so there is nothing for these. */
  readonly rows: readonly (readonly Met[])[]
}

/** How an entrant did against the one in this row of the table, from 0. */
export interface Met extends Meeting {
  readonly opponent: number
}

/** The table with a cell for each two of the first `most` entrants; undefined where they have not met. */
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

/**
 * Counts each two entrants' matches, playoffs left out as they change no points. In a match of more than two, a better place is
 * a win over that opponent and an equal one a draw. Where scores count, a row's mean score in the matches with each opponent; an
 * entrant that meets itself has there the mean of its seats. `order` says who stands in the table, and where: entrants' indexes.
 */
export function crosstable(
  names: readonly string[],
  scoring: ScoringSpec,
  results: Iterable<Result>,
  order: readonly number[] = names.map((_, entrant) => entrant),
): Crosstable {
  return crosstableOf(names, scoring, countsOf(names.length, scoring, results), order)
}

/** Of the matches of two, how often the one was placed before the other, level with it, and behind it. */
export interface PairCount {
  readonly one: number
  readonly other: number
  readonly ahead: number
  readonly level: number
  readonly behind: number
}

/** The same of matches of two, where wins count, by counts that are there. */
export function crosstableOfPairs(
  names: readonly string[],
  scoring: ScoringSpec,
  pairs: readonly PairCount[],
  order: readonly number[],
): Crosstable {
  const counts = new Counts(names.length)
  for (const { one, other, ahead, level, behind } of pairs) {
    Object.assign(counts.of(one, other), { wins: ahead, draws: level })
    Object.assign(counts.of(other, one), { wins: behind, draws: level })
  }
  return crosstableOf(names, scoring, counts, order)
}

function crosstableOf(
  names: readonly string[],
  scoring: ScoringSpec,
  counts: Counts,
  order: readonly number[],
): Crosstable {
  const byScore = scoring.by === 'score'
  const rowOf = new Map(order.map((entrant, i) => [entrant, i]))
  const meeting = (me: number, other: number, { wins, draws, scored, sum }: Count): Meeting | undefined => {
    const losses = counts.rows[other]?.get(me)?.wins ?? 0
    const n = wins + draws + losses
    if (n === 0) return undefined
    if (byScore && scored === 0) return undefined
    const points = byScore
      ? rounded(sum / scored, counts.unit)
      : counts.ahead
        ? wins + draws / 2
        : exact(wins * scoring.win + draws * scoring.draw + losses * scoring.loss)
    return { n: byScore ? scored : n, wins, draws, losses, points }
  }
  return {
    names: order.map((entrant) => names[entrant] ?? ''),
    ahead: counts.ahead && !byScore,
    scores: byScore ? true : undefined,
    rows: order.map((me) =>
      [...(counts.rows[me] ?? [])]
        .flatMap(([other, count]): Met[] => {
          const opponent = rowOf.get(other)
          const met = opponent === undefined ? undefined : meeting(me, other, count)
          return met === undefined || opponent === undefined ? [] : [{ opponent, ...met }]
        })
        .sort((a, b) => a.opponent - b.opponent),
    ),
  }
}

/** What is counted of one against another. */
interface Count {
  wins: number
  draws: number
  /** Matches with a score, and their sum. */
  scored: number
  sum: number
}

/** What is counted of a field, by entrant's index. */
class Counts {
  /** There are matches of more than two. */
  ahead = false
  /** The precision to which sums are compared. */
  unit = 0
  /** By entrant: by opponent. */
  readonly rows: readonly Map<number, Count>[]

  /** The counts of a field that has not met. */
  constructor(field: number) {
    this.rows = Array.from({ length: field }, () => new Map<number, Count>())
  }

  /** Of one against another, to be added to. */
  of(me: number, other: number): Count {
    const row = this.rows[me] as Map<number, Count>
    const known = row.get(other)
    if (known !== undefined) return known
    const fresh = { wins: 0, draws: 0, scored: 0, sum: 0 }
    row.set(other, fresh)
    return fresh
  }
}

function countsOf(field: number, scoring: ScoringSpec, results: Iterable<Result>): Counts {
  const counts = new Counts(field)
  let most = 0
  // Sums in the order of the keys come out the same to the last digit, whichever match ended first.
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
        const count = counts.of(me, other)
        if (share < 1) count.draws += share
        else if (lead > 0) count.wins += 1
        else if (lead === 0) count.draws += 1
        if (scores === undefined) return
        count.scored += share
        count.sum += share * (scores[seat] ?? 0)
      })
    })
  }
  counts.unit = unitOf(most)
  return counts
}

/** What its figures are. */
export const crosstableTitle = ({ ahead, scores }: Pick<Crosstable, 'ahead' | 'scores'>): string =>
  scores
    ? 'Mean score by opponent'
    : ahead
      ? 'Matches finished ahead of each opponent, a draw for a half'
      : 'Points by opponent'

/**
 * The crosstable for a terminal: a row's points against the entrant whose number heads the column. Of one that is wider than `width`
 * columns, as many opponents as fit, the first of the table first; the last line then says where the rest is.
 */
export function crosstableText(table: Crosstable, width = Infinity, elsewhere = ''): string {
  const most = Math.min(OPPONENTS, Math.max(1, Math.floor(width / NARROWEST)))
  const columns = columnsOf(table, most)
  let shown = columns.length
  const room = (): number => columns.slice(0, shown).reduce((sum, column) => sum + widthOf(column) + 2, -2)
  while (shown > FIXED + 1 && room() > width) shown--
  const all = table.names.length
  const rest = shown - FIXED < all ? `The first ${shown - FIXED} of ${all} opponents; all are in ${elsewhere}.\n` : ''
  return `${aligned(columns.slice(0, shown))}${rest}`
}

/** Opponents that a table has columns for at most: who met whom in a larger field stands in its comma-separated values. */
export const OPPONENTS = 300
/** Columns that an opponent takes at least. */
const NARROWEST = 3
/** Columns before the opponents: the number and the name. */
const FIXED = 2

/** The same in Markdown. */
export function crosstableMarkdown(table: Crosstable): string {
  const all = table.names.length
  const rest = all > OPPONENTS ? `\nThe first ${OPPONENTS} of ${all} opponents; all are in crosstable.csv.\n` : ''
  return `${markdown(columnsOf(table, OPPONENTS))}${rest}`
}

/**
 * Every two that have met as comma-separated values, a line each way: name, opponent, n, wins, draws, losses, points (or `ahead`); where
 * scores count name, opponent, n and score, the mean.
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

function columnsOf({ names, rows }: Crosstable, most: number): readonly Column[] {
  const shown = Math.min(most, names.length)
  const cells = Array.from({ length: shown }, (_, j) => names.map((_name, i) => (i === j ? '·' : number(null))))
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
