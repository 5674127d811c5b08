/** One who was in a round: what the round brought, and all rounds so far with it. */
export interface Survivor {
  readonly entrant: number
  readonly points: number
  readonly total: number
}

/**
 * Who leaves after a round of last player standing: those with its minimum of points; of several, those with the least total so
 * far; still tied, all of these. Where that is everyone who was in the round, none is worse than another: they win jointly.
 */
export function eliminate(round: readonly Survivor[]): readonly number[] {
  const least = Math.min(...round.map(({ points }) => points))
  const last = round.filter(({ points }) => points === least)
  const poorest = Math.min(...last.map(({ total }) => total))
  return last.filter(({ total }) => total === poorest).map(({ entrant }) => entrant)
}
