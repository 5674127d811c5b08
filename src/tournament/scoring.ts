import type { Outcome, Pairing, Result, ScoringSpec } from '../core/index.js'

type Verdict = 'win' | 'draw' | 'loss'

/** By seat: alone in the first place is a win, to share it a draw, any other place a loss. */
function verdicts(outcome: Outcome): readonly Verdict[] {
  let firsts = 0
  for (const place of outcome.place) if (place === 1) firsts++
  return outcome.place.map((place) => (place > 1 ? 'loss' : firsts > 1 ? 'draw' : 'win'))
}

/** What an entrant has gathered. Counts, not points: whole numbers add up to the same in any order. */
export interface Score {
  wins: number
  draws: number
  losses: number
  /** In the order of `ScoringSpec.ties`. */
  readonly ties: number[]
}

/** What some matches came to. */
export interface Tally {
  /** By entrant of the contest. */
  readonly scores: readonly Score[]
  /** How many of the matches have been played. */
  readonly played: number
}

/** Adds up those of the matches that are in `results`, for a contest of `field` entrants. Linear in the matches. */
export function tally(
  scoring: ScoringSpec,
  field: number,
  pairings: readonly Pairing[],
  results: ReadonlyMap<string, Result>,
): Tally {
  const scores = Array.from({ length: field }, (): Score => nothing(scoring))
  let played = 0
  for (const { key, seats } of pairings) {
    const outcome = results.get(key)?.outcome
    if (!outcome) continue
    played++
    const all = verdicts(outcome)
    for (let seat = 0; seat < seats.length; seat++) {
      const score = scores[seats[seat] ?? -1]
      const verdict = all[seat]
      if (score && verdict) count(score, verdict, seat, outcome, scoring)
    }
  }
  return { scores, played }
}

function nothing(scoring: ScoringSpec): Score {
  return { wins: 0, draws: 0, losses: 0, ties: scoring.ties.map(() => 0) }
}

function count(score: Score, verdict: Verdict, seat: number, outcome: Outcome, { ties }: ScoringSpec): void {
  if (verdict === 'win') score.wins++
  else if (verdict === 'draw') score.draws++
  else score.losses++
  ties.forEach((tie, i) => {
    if (tie.of === 'won' && verdict !== 'win') return
    score.ties[i] = (score.ties[i] ?? 0) + (outcome.tally?.[tie.tally]?.[seat] ?? 0)
  })
}

/** What the counts are worth. Rounded to a millionth, so that 3 × 0.1 and 0.3 are equal points. */
export function pointsOf(scoring: ScoringSpec, score: Omit<Score, 'ties'>): number {
  return exact(score.wins * scoring.win + score.draws * scoring.draw + score.losses * scoring.loss)
}

/** A sum of points without the dust of binary fractions. */
export function exact(points: number): number {
  return Math.round(points * 1e6) / 1e6
}
