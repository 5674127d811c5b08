import { describe, expect, it } from 'vitest'
import { playedByTwo, roundRobinOf } from '../../test/kit/players.js'
import { stream } from '../core/stream.js'
import { firstByPoints, firstByStrength, firstOf, fitOf, meritsOf, normalDraw, type RatedGame } from './index.js'

const WORTH = { win: 1, draw: 0.5, loss: 0 }

describe('the first place', () => {
  it('is certain where values are known, and shared by equals', () => {
    expect(firstOf([3, 1, 3], new Float64Array(9), 'x')).toEqual([0.5, 0, 0.5])
    expect(firstOf([1, 1], new Float64Array(4), 'x')).toEqual([0.5, 0.5])
    expect(firstOf([Number.NaN, 2], new Float64Array(4), 'x')).toEqual([Number.NaN, 1])
  })

  it('goes by the errors: a lead of three standard errors of the difference is all but certain, none is a half', () => {
    const covariance = Float64Array.of(0.5, 0, 0, 0.5)
    expect(firstOf([0, 5], covariance, 'x')[1]).toBeGreaterThan(0.95)
    expect(Math.abs((firstOf([2, 2], covariance, 'x')[0] ?? 0) - 0.5)).toBeLessThan(0.03)
  })

  it('is as probable as it is computed to be, over fields that are spread by 0 to 200 Elo', () => {
    const luck = stream('calibration')
    const sums = { strength: [0, 0], points: [0, 0] }
    const fields = 150
    for (let n = 0; n < fields; n++) {
      const spread = 200 * luck.uniform()
      const elo = Array.from({ length: 6 }, () => spread * normalDraw(luck))
      const best = elo.indexOf(Math.max(...elo))
      const games = roundRobinOf(6, 10).map((pair) => playedByTwo(luck, elo, pair, 0.3))
      const computed = {
        strength: firstByStrength(games, 6, String(n)),
        points: firstByPoints(meritsOf(games, 6, WORTH), String(n)),
      }
      for (const by of ['strength', 'points'] as const) {
        const top = Math.max(...computed[by])
        sums[by][0] = (sums[by][0] ?? 0) + top / fields
        sums[by][1] = (sums[by][1] ?? 0) + (computed[by][best] === top ? 1 : 0) / fields
      }
    }
    // 150 fields leave a standard error of 4 %; the benchmark has many more.
    for (const [computed = 0, right = 0] of Object.values(sums)) expect(Math.abs(computed - right)).toBeLessThan(0.1)
  })
})

describe('the fit of one strength for each', () => {
  const field = (elo: readonly number[], games: number, seed: string, seat = 0): RatedGame[] => {
    const luck = stream('fit', seed)
    return roundRobinOf(elo.length, games).map((pair) => playedByTwo(luck, elo, pair, 0, seat))
  }

  it.each([
    { games: 10, elo: [0, 0, 0, 0, 0, 0, 0, 0], seat: 0 },
    { games: 2, elo: [300, 200, 100, 0, 0, -100, -200, -300], seat: 0 },
    { games: 10, elo: [150, 100, 50, 0, 0, -50, -100, -150], seat: 300 },
  ])('is refused in 5 % of fields that have it: $games games, $elo, the seat worth $seat', ({ games, elo, seat }) => {
    let refused = 0
    for (let n = 0; n < 400; n++) if ((fitOf(field(elo, games, `fit ${n}`, seat), 8)?.p ?? 1) < 0.05) refused++
    // Three standard errors of 400 fields above the nominal 5 %.
    expect(refused / 400).toBeLessThan(0.083)
  })

  it('is refused where there is a cycle, and names who is misjudged', () => {
    const games = [
      [0, 1],
      [1, 2],
      [2, 0],
    ].flatMap((entrants) =>
      Array.from({ length: 12 }, (_, n): RatedGame => ({ entrants, place: n < 11 ? [1, 2] : [2, 1] })),
    )
    const fit = fitOf(games, 3)
    expect(fit?.df).toBe(1)
    expect(fit?.p).toBeLessThan(1e-4)
    expect(fit?.explained).toBeLessThan(0.05)
    expect(fit?.pairs[0]?.scored).toBeCloseTo(11 / 12, 9)
    expect(fitOf(games.slice(0, 12), 3)).toBeUndefined()
  })
})
