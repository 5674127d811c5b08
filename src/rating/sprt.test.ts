import { describe, expect, it } from 'vitest'
import { stream } from '../core/stream.js'
import { type DuelGame, sprt } from './index.js'
import { logRatio } from './sprt.js'

const pair = (i: number, a: DuelGame['place'], b: DuelGame['place'], course = ''): DuelGame[] => [
  { entrants: [0, 1], place: a, block: String(i), ...(course && { course }) },
  { entrants: [1, 0], place: b, block: String(i), ...(course && { course }) },
]

describe('the sequential test of a duel', () => {
  // What Disservin's fastchess prints for these (its own tests, logistic model, to two digits).
  it.each([
    { counts: [21184, 40708, 21404], elo: [0.5, 2.5], llr: -1.57 },
    { counts: [57030, 106593, 57433], elo: [0, 2], llr: -2.59 },
    { counts: [223, 9863, 21279, 10037, 246], elo: [0.5, 2.5], llr: -3.07 },
    { counts: [871, 26175, 55983, 26678, 821], elo: [0, 2], llr: -4.98 },
  ])('finds the published ratio of $counts', ({ counts, elo: [elo0 = 0, elo1 = 0], llr }) => {
    expect(Math.abs(logRatio(counts, elo0, elo1) / llr - 1)).toBeLessThan(0.01)
  })

  it('is Wald’s where there is nothing between a win and a loss: n·ln(p1/p0) a win, n·ln(q1/q0) a loss', () => {
    const p1 = 1 / (1 + 10 ** (-50 / 400))
    const exact = 60_000 * Math.log(p1 / 0.5) + 40_000 * Math.log((1 - p1) / 0.5)
    expect(logRatio([40_000, 60_000], 0, 50) / exact).toBeCloseTo(1, 3)
  })

  it('counts pairs by what the first scored, and waits for the other game of a pair', () => {
    const games = [...pair(1, [1, 2], [2, 1]), ...pair(2, [1, 1], [1, 2]), ...pair(3, [1, 2], [1, 2]).slice(0, 1)]
    expect(sprt(games, 0, { elo0: 0, elo1: 50 }).pentanomial).toEqual([0, 1, 0, 0, 1])
    expect(sprt(games, 1, { elo0: 0, elo1: 50 }).pentanomial).toEqual([1, 0, 0, 1, 0])
  })

  it('learns nothing from repetition, however often', () => {
    for (const place of [
      [1, 2],
      [1, 1],
    ]) {
      const games = Array.from({ length: 500 }, (_, i) => pair(i, place, [...place].reverse(), 'the same')).flat()
      const result = sprt(games, 0, { elo0: 0, elo1: 50 })
      expect(result).toMatchObject({ decision: 'undecided', matches: 1000, distinct: 1 })
      expect(
        sprt(
          games.map(({ entrants, place: p, block = '' }) => ({ entrants, place: p, block })),
          0,
          { elo0: 0, elo1: 50 },
        ).decision,
      ).not.toBe('undecided')
    }
  })

  it('decides nothing on a handful of games', () => {
    expect(sprt([], 0, { elo0: 0, elo1: 50 })).toMatchObject({ decision: 'undecided', llr: 0 })
    for (const place of [
      [1, 2],
      [1, 1],
      [2, 1],
    ]) {
      const games = [1, 2, 3, 4].flatMap((i) => pair(i, place, [...place].reverse()))
      expect(sprt(games, 0, { elo0: 0, elo1: 50 }).decision).toBe('undecided')
    }
    expect(() => sprt([], 0, { elo0: 5, elo1: 5 })).toThrow(RangeError)
  })

  /** The share of duels of the given strength that end with H1, looked at after every pair; a fifth of the games is drawn. */
  const accepted = (elo: number, luck: ReturnType<typeof stream>, duels: number): number => {
    const win = 1 / (1 + 10 ** (-elo / 400)) - 0.1
    const game = (): number => {
      const u = luck.uniform()
      return u < win ? 2 : u < win + 0.2 ? 1 : 0
    }
    let h1 = 0
    for (let n = 0; n < duels; n++) {
      const counts = [0, 0, 0, 0, 0]
      for (let llr = 0; Math.abs(llr) < Math.log(19);) {
        const at = game() + game()
        counts[at] = (counts[at] ?? 0) + 1
        llr = logRatio(counts, 0, 100)
        if (llr >= Math.log(19)) h1++
      }
    }
    return h1 / duels
  }

  it('errs as rarely as was asked: 5 % either way', () => {
    const luck = stream('sprt')
    // 400 duels: 5 % and three standard errors is 8.3 %.
    expect(accepted(0, luck, 400)).toBeLessThan(0.083)
    expect(accepted(100, luck, 400)).toBeGreaterThan(0.917)
  })
})
