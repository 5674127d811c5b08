import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { held, playedByTwo, roundRobinOf } from '../../test/kit/players.js'
import { stream } from './stream.js'
import { bradleyTerry, ELO, type RatedGame, superiority } from './index.js'

const times = (n: number, entrants: readonly number[], place: readonly number[]): RatedGame[] =>
  Array.from({ length: n }, () => ({ entrants, place }))
const beats = (a: number, b: number, n: number): RatedGame[] => times(n, [a, b], [1, 2])
const width = (games: readonly RatedGame[], field: number): number => {
  const { low, high } = bradleyTerry(games, field)
  return (high[0] ?? 0) - (low[0] ?? 0)
}

describe('Bradley and Terry by maximum likelihood', () => {
  it('sets two apart by the logarithm of their odds: 3,000 to 1,000 is 400·log10 3 = 190.8', () => {
    const { rating } = bradleyTerry([...beats(0, 1, 3000), ...beats(1, 0, 1000)], 2)
    expect(Math.abs((rating[0] ?? 0) - (rating[1] ?? 0) - 190.8)).toBeLessThan(0.2)
    expect((rating[0] ?? 0) + (rating[1] ?? 0)).toBeCloseTo(0, 9)
  })

  it('has the analytic interval of two players: the odds of w wins and l losses have the variance 1/w + 1/l', () => {
    const { low, high } = bradleyTerry([...beats(0, 1, 3000), ...beats(1, 0, 1000)], 2)
    // Each is half of the distance from the average.
    const half = (1.96 * ELO * Math.sqrt(1 / 3000 + 1 / 1000)) / 2
    expect(((high[0] ?? 0) - (low[0] ?? 0)) / 2).toBeCloseTo(half, 1)
  })

  it('takes a tenth of the width from a hundred times the games', () => {
    const ratio =
      width([...beats(0, 1, 30), ...beats(1, 0, 10)], 2) / width([...beats(0, 1, 3000), ...beats(1, 0, 1000)], 2)
    expect(Math.abs(ratio - 10)).toBeLessThan(0.3)
  })

  it('finds what Agresti prints for the citations of four journals, and their standard errors', () => {
    // Categorical Data Analysis (2002), table 10.14 and the fit beside it; R's BradleyTerry2 has them as `citations`.
    const games = [
      [0, 1, 730, 33],
      [0, 2, 498, 320],
      [0, 3, 221, 284],
      [1, 2, 68, 813],
      [1, 3, 17, 276],
      [2, 3, 142, 325],
    ].flatMap(([a = 0, b = 0, won = 0, lost = 0]) => [...beats(a, b, won), ...beats(b, a, lost)])
    const { rating, covariance } = bradleyTerry(games, 4)
    const from = (i: number): number => ((rating[i] ?? 0) - (rating[0] ?? 0)) / ELO
    expect(from(1)).toBeCloseTo(-2.949, 1)
    expect(from(2)).toBeCloseTo(-0.4796, 2)
    expect(from(3)).toBeCloseTo(0.269, 2)
    const error = (i: number): number => Math.sqrt(covariance(0, 0) + covariance(i, i) - 2 * covariance(0, i)) / ELO
    expect([1, 2, 3].map((i) => error(i).toFixed(2))).toEqual(['0.10', '0.06', '0.07'])
  })

  it('has the analytic draws of two players: odds w : l, whatever is drawn', () => {
    const { rating } = bradleyTerry([...beats(0, 1, 4000), ...beats(1, 0, 1000), ...times(3000, [0, 1], [1, 1])], 2)
    expect(((rating[0] ?? 0) - (rating[1] ?? 0)) / ELO).toBeCloseTo(Math.log(4), 1)
  })

  it('keeps the unbeaten, the winless and the unconnected finite, in order, and flags them', () => {
    const { rating, low, high, flags, core } = bradleyTerry(
      [...beats(0, 1, 9), ...beats(1, 2, 9), ...times(5, [3, 4], [1, 1])],
      6,
    )
    expect(rating.slice(0, 3).sort((a, b) => b - a)).toEqual(rating.slice(0, 3))
    expect([...rating, ...low, ...high].every(Number.isFinite)).toBe(true)
    expect(flags).toEqual([['unbeaten'], [], ['winless'], ['unconnected'], ['unconnected'], ['unconnected']])
    expect(core).toEqual([0, 1, 2, 3, 4])
    // An entrant without a game is average, as far as is known.
    expect(bradleyTerry([...beats(0, 1, 1)], 3).rating[2]).toBeCloseTo(0, 6)
    expect(bradleyTerry([], 2).rating).toEqual([0, 0])
  })

  it('separates the first seat from strength: 30 to 10 for the first seat is 191 Elo, and both are equal', () => {
    const games = [...beats(0, 1, 30), ...times(10, [0, 1], [2, 1]), ...beats(1, 0, 30), ...times(10, [1, 0], [2, 1])]
    const { rating, seat } = bradleyTerry(games, 2)
    expect(rating[0]).toBeCloseTo(0, 6)
    expect(Math.abs((seat?.value ?? 0) - 190.8)).toBeLessThan(10)
    expect(seat && seat.low > 80 && seat.high < 300).toBe(true)
    // A list of winners and losers has no seats.
    expect(bradleyTerry([...beats(0, 1, 3), ...beats(1, 0, 3)], 2).seat).toBeUndefined()
    expect(bradleyTerry([...beats(0, 1, 3), ...times(2, [0, 1], [2, 1])], 2).seat).toBeUndefined()
  })

  it('takes no order from seats that went to the stronger each time: strength and seat share what they explain', () => {
    // Five copies that never change seats, the first of which wins two of three.
    const games = [0, 1, 2, 3, 4].flatMap((a) =>
      [0, 1, 2, 3, 4].flatMap((b) =>
        a < b
          ? [...times(20, [a, b], [1, 2]), ...times(10, [a, b], [2, 1])].map((g) => ({ ...g, block: `${a}${b}` }))
          : [],
      ),
    )
    const { seat, above } = bradleyTerry(games, 5)
    expect(seat?.value).toBeGreaterThan(60)
    expect(above(0, 4)).toBeLessThan(0.975)
  })

  it('forgets the order of the games and of the seats, and turns round with the results', () => {
    const game = fc
      .tuple(fc.nat(4), fc.nat(3), fc.constantFrom([1, 2], [2, 1], [1, 1]))
      .map(([a, b, place]): RatedGame => ({ entrants: [a, b >= a ? b + 1 : b], place }))
    fc.assert(
      fc.property(fc.array(game, { minLength: 1, maxLength: 30 }), (games) => {
        const { rating, low } = bradleyTerry(games, 5)
        const other = bradleyTerry(
          [...games]
            .reverse()
            .map(({ entrants, place }) => ({ entrants: [...entrants].reverse(), place: [...place].reverse() })),
          5,
        )
        const lost = bradleyTerry(
          games.map(({ entrants, place }) => ({ entrants, place: [...place].reverse() })),
          5,
        )
        rating.forEach((r, i) => {
          expect(other.rating[i]).toBeCloseTo(r, 5)
          expect(other.low[i]).toBeCloseTo(low[i] ?? 0, 3)
          expect(lost.rating[i]).toBeCloseTo(-r, 5)
        })
      }),
      { numRuns: 50 },
    )
  })

  it('learns nothing from the repetitions of a game', () => {
    const weigh = (n: number): RatedGame[] => beats(0, 1, n).map((game) => ({ ...game, weight: 1 / n }))
    expect(bradleyTerry(weigh(50), 2).low[0]).toBeCloseTo(bradleyTerry(weigh(1), 2).low[0] ?? 0, 4)
  })

  it('refuses a game of an entrant that is not there', () => {
    expect(() => bradleyTerry([{ entrants: [0, 2], place: [1, 2] }], 2)).toThrow(RangeError)
    expect(() => bradleyTerry([{ entrants: [0, 0], place: [1, 2] }], 2)).toThrow('entrants 0,0')
  })

  it('gives the probability that one is stronger', () => {
    const ratings = bradleyTerry([...beats(0, 1, 30), ...beats(1, 0, 10), ...beats(1, 2, 20), ...beats(2, 1, 20)], 3)
    // 30 to 10 is ln 3 apart with the standard error √(1/30 + 1/10) = 0.365: z = 3.0.
    expect(superiority(ratings, 0, 1)).toBeGreaterThan(0.99)
    expect(superiority(ratings, 0, 1) + superiority(ratings, 1, 0)).toBeCloseTo(1, 9)
    expect(Math.abs(superiority(ratings, 1, 2) - 0.5)).toBeLessThan(0.1)
  })
})

describe('the 95 % intervals of Bradley and Terry', () => {
  // Each row: a field of known strengths, games a pair, and ν; 150 tournaments each; `bench -- coverage` has more.
  it.each([
    { at: '0', elo: [0, 0, 0, 0, 0, 0], games: 10, nu: 0, most: 1 },
    { at: '±200, ±120, ±40', elo: [200, 120, 40, -40, -120, -200], games: 20, nu: 0, most: 0.985 },
  ])('hold: players at $at, with $games games a pair, ν = $nu', ({ elo, games, nu, most }) => {
    const luck = stream('coverage', elo.join(), games, nu)
    const pairs = roundRobinOf(elo.length, games)
    let sum = 0
    const runs = 150
    for (let n = 0; n < runs; n++) {
      const played = pairs.map((pair) => playedByTwo(luck, elo, pair, nu))
      sum += held(bradleyTerry(played, elo.length), elo)
    }
    expect(sum / runs).toBeGreaterThan(0.92)
    expect(sum / runs).toBeLessThanOrEqual(most)
  })
})
