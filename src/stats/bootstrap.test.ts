import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { playedByTwo, roundRobinOf } from '../../test/kit/players.js'
import { stream } from '../core/stream.js'
import {
  bootstrap,
  byElo,
  byPlackettLuce,
  byPoints,
  byScores,
  byScoreTable,
  type RatedGame,
  lastStandingRounds,
  ranksOf,
} from './index.js'

const points = byPoints({ win: 1, draw: 0.5, loss: 0 })
const beats = (a: number, b: number, n: number, more: Partial<RatedGame> = {}): RatedGame[] =>
  Array.from({ length: n }, () => ({ entrants: [a, b], place: [1, 2], ...more }))

describe('the bootstrap by block', () => {
  it('gives the probability that the better of two is first: 60 of 100 is 2 standard errors ahead', () => {
    const { first, low, high, ranks } = bootstrap([...beats(0, 1, 60), ...beats(1, 0, 40)], 2, points, {
      seed: 'a',
      resamples: 4000,
    })
    expect((first[0] ?? 0) + (first[1] ?? 0)).toBeCloseTo(1, 9)
    // Φ(0.1 / (0.49 / √100)) = Φ(2.04) = 0.979.
    expect(Math.abs((first[0] ?? 0) - 0.979)).toBeLessThan(0.012)
    expect((high[0] ?? 0) - (low[0] ?? 0)).toBeCloseTo(2 * 1.96 * 0.049, 1)
    expect(ranks[0]).toEqual([1, 1])
  })

  it('does not believe a game for its repetitions', () => {
    const { first } = bootstrap(beats(0, 1, 100, { weight: 1 / 100 }), 2, points, { seed: 'b' })
    const single = bootstrap(beats(0, 1, 1), 2, points, { seed: 'b' })
    expect(first[0]).toBeLessThan(0.95)
    expect(Math.abs((first[0] ?? 0) - (single.first[0] ?? 0))).toBeLessThan(0.05)
    expect(bootstrap(beats(0, 1, 100), 2, points, { seed: 'b' }).first[0]).toBe(1)
  })

  it('draws what shares its luck together', () => {
    const swapped = (i: number): RatedGame[] => {
      const win = (a: number, b: number): RatedGame => ({ entrants: [a, b], place: [1, 2], block: String(i) })
      return [win(0, 1), win(1, 0)]
    }
    // Luck decides each game, so each pair of games is level: the table is level in every resample but for the prior.
    const games = Array.from({ length: 50 }, (_, i) => swapped(i)).flat()
    const width = (list: readonly RatedGame[]): number => {
      const { low, high } = bootstrap(list, 2, points, { seed: 'c' })
      return (high[0] ?? 0) - (low[0] ?? 0)
    }
    expect(width(games)).toBeLessThan(width(games.map(({ entrants, place }) => ({ entrants, place }))) / 2)
  })

  it('is the same for the same seed, and permutes with the entrants', () => {
    const luck = stream('permuted')
    const games = roundRobinOf(4, 6).map((pair) => playedByTwo(luck, [100, 50, 0, -150], pair, 0.5))
    const run = (list: readonly RatedGame[]): readonly number[] => bootstrap(list, 4, points, { seed: 'd' }).first
    expect(run(games)).toEqual(run(games))
    const mirrored = games.map((game) => ({ ...game, entrants: game.entrants.map((e) => 3 - e) }))
    // The lots fall otherwise, so only nearly.
    const back = [...run(mirrored)].reverse()
    run(games).forEach((p, i) => expect(Math.abs(p - (back[i] ?? 0))).toBeLessThan(0.04))
  })

  it.each([
    ['points', points],
    ['Elo', byElo],
    ['Plackett–Luce', byPlackettLuce],
    ['last standing', byScores(lastStandingRounds)],
  ])('agrees with itself by %s: the rating lies in its interval, the best is most often first', (_, rule) => {
    const luck = stream('rules')
    const games = roundRobinOf(5, 20).map((pair) => playedByTwo(luck, [200, 100, 0, -100, -200], pair, 0))
    const { rating, low, high, first, ranks } = bootstrap(games, 5, rule, { seed: 'e', resamples: 300 })
    rating.forEach((r, i) => {
      expect(low[i]).toBeLessThanOrEqual(r + 1e-9)
      expect(high[i]).toBeGreaterThanOrEqual(r - 1e-9)
      expect(ranks[i]?.[0]).toBeLessThanOrEqual(ranksOf(rating)[i] ?? 0)
    })
    expect(first[0]).toBe(Math.max(...first))
    expect(first.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
  })

  it('has the same scores as a table and as rows, of games whose blocks went alike and of others', () => {
    const luck = stream('tables')
    const games = roundRobinOf(5, 20).map((pair) => playedByTwo(luck, [200, 100, 0, -100, -200], pair, 0))
    const blocks = games.map((game, g) => ({
      ...game,
      block: `${[...game.entrants].sort((a, b) => a - b).join('-')}/${g % 3}`,
    }))
    const rows = byScores((scores) => scores.map((row) => row.reduce((sum, x, j) => sum + x * (j + 1), 0)))
    const table = byScoreTable(
      (field) => (all) =>
        Array.from({ length: field }, (_, i) =>
          all.subarray(i * field, (i + 1) * field).reduce((sum, x, j) => sum + x * (j + 1), 0),
        ),
    )
    for (const list of [games, blocks]) {
      const [one, other] = [rows, table].map((rule) => bootstrap(list, 5, rule, { seed: 'g', resamples: 50 }))
      expect(one).toEqual(other)
    }
  })

  it('ranks what is no number first, and lets nothing else count it', () => {
    expect(ranksOf([0.5, Number.NaN, 0.7, 0.5 + 1e-10, 0.1])).toEqual([2, 1, 1, 2, 4])
  })

  it('refuses to resample nothing', () => {
    expect(() => bootstrap([], 2, points, { seed: '' })).toThrow(RangeError)
  })
})

describe('last standing on a matrix', () => {
  it('lets the weakest of those still in leave, which may be another than the weakest of all', () => {
    // 3 loses to all; 2 lives on its wins over 3 and falls next, although 1 has no more than it in all.
    const scores = [
      [0.5, 0.6, 0.7, 1],
      [0.4, 0.5, 0.9, 0.6],
      [0.3, 0.1, 0.5, 1],
      [0, 0.4, 0, 0.5],
    ]
    expect(lastStandingRounds(scores)).toEqual([4, 3, 2, 1])
  })

  it('lets all leave together who are level in everything, and keeps joint winners', () => {
    expect(
      lastStandingRounds([
        [0.5, 0.5, 1],
        [0.5, 0.5, 1],
        [0, 0, 0.5],
      ]),
    ).toEqual([2, 2, 1])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), (n) => {
        const level = Array.from({ length: n }, () => Array.from({ length: n }, () => 0.5))
        expect(lastStandingRounds(level)).toEqual(Array.from({ length: n }, () => 1))
      }),
    )
  })
})

/** Rounds of a field whose strengths are far apart, level against level, and no pair twice. */
function swissGames(field: number, rounds: number, seed: number): RatedGame[] {
  let x = seed * 7919 + 13
  const next = (): number => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) / 2 ** 32
  }
  const scores = new Map(Array.from({ length: field }, (_, i) => [i, 0]))
  const met = new Set<number>()
  const games: RatedGame[] = []
  for (let round = 0; round < rounds; round++) {
    const order = [...scores].map(([i, score]) => [i, score + next() / 100] as const).sort((a, b) => b[1] - a[1])
    const free = new Set(order.map(([i]) => i))
    for (const a of free) {
      free.delete(a)
      const b = [...free].find((other) => !met.has(Math.min(a, other) * field + Math.max(a, other)))
      if (b === undefined) continue
      free.delete(b)
      met.add(Math.min(a, b) * field + Math.max(a, b))
      const lead = a + Math.floor(next() * 60) - b - Math.floor(next() * 60)
      const [first, second] = lead === 0 ? [0.5, 0.5] : lead > 0 ? [1, 0] : [0, 1]
      scores.set(a, (scores.get(a) ?? 0) + first)
      scores.set(b, (scores.get(b) ?? 0) + second)
      const place = [first < second ? 2 : 1, second < first ? 2 : 1]
      games.push({ entrants: [a, b], place, block: `${round} ${a} ${b}` })
    }
  }
  return games
}

it('has strengths in every resample of a large Swiss, where some are left without a game', () => {
  for (const seed of [1, 23, 25]) {
    const { ranks } = bootstrap(swissGames(201, 8, seed), 201, byElo, { seed: `s${seed}`, resamples: 25 })
    expect(ranks.every(([low, high]) => low >= 1 && low <= high && high <= 201)).toBe(true)
  }
})
