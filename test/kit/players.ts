import type { Stream } from '../../src/stats/stream.js'
import { type RatedGame, ELO } from '../../src/stats/index.js'

/** Every two of a field, in both orders of seats, `times` times: [i, j, i, j, …] as games to be played. */
export function roundRobinOf(field: number, times: number): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = []
  for (let i = 0; i < field; i++) {
    for (let j = i + 1; j < field; j++) {
      for (let n = 0; n < times; n++) pairs.push(n % 2 === 0 ? [i, j] : [j, i])
    }
  }
  return pairs
}

/** The game of two players of known strength (in Elo) under Davidson's model: ν for draws, `seat` what the first seat is worth. */
export function playedByTwo(
  luck: Stream,
  elo: readonly number[],
  [a, b]: readonly [number, number],
  nu: number,
  seat = 0,
): RatedGame {
  const half = ((elo[a] ?? 0) - (elo[b] ?? 0) + seat) / ELO / 2
  const win = Math.exp(half)
  const loss = Math.exp(-half)
  const u = luck.uniform() * (win + nu + loss)
  const place = u < win ? [1, 2] : u < win + nu ? [1, 1] : [2, 1]
  return { entrants: [a, b], place }
}

/** A game of many under Plackett and Luce's model: places 1, 2, …, of which those beyond `known` are equal. */
export function playedByMany(
  luck: Stream,
  elo: readonly number[],
  entrants: readonly number[],
  known = Infinity,
): RatedGame {
  const left = [...entrants]
  const place = new Map<number, number>()
  while (left.length > 0) {
    const worth = left.map((e) => Math.exp((elo[e] ?? 0) / ELO))
    let u = luck.uniform() * worth.reduce((a, b) => a + b, 0)
    const chosen = Math.max(
      0,
      worth.findIndex((w) => (u -= w) < 0),
    )
    const [entrant = 0] = left.splice(chosen, 1)
    place.set(entrant, Math.min(place.size, known) + 1)
  }
  return { entrants, place: entrants.map((e) => place.get(e) ?? 0) }
}

/** The share of the intervals that hold the truth, both around the average of the core, or of the field where there is none. */
export function held(
  {
    low,
    high,
    core = low.map((_, i) => i),
  }: { readonly low: readonly number[]; readonly high: readonly number[]; readonly core?: readonly number[] },
  elo: readonly number[],
): number {
  const mean = core.reduce((a, e) => a + (elo[e] ?? 0), 0) / core.length
  return elo.filter((e, i) => (low[i] ?? 0) <= e - mean && e - mean <= (high[i] ?? 0)).length / elo.length
}
