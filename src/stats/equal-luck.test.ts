import { describe, expect, it } from 'vitest'
import { held, roundRobinOf } from '../../test/kit/players.js'
import { stream } from './stream.js'
import { bradleyTerry, equalLuck, type RatedGame } from './index.js'

/** Pairs of games of two equals with the seats swapped: with `luck`, the better cards win whichever of them has them. */
const pairs = (n: number, luck: boolean): RatedGame[] => {
  const { uniform } = stream('equal luck', n)
  return Array.from({ length: n }, (_, i) => {
    const first = uniform() < 0.5
    const second = luck ? first : uniform() < 0.5
    const game = (entrants: readonly number[], won: boolean): RatedGame => ({
      entrants,
      place: won ? [1, 2] : [2, 1],
      block: String(i),
    })
    return [game([0, 1], first), game([1, 0], second)]
  }).flat()
}

describe('equal luck', () => {
  it('saves all the variance where luck decides every game', () => {
    expect(equalLuck(pairs(200, true)).effect).toBeLessThan(0.02)
    expect(equalLuck(pairs(200, true)).blocks).toBe(200)
  })

  it('saves nothing where it decides none', () => {
    expect(Math.abs(equalLuck(pairs(1000, false)).effect - 1)).toBeLessThan(0.15)
  })

  it('is none where no luck was shared', () => {
    const alone = pairs(20, true).map(({ entrants, place }): RatedGame => ({ entrants, place }))
    expect(equalLuck(alone)).toEqual({ effect: 1, blocks: 0 })
  })
})

describe('intervals under equal luck', () => {
  const elo = [150, 50, -50, -150]
  /** Both orders of seats on one throw: the first seat wins with good luck, as far as strengths allow. */
  const block = (a: number, b: number, key: string, u: number): RatedGame[] =>
    [
      [a, b],
      [b, a],
    ].map((entrants): RatedGame => {
      const [first = 0, second = 0] = entrants
      const wins = 1 / (1 + 10 ** (((elo[second] ?? 0) - (elo[first] ?? 0)) / 400))
      return { entrants, place: u < wins ? [1, 2] : [2, 1], block: key }
    })

  it('have a width, and neither is certainly stronger, where luck decided every game', () => {
    const ratings = bradleyTerry(pairs(5, true), 2)
    expect((ratings.high[0] ?? 0) - (ratings.low[0] ?? 0)).toBeGreaterThan(20)
    expect(ratings.above(0, 1)).toBeCloseTo(0.5, 6)
    expect(bradleyTerry(pairs(100, true), 2).above(0, 1)).toBeCloseTo(0.5, 6)
  })

  it('are narrower, and hold as often as they say', () => {
    const luck = stream('intervals')
    let sum = 0
    let wide = 0
    for (let n = 0; n < 100; n++) {
      const games = roundRobinOf(4, 15).flatMap(([a, b], i) => block(a, b, String(i), luck.uniform()))
      const ratings = bradleyTerry(games, 4)
      sum += held(ratings, elo)
      const { low, high } = bradleyTerry(
        games.map(({ entrants, place }) => ({ entrants, place })),
        4,
      )
      wide += ((high[0] ?? 0) - (low[0] ?? 0)) / ((ratings.high[0] ?? 0) - (ratings.low[0] ?? 0)) / 100
    }
    expect(wide).toBeGreaterThan(1.2)
    expect(sum / 100).toBeGreaterThan(0.92)
    expect(sum / 100).toBeLessThan(0.99)
  })
})
