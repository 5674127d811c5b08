import type { Result, ScoringSpec } from '../core/index.js'
import { isPlayoff } from './keys.js'
import { pointsOf } from './scoring.js'

/** How one entrant did against another. */
export interface Meeting {
  readonly n: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
  readonly points: number
}

/** Who did how well against whom. */
export interface Crosstable {
  /** Entrants' names in the table's order. */
  readonly names: readonly string[]
  /** There are matches of more than two: what is counted is who came in ahead of whom, a draw for a half, and no points. */
  readonly ahead: boolean
  /** `meetings[i][j]`: how `names[i]` did against `names[j]`; undefined where they have not met. */
  readonly meetings: readonly (readonly (Meeting | undefined)[])[]
}

/**
 * Counts each two entrants' matches, playoffs left out as they change no points. In a match of more than two, a better place is
 * a win over that opponent and an equal one a draw. `order` says who stands in the table, and where: entrants' indexes.
 */
export function crosstable(
  names: readonly string[],
  scoring: ScoringSpec,
  results: Iterable<Result>,
  order: readonly number[] = names.map((_, entrant) => entrant),
): Crosstable {
  const field = names.length
  let ahead = false
  const wins = new Uint32Array(field * field)
  const draws = new Uint32Array(field * field)
  for (const { key, seats, outcome } of results) {
    if (isPlayoff(key)) continue
    ahead ||= seats.length > 2
    seats.forEach((me, seat) => {
      seats.forEach((other, otherSeat) => {
        const lead = (outcome.place[otherSeat] ?? 0) - (outcome.place[seat] ?? 0)
        const at = me * field + other
        if (lead > 0) wins[at] = (wins[at] ?? 0) + 1
        else if (lead === 0 && seat !== otherSeat) draws[at] = (draws[at] ?? 0) + 1
      })
    })
  }
  const meeting = (me: number, other: number): Meeting | undefined => {
    const score = {
      wins: wins[me * field + other] ?? 0,
      draws: draws[me * field + other] ?? 0,
      losses: wins[other * field + me] ?? 0,
    }
    const n = score.wins + score.draws + score.losses
    return n === 0
      ? undefined
      : { n, ...score, points: ahead ? score.wins + score.draws / 2 : pointsOf(scoring, score) }
  }
  return {
    names: order.map((entrant) => names[entrant] ?? ''),
    ahead,
    meetings: order.map((me) => order.map((other) => meeting(me, other))),
  }
}
