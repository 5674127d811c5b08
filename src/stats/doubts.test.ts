import { describe, expect, it } from 'vitest'
import { type RatedGame, meansOf, scoreIntervals, scoredCompanies, seatsDecide, studentInterval } from './index.js'
import { stream } from './stream.js'

describe('a permutation test of seats that are not swapped', () => {
  const games = (wins: (a: number, b: number) => boolean, entrants = [0, 1, 2, 3, 4]): RatedGame[] =>
    entrants.flatMap((a) =>
      entrants.flatMap((b) =>
        a < b ? Array.from({ length: 10 }, () => ({ entrants: [a, b], place: wins(a, b) ? [1, 2] : [2, 1] })) : [],
      ),
    )

  it('finds that the first seat won, and not a strength that has nothing to do with it', () => {
    expect(seatsDecide(games(() => true))).toBe(true)
    const strength = [2, 4, 1, 5, 3]
    expect(seatsDecide(games((a, b) => (strength[a] ?? 0) > (strength[b] ?? 0)))).toBe(false)
    // Of seven entrants a seventh of all orders are as near to that of their strengths, or to its reverse.
    const nearly = [5, 6, 7, 3, 4, 1, 2]
    expect(seatsDecide(games((a, b) => (nearly[a] ?? 0) > (nearly[b] ?? 0), [0, 1, 2, 3, 4, 5, 6]))).toBe(false)
    expect(seatsDecide([{ entrants: [0, 1, 2], place: [1, 2, 3] }])).toBe(false)
    expect(seatsDecide([])).toBe(false)
  })
})

describe('intervals of mean scores', () => {
  const field = (score: (n: number) => number) =>
    scoredCompanies(
      [0, 1, 2].flatMap((a) =>
        [0, 1, 2].flatMap((b) =>
          a < b
            ? Array.from({ length: 40 }, (_, n) => ({
                entrants: [a, b],
                scores: [score(n), -score(n)],
                block: String(n),
              }))
            : [],
        ),
      ),
    )
  const ofFirst = (companies: ReturnType<typeof field>, bounds?: { min: number; max: number }) => {
    const { rare, interval } = scoreIntervals(companies, meansOf(companies, 3), 0.95, bounds)
    return { rare, interval: interval(0) }
  }

  it("are Student's t where many scores carry the variance", () => {
    const luck = stream('tails')
    const { rare, interval } = ofFirst(field(() => luck.uniform()))
    expect(rare).toBe(false)
    expect(interval?.[0]).toBeGreaterThan(0.4)
    expect(interval?.[1]).toBeLessThan(0.6)
  })

  it('are wider where some carry more than their part', () => {
    const luck = stream('skewed')
    const companies = field(() => -Math.log(1 - luck.uniform()))
    const means = meansOf(companies, 3)
    const { rare, interval } = scoreIntervals(companies, means, 0.95)
    expect(rare).toBe(false)
    expect(interval(0)).toEqual(studentInterval(means.of(0), 0.98))
  })

  it('are none where few do, unless the game bounds its scores', () => {
    const jackpot = field((n) => (n === 7 ? 50 : 0))
    expect(ofFirst(jackpot)).toEqual({ rare: true, interval: undefined })
    const { rare, interval } = ofFirst(jackpot, { min: -50, max: 50 })
    expect(rare).toBe(true)
    // The mean is 1.25 of 100; what is rare may be rarer or less rare.
    expect(interval?.[0]).toBeLessThan(0)
    expect(interval?.[1]).toBeGreaterThan(4)
  })

  it('reckon with scores that the game allows, if they are far beyond those seen', () => {
    const luck = stream('unseen')
    const companies = field(() => luck.uniform())
    expect(ofFirst(companies, { min: -2, max: 2 }).rare).toBe(false)
    expect(ofFirst(companies, { min: -100, max: 100 }).rare).toBe(true)
  })
})
