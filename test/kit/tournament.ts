import type { Outcome, Pairing, Result, Tournament, TournamentSpec } from '../../src/core/index.js'

/** A tournament's spec from the parts that matter: round robin of two-seat matches, 1 a win, ½ a draw, unless given. */
export function specOf(
  names: readonly string[],
  parts: Omit<Partial<TournamentSpec>, 'format' | 'scoring'> & Loose = {},
): TournamentSpec {
  const { format, scoring, ...rest } = parts
  return {
    names,
    seed: 'seed',
    seats: { min: 2, max: 2 },
    shuffled: false,
    ...rest,
    format: { kind: 'round-robin', repetitions: 1, swap: false, playoff: 0, ...format },
    scoring: { win: 1, draw: 0.5, loss: 0, ties: [], ...scoring },
  }
}
interface Loose {
  readonly format?: Partial<TournamentSpec['format']>
  readonly scoring?: Partial<TournamentSpec['scoring']>
}

/** Plays a tournament to its end (or `rounds` rounds); returns the results in the order of the schedule. */
export function playOut(
  tournament: Tournament,
  judge: (pairing: Pairing) => Outcome,
  rounds = Infinity,
): Map<string, Result> {
  const results = new Map<string, Result>()
  for (let round = 0; round < rounds; round++) {
    const next = tournament.next(results)
    if (!next) break
    for (const { pairings } of next.series) {
      for (const pairing of pairings) {
        if (results.has(pairing.key)) throw new Error(`${pairing.key} twice`)
        results.set(pairing.key, { key: pairing.key, seats: pairing.seats, outcome: judge(pairing) })
      }
    }
  }
  return results
}

/** All pairings of a tournament's next round. */
export function pairingsOf(
  tournament: Tournament,
  results: ReadonlyMap<string, Result> = new Map(),
): readonly Pairing[] {
  return tournament.next(results)?.series.flatMap(({ pairings }) => pairings) ?? []
}

/** A judge by strength: the entrant with more of it has the better place, equals share. */
export function byStrength(strength: (entrant: number) => number): (pairing: Pairing) => Outcome {
  return ({ seats }) => ({
    place: seats.map((me) => 1 + seats.filter((other) => strength(other) > strength(me)).length),
    reason: 'strength',
  })
}
