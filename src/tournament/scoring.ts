import type { Pairing, Result, ScoringSpec } from '../core/index.js'
import { countedScores, firstPlaces, isAlone } from '../core/index.js'

/** What an entrant gathered. Counts, not points: whole numbers add up to the same in any order. */
export interface Score {
  wins: number
  draws: number
  losses: number
  /** In the order of `ScoringSpec.ties`. */
  readonly ties: number[]
  /** Where scores count: over how many matches, their sum, and the precision to which sums and means are compared. */
  scored: number
  sum: number
  unit: number
}

/**
 * Adds up matches in `results`, by entrant of a contest of `field`, and counts them. Alone (or with one's team) in the
 * first place is a win, to share it a draw. A match against oneself counts once, with the mean of its seats.
 */
export function tally(
  scoring: ScoringSpec,
  field: number,
  pairings: readonly Pairing[],
  results: ReadonlyMap<string, Result>,
): { readonly scores: readonly Score[]; readonly played: number } {
  const scores = Array.from({ length: field }, (): Score => nothing(scoring))
  let played = 0
  let most = 0
  for (const { key, seats } of pairings) {
    const result = results.get(key)
    if (!result) continue
    played++
    const { place, tally: tallies } = result.outcome
    const firsts = firstPlaces(place, scoring.teams?.[place.length])
    const counted = countedScores(scoring, result)
    for (const value of counted ?? []) most = Math.max(most, Math.abs(value))
    const share = isAlone(seats) ? 0.5 : 1
    for (let seat = 0; seat < seats.length; seat++) {
      const score = scores[seats[seat] ?? -1]
      const own = place[seat]
      if (!score || own === undefined) continue
      const isWin = own === 1 && firsts < 2
      if (isWin) score.wins += share
      else if (own === 1) score.draws += share
      else score.losses += share
      scoring.ties.forEach((tie, i) => {
        if (tie.of === 'all' || isWin)
          score.ties[i] = (score.ties[i] ?? 0) + share * (tallies?.[tie.tally]?.[seat] ?? 0)
      })
      if (!counted) continue
      score.scored += share
      score.sum += share * (counted[seat] ?? 0)
    }
  }
  for (const score of scores) score.unit = unitOf(most)
  return { scores, played }
}

export function nothing(scoring: ScoringSpec): Score {
  return { wins: 0, draws: 0, losses: 0, ties: scoring.ties.map(() => 0), scored: 0, sum: 0, unit: unitOf(0) }
}

export function together(a: Score, b: Score | undefined): Score {
  if (b === undefined) return a
  return {
    wins: a.wins + b.wins,
    draws: a.draws + b.draws,
    losses: a.losses + b.losses,
    ties: a.ties.map((sum, i) => sum + (b.ties[i] ?? 0)),
    scored: a.scored + b.scored,
    sum: a.sum + b.sum,
    unit: Math.max(a.unit, b.unit),
  }
}

/** What counts are worth, or the mean or sum of scores (0 before the first). Rounded, so 3 × 0.1 equals 0.3. */
export function pointsOf(scoring: ScoringSpec, score: Omit<Score, 'ties'>): number {
  if (scoring.by !== 'score')
    return exact(score.wins * scoring.win + score.draws * scoring.draw + score.losses * scoring.loss)
  return scoring.of === 'total' && score.scored > 0 ? rounded(score.sum, score.unit) : (meanOf(score) ?? 0)
}

/** An entrant's mean score, whatever points are; undefined before the first. */
export function meanOf({ sum, scored, unit }: Pick<Score, 'sum' | 'scored' | 'unit'>): number | undefined {
  return scored === 0 ? undefined : rounded(sum / scored, unit)
}

/** A sum of points without the dust of binary fractions. */
export function exact(points: number): number {
  return Math.round(points * 1e6) / 1e6
}

/** Scores are compared to ten digits of the greatest: less is binary fractions' dust. */
export function unitOf(most: number): number {
  return most > 0 ? 10 ** Math.max(-310, Math.ceil(Math.log10(most)) - 10) : 1e-300
}

export function rounded(value: number, unit: number): number {
  if (Number.isInteger(value) && unit < 1) return value + 0
  const whole = Math.round(value / unit) * unit
  return Number.isFinite(whole) ? Number(whole.toPrecision(15)) + 0 : value
}
