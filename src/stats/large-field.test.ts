import { describe, expect, it } from 'vitest'
import { stream } from '../core/stream.js'
import { bradleyTerry } from './bradley-terry.js'
import type { RatedGame } from './game.js'

/** A field of strengths spread over some 500 Elo, who meet whoever is `apart` places further round, a few times; one in eight is drawn. */
function swissLike(field: number, apart: readonly number[], times: number, seats: boolean): RatedGame[] {
  const luck = stream('large field', String(field))
  const games: RatedGame[] = []
  for (let a = 0; a < field; a++) {
    for (const far of apart) {
      const b = (a * 7 + far * 13 + 1) % field
      if (a === b) continue
      for (let n = 0; n < times; n++) {
        const odds = Math.exp((2.8 * (b - a)) / field)
        const place = luck.uniform() < 0.125 ? [1, 1] : luck.uniform() < odds / (1 + odds) ? [1, 2] : [2, 1]
        const turned = seats && n % 2 === 1
        games.push({ entrants: turned ? [b, a] : [a, b], place: turned ? [...place].reverse() : place })
      }
    }
  }
  return games
}

describe('a large field', () => {
  for (const [name, games] of [
    ['where seats and draws are known', swissLike(150, [1, 2, 3, 4, 5], 2, true)],
    ['of single games', swissLike(150, [1, 2, 3, 4, 5, 6], 1, false)],
    ['where some are unbeaten, and some never won', swissLike(150, [1, 2], 1, false)],
  ] as const)
    it(`has the strengths and intervals of the whole matrix: ${name}`, () => {
      const whole = bradleyTerry(games, 150)
      const large = bradleyTerry(games, 150, { whole: 100 })
      expect(large.flags).toEqual(whole.flags)
      expect(large.core).toEqual(whole.core)
      for (let i = 0; i < 150; i++) {
        expect(large.rating[i]).toBeCloseTo(whole.rating[i] ?? NaN, 5)
        const width = (whole.withPrior.high[i] ?? NaN) - (whole.withPrior.low[i] ?? NaN)
        for (const end of ['low', 'high'] as const) {
          const ours = large[end][i] ?? NaN
          const theirs = whole[end][i] ?? NaN
          if (Number.isFinite(theirs)) expect(Math.abs(ours - theirs)).toBeLessThan(0.01 * width)
          else expect(ours).toBe(theirs)
        }
        const own = whole.covariance(i, i)
        expect(Math.abs(large.covariance(i, i) - own)).toBeLessThan(2e-3 * own)
      }
      if (whole.seat) {
        expect(large.seat?.value).toBeCloseTo(whole.seat.value, 5)
        expect(large.seat?.high).toBeCloseTo(whole.seat.high, 2)
      } else expect(large.seat).toBeUndefined()
    })

  it('tells of two who is stronger nearly as the whole matrix does', () => {
    const games = swissLike(150, [1, 2, 3, 4, 5], 2, true)
    const [whole, large] = [bradleyTerry(games, 150), bradleyTerry(games, 150, { whole: 100 })]
    for (let a = 0; a < 150; a += 7)
      for (let b = 1; b < 150; b += 11) expect(Math.abs(large.above(a, b) - whole.above(a, b))).toBeLessThan(0.01)
  })
})
