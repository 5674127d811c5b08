import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { held, playedByTwo, roundRobinOf } from '../../test/kit/players.js'
import { stream } from '../core/stream.js'
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

  it('has the analytic draws of two players: odds w : l, ν = d / √(w·l)', () => {
    const { rating, nu } = bradleyTerry([...beats(0, 1, 4000), ...beats(1, 0, 1000), ...times(3000, [0, 1], [1, 1])], 2)
    expect(((rating[0] ?? 0) - (rating[1] ?? 0)) / ELO).toBeCloseTo(Math.log(4), 2)
    expect(nu).toBeCloseTo(1.5, 2)
  })

  it('keeps the unbeaten, the winless and the unconnected finite, in order, and flags them', () => {
    const { rating, low, high, flags } = bradleyTerry(
      [...beats(0, 1, 9), ...beats(1, 2, 9), ...times(5, [3, 4], [1, 1])],
      6,
    )
    expect(rating.slice(0, 3).sort((a, b) => b - a)).toEqual(rating.slice(0, 3))
    expect(rating.every(Number.isFinite)).toBe(true)
    // 0 beat 1, and 1 beat 2: nothing bounds by how much. 3 and 4 drew; how they compare to the others is unknown.
    expect(low.map(Number.isFinite)).toEqual([false, false, false, true, true, false])
    expect(high.map(Number.isFinite)).toEqual([false, false, false, true, true, false])
    expect(flags).toEqual([['unbeaten'], [], ['winless'], ['unconnected'], ['unconnected'], ['unconnected']])
    // An entrant without a game is average, as far as is known.
    expect(bradleyTerry([...beats(0, 1, 1)], 3).rating[2]).toBeCloseTo(0, 6)
    expect(bradleyTerry(times(50, [0, 1], [1, 1]), 2).nu).toBeLessThan(1000)
  })

  it('bounds the unbeaten from below and the winless from above: nine of nine has a chance of 5 % at 0.7 a game', () => {
    const chain = [...beats(0, 1, 9), ...beats(1, 2, 9), ...beats(2, 1, 3)]
    const { low, high, core } = bradleyTerry(chain, 3)
    expect(core).toEqual([1, 2])
    expect(high[0]).toBe(Infinity)
    expect([low[0], low[1], high[1], low[2], high[2]].every((end) => Number.isFinite(end))).toBe(true)
    expect(bradleyTerry(beats(0, 1, 9), 2).high).toEqual([Infinity, expect.any(Number)])
    expect(bradleyTerry(beats(0, 1, 9), 2).low).toEqual([expect.any(Number), -Infinity])
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

  it('follows large fields by a tangent that is close to the exact profile', () => {
    const luck = stream('tangent')
    const elo = Array.from({ length: 26 }, (_, i) => 250 - 20 * i)
    const games = roundRobinOf(26, 2).map((pair) => playedByTwo(luck, elo, pair, 0.5))
    const large = bradleyTerry(games, 26)
    // The last has met no rival of another: without it the field is small enough for exact profiles.
    const small = bradleyTerry(
      games.filter(({ entrants }) => !entrants.includes(25)),
      25,
    )
    for (let i = 0; i < 25; i++) {
      const span = ({ low, high }: { low: readonly number[]; high: readonly number[] }) =>
        (high[i] ?? 0) - (low[i] ?? 0)
      expect(Math.abs(span(large) / span(small) - 1)).toBeLessThan(0.1)
    }
  })

  it('has for six fields side by side that never meet what each would have alone', () => {
    const luck = stream('side by side')
    const elo = Array.from({ length: 25 }, (_, i) => 300 - 25 * i)
    const games = roundRobinOf(25, 2).map((pair) => playedByTwo(luck, elo, pair, 0))
    const alone = bradleyTerry(games, 25)
    const all = bradleyTerry(
      [0, 1, 2, 3, 4, 5].flatMap((field) =>
        games.map(({ entrants, ...game }) => ({ ...game, entrants: entrants.map((e) => 25 * field + e) })),
      ),
      150,
    )
    const first = all.rating.slice(0, 25)
    const mean = first.reduce((sum, x) => sum + x, 0) / 25
    first.forEach((rating, i) => {
      // How far the field is from the others no game tells: the prior alone.
      expect(rating - mean).toBeCloseTo(alone.rating[i] ?? 0, 1)
      expect(all.above(i, (i + 5) % 25)).toBeCloseTo(alone.above(i, (i + 5) % 25), 2)
    })
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
          if (Number.isFinite(low[i])) expect(other.low[i]).toBeCloseTo(low[i] ?? 0, 3)
          else expect(other.low[i]).toBe(low[i])
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
    expect(superiority(ratings, 0, 1)).toBeGreaterThan(0.997)
    expect(superiority(ratings, 0, 1) + superiority(ratings, 1, 0)).toBeCloseTo(1, 9)
    expect(superiority(ratings, 1, 2)).toBeCloseTo(0.5, 1)
  })
})

describe('the 95 % intervals of Bradley and Terry', () => {
  // Each row: a field of known strengths, games a pair, and ν; 1,000 tournaments each.
  it.each([
    { at: '0', elo: [0, 0, 0, 0, 0, 0], games: 10, nu: 0 },
    { at: '±200, ±120, ±40', elo: [200, 120, 40, -40, -120, -200], games: 20, nu: 0 },
    { at: '300, 100, 50, 0, −150, −300', elo: [300, 100, 50, 0, -150, -300], games: 20, nu: 1 },
    { at: '150, 0, −150', elo: [150, 0, -150], games: 40, nu: 0.5 },
    { at: '600, 300, 0, −300, −600', elo: [600, 300, 0, -300, -600], games: 10, nu: 0 },
    { at: '±100, the first seat worth 400', elo: [100, 100, -100, -100], games: 20, nu: 0, seat: 400 },
  ])('hold 93–97 %: players at $at, with $games games a pair, ν = $nu', ({ elo, games, nu, seat = 0 }) => {
    const luck = stream('coverage', elo.join(), games, nu)
    const pairs = roundRobinOf(elo.length, games)
    let sum = 0
    const runs = 400
    for (let n = 0; n < runs; n++) {
      const played = pairs.map((pair) => playedByTwo(luck, elo, pair, nu, seat))
      sum += held(bradleyTerry(played, elo.length), elo)
    }
    expect(sum / runs).toBeGreaterThan(0.93)
    expect(sum / runs).toBeLessThan(0.97)
  })
})
