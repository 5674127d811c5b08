import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { held, playedByMany } from '../../test/kit/players.js'
import { stream } from './stream.js'
import { bradleyTerry, ELO, type RatedGame, plackettLuce } from './index.js'

const times = (n: number, entrants: readonly number[], place: readonly number[]): RatedGame[] =>
  Array.from({ length: n }, () => ({ entrants, place }))
/** Strengths relative to the first, as natural logarithms. */
const logs = (games: readonly RatedGame[], field: number): number[] => {
  const { rating } = plackettLuce(games, field)
  return rating.map((r) => (r - (rating[0] ?? 0)) / ELO)
}

/** Tournaments of a law; `bench -- coverage` has more. */
const RUNS = 60

describe('Plackett and Luce by maximum likelihood', () => {
  it('gives the shares of the first places, where nothing else is known', () => {
    const games = [
      ...times(5000, [0, 1, 2], [1, 2, 2]),
      ...times(3000, [0, 1, 2], [2, 1, 2]),
      ...times(2000, [2, 0, 1], [1, 2, 2]),
    ]
    const [, b, c] = logs(games, 3)
    expect(b).toBeCloseTo(Math.log(3 / 5), 2)
    expect(c).toBeCloseTo(Math.log(2 / 5), 2)
  })

  it('is Bradley and Terry for two players, intervals included', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 40 }), (won, lost) => {
        // A list of winners has no seats.
        const games = [...times(won, [0, 1], [1, 2]), ...times(lost, [1, 0], [1, 2])]
        const ours = plackettLuce(games, 2)
        const theirs = bradleyTerry(games, 2)
        const whole = (list: readonly number[]) => list.map((x) => expect.closeTo(x, 3) as number)
        expect(ours.rating).toEqual(whole(theirs.rating))
        expect(ours.high).toEqual(whole(theirs.high))
        expect(ours.flags).toEqual(theirs.flags)
      }),
      { numRuns: 30 },
    )
  })

  it('finds strengths again from the exact frequencies of all orders', () => {
    // π = 4 : 2 : 1 gives the order (a, b, c) with probability a/7 · b/(7 − a); times 105 these are whole numbers.
    const worth = [4, 2, 1]
    const orders = [0, 1, 2].flatMap((a) => [0, 1, 2].filter((b) => b !== a).map((b) => [a, b, 3 - a - b]))
    const games = orders.flatMap((order) => {
      const [a = 0, b = 0] = order.map((e) => worth[e] ?? 0)
      return times(Math.round((105 * 10 * a * b) / (7 * (7 - a))), order, [1, 2, 3])
    })
    expect(games.length).toBe(1050)
    const [, b, c] = logs(games, 3)
    expect(b).toBeCloseTo(Math.log(2 / 4), 2)
    expect(c).toBeCloseTo(Math.log(1 / 4), 2)
  })

  it('finds the strengths of players in teams, each as strong as its players together, and takes nothing from mates that are level', () => {
    const strengths = [0.8, 0.3, 0, -0.4, -0.7]
    const luck = stream('teams')
    const games = Array.from({ length: 8000 }, (): RatedGame => {
      const order = [0, 1, 2, 3, 4].map((e) => ({ e, at: luck.uniform() })).sort((a, b) => a.at - b.at)
      const entrants = order.slice(0, 4).map(({ e }) => e)
      const [a = 0, b = 0, c = 0, d = 0] = entrants.map((e) => strengths[e] ?? 0)
      const won = luck.uniform() < 1 / (1 + Math.exp(b + d - a - c))
      return { entrants, place: won ? [1, 3, 1, 3] : [3, 1, 3, 1], team: [0, 1, 0, 1] }
    })
    const found = logs(games, 5)
    found.forEach((value, e) => expect(Math.abs(value - ((strengths[e] ?? 0) - 0.8))).toBeLessThan(0.15))
    // Who wins every game with its team is unbeaten; its mates are no draws.
    expect(
      plackettLuce(
        times(3, [0, 1, 2, 3], [1, 3, 1, 3]).map((game) => ({ ...game, team: [0, 1, 0, 1] })),
        4,
      ).flags,
    ).toEqual([['unbeaten'], ['winless'], ['unbeaten'], ['winless']])
  })

  it('takes a tie for a mean of its orders: no entrant gains, and it holds half the information of a decision', () => {
    const [, b, c, d] = logs([...times(10, [0, 1, 2, 3], [1, 1, 1, 1]), ...times(10, [2, 0, 3, 1], [1, 1, 1, 1])], 4)
    for (const x of [b, c, d]) expect(x).toBeCloseTo(0, 6)
    // Half a win and half a loss: as many of each are the same table.
    const drawn = plackettLuce(times(20, [0, 1], [1, 1]), 2)
    const decided = plackettLuce([...times(10, [0, 1], [1, 2]), ...times(10, [0, 1], [2, 1])], 2)
    expect(drawn.high[0]).toBeCloseTo(decided.high[0] ?? 0, 6)
    // Tied before a third: level with each other, both above it.
    const [, second, third] = logs(times(20, [0, 1, 2], [1, 1, 3]), 3)
    expect(second).toBeCloseTo(0, 6)
    expect(third).toBeLessThan(-2)
  })

  it('learns nothing from a shared last place', () => {
    const games = [...times(10, [0, 1, 2], [1, 2, 2]), ...times(10, [1, 2], [1, 2])]
    const [, b = 0, c = 0] = logs(games, 3)
    expect(b - c).toBeGreaterThan(1)
  })

  it('forgets the order of seats and of games', () => {
    const game = fc
      .shuffledSubarray([0, 1, 2, 3, 4], { minLength: 2 })
      .chain((entrants) =>
        fc
          .array(fc.integer({ min: 1, max: 4 }), { minLength: entrants.length, maxLength: entrants.length })
          .map((place): RatedGame => ({ entrants, place })),
      )
    fc.assert(
      fc.property(fc.array(game, { minLength: 1, maxLength: 15 }), (games) => {
        // Of a tie of four or more only rotations are taken, which is not all orders, but the same either way round.
        const other = games.map(({ entrants, place }) => ({
          entrants: [...entrants].reverse(),
          place: [...place].reverse(),
        }))
        const a = plackettLuce(games, 5)
        const b = plackettLuce(other.reverse(), 5)
        a.rating.forEach((r, i) => expect(b.rating[i]).toBeCloseTo(r, 4))
      }),
      { numRuns: 40 },
    )
  })

  it.each([
    {
      what: 'six in fours, all places ranked',
      elo: [200, 100, 50, -50, -100, -200],
      seats: 4,
      games: 40,
      ranked: 9,
      hold: 0.985,
    },
    {
      what: 'five in one game, the winner ranked',
      elo: [200, 100, 0, -100, -200],
      seats: 5,
      games: 100,
      ranked: 1,
      hold: 0.985,
    },
    {
      what: 'eight equals in fours, all places ranked',
      elo: [0, 0, 0, 0, 0, 0, 0, 0],
      seats: 4,
      games: 40,
      ranked: 9,
      hold: 1.01,
    },
  ])('has 95 % intervals that hold: $what, $games games', ({ elo, seats, games, ranked, what, hold }) => {
    const luck = stream('plackett-luce', what)
    let sum = 0
    for (let n = 0; n < RUNS; n++) {
      const played = Array.from({ length: games }, (_, g) => {
        const entrants = elo.map((_elo, i) => (i + g) % elo.length)
        for (let i = entrants.length - 1; i > 0; i--) {
          const j = luck.below(i + 1)
          ;[entrants[i], entrants[j]] = [entrants[j] ?? 0, entrants[i] ?? 0]
        }
        return playedByMany(luck, elo, entrants.slice(0, seats), ranked)
      })
      sum += held(plackettLuce(played, elo.length), elo)
    }
    expect(sum / RUNS).toBeGreaterThan(0.92)
    expect(sum / RUNS).toBeLessThan(hold)
  })
})
