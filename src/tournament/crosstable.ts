import { type Result, type ScoringSpec, countedScores, isAlone } from '../core/index.js'
import { isPlayoff } from './keys.js'
import { exact, rounded, unitOf } from './scoring.js'

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
  /** `meetings[i][j]`: how `names[i]` did against `names[j]`; undefined where they have not met. */
  readonly meetings: readonly (readonly (Meeting | undefined)[])[]
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

/** The same by counts that are there. */
export function crosstableOf(
  names: readonly string[],
  scoring: ScoringSpec,
  counts: Counts,
  order: readonly number[],
): Crosstable {
  const byScore = scoring.by === 'score'
  const meeting = (me: number, other: number): Meeting | undefined => {
    const at = me * names.length + other
    const [wins = 0, draws = 0, losses = 0] = [
      counts.wins[at],
      counts.draws[at],
      counts.wins[other * names.length + me],
    ]
    const n = wins + draws + losses
    if (n === 0) return undefined
    const scored = counts.scored[at] ?? 0
    if (byScore && scored === 0) return undefined
    const points = byScore
      ? rounded((counts.sums[at] ?? 0) / scored, counts.unit)
      : counts.ahead
        ? wins + draws / 2
        : exact(wins * scoring.win + draws * scoring.draw + losses * scoring.loss)
    return { n: byScore ? scored : n, wins, draws, losses, points }
  }
  return {
    names: order.map((entrant) => names[entrant] ?? ''),
    ahead: counts.ahead && !byScore,
    ...(byScore && { scores: true }),
    meetings: order.map((me) => order.map((other) => meeting(me, other))),
  }
}

/** By the entrant's index times the field and its opponent's. */
interface Counts {
  /** There are matches of more than two. */
  ahead: boolean
  readonly wins: Float64Array
  readonly draws: Float64Array
  /** Matches with a score, and their sum. */
  readonly scored: Float64Array
  readonly sums: Float64Array
  /** The precision to which sums are compared. */
  unit: number
}

/** The counts of a field that has not met. */
export function noCounts(field: number): Counts {
  const made = (): Float64Array => new Float64Array(field * field)
  return { ahead: false, wins: made(), draws: made(), scored: made(), sums: made(), unit: 0 }
}

function countsOf(field: number, scoring: ScoringSpec, results: Iterable<Result>): Counts {
  const counts = noCounts(field)
  const add = (list: Float64Array, at: number, what: number): void => void (list[at] = (list[at] ?? 0) + what)
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
    seats.forEach((me, seat) => {
      seats.forEach((other, otherSeat) => {
        if (seat === otherSeat) return
        const lead = (outcome.place[otherSeat] ?? 0) - (outcome.place[seat] ?? 0)
        const at = me * field + other
        if (share < 1) add(counts.draws, at, share)
        else if (lead > 0) add(counts.wins, at, 1)
        else if (lead === 0) add(counts.draws, at, 1)
        if (scores === undefined) return
        add(counts.scored, at, share)
        add(counts.sums, at, share * (scores[seat] ?? 0))
      })
    })
  }
  counts.unit = unitOf(most)
  return counts
}
