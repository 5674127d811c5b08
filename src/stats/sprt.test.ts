import { describe, expect, it } from 'vitest'
import { stream } from './stream.js'
import { type DuelGame, duelElo, expectedMatches, normalizedElo, sprt } from './index.js'

const pair = (i: number, a: DuelGame['place'], b: DuelGame['place'], course?: string): DuelGame[] => [
  { entrants: [0, 1], place: a, block: String(i), course },
  { entrants: [1, 0], place: b, block: String(i), course },
]
const WIDE = { elo0: 0, elo1: 50 }
/** Pairs that the first scores so much of 2 in. */
const scored = (halves: readonly number[]): DuelGame[] =>
  halves.flatMap((score, i) =>
    pair(i, score > 2 ? [1, 2] : score > 0 ? [1, 1] : [2, 1], score > 3 ? [2, 1] : score > 1 ? [1, 1] : [1, 2]),
  )

describe('the sequential test of a duel', () => {
  it('counts pairs by what the first scored, and waits for the other game of a pair', () => {
    const games = [...pair(1, [1, 2], [2, 1]), ...pair(2, [1, 1], [1, 2]), ...pair(3, [1, 2], [1, 2]).slice(0, 1)]
    expect(sprt(games, 0, WIDE).pentanomial).toEqual([0, 1, 0, 0, 1])
    expect(sprt(games, 1, WIDE).pentanomial).toEqual([1, 0, 0, 1, 0])
  })

  it('learns nothing from the repetition of one game, however often, and all where there is chance', () => {
    for (const place of [
      [1, 2],
      [1, 1],
    ]) {
      const games = Array.from({ length: 500 }, (_, i) => pair(i, place, [...place].reverse(), 'the same')).flat()
      expect(sprt(games, 0, WIDE)).toMatchObject({ decision: 'undecided', matches: 1000, distinct: 1 })
      // One other course, and all are what they are.
      const chance = games.map((game, i) => ({ ...game, course: i === 7 ? 'another' : 'the same' }))
      expect(sprt(chance, 0, WIDE)).toMatchObject({ distinct: 2, decision: place[1] === 2 ? 'H1' : 'H0' })
    }
  })

  it('decides in games of few courses: three of them, of which the first wins two', () => {
    const luck = stream('few courses')
    const games = Array.from({ length: 400 }, (_, i) => {
      const [a, b] = [luck.below(3), luck.below(3)]
      const places = (k: number): readonly number[] => (k < 2 ? [1, 2] : [2, 1])
      return pair(i, places(a), [...places(b)].reverse()).map((game, turn) => ({
        ...game,
        course: `${turn === 0 ? a : b}`,
      }))
    }).flat()
    expect(sprt(games, 0, WIDE)).toMatchObject({ decision: 'H1', distinct: 3 })
    expect(sprt(games, 1, WIDE)).toMatchObject({ decision: 'H0', distinct: 3 })
  })

  it('decides nothing on a handful of games', () => {
    expect(sprt([], 0, WIDE)).toMatchObject({ decision: 'undecided', llr: 0 })
    for (const score of [0, 2, 4])
      expect(sprt(scored([score, score, score, score]), 0, WIDE).decision).toBe('undecided')
    expect(() => sprt([], 0, { elo0: 5, elo1: 5 })).toThrow(RangeError)
  })

  it('accepts the hypothesis with the stronger evidence, where it reaches 1/α or 1/β', () => {
    const won = sprt(scored(Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? 2 : 4))), 0, WIDE)
    expect(won).toMatchObject({ decision: 'H1', llr: won.above, upper: Math.log(20), lower: -Math.log(20) })
    expect(won.llr).toBeGreaterThan(won.upper)
    const even = sprt(scored(Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 1 : 3))), 0, WIDE)
    expect(even).toMatchObject({ decision: 'H0', llr: -even.below })
    const strict = { ...WIDE, alpha: 1e-9, beta: 1e-9 }
    expect(sprt(scored([4, 4, 4, 4, 4, 4, 4, 4, 4]), 0, strict).decision).toBe('undecided')
  })

  it('errs as rarely as was asked, where it is shortest to err: pairs whose law is skewed', () => {
    const luck = stream('sprt')
    let wrong = 0
    for (let run = 0; run < 150; run++) {
      // A score of ¾ two times of three, else 0: on average ½.
      const halves: number[] = []
      for (;;) {
        halves.push(luck.below(3) < 2 ? 3 : 0)
        const { decision } = sprt(scored(halves), 0, { elo0: 0, elo1: 150 })
        if (decision === 'undecided') continue
        if (decision === 'H1') wrong++
        break
      }
    }
    // At most 5 %; two standard errors of 150 runs are 3.6 %.
    expect(wrong / 150).toBeLessThan(0.086)
  })
})

describe('what a difference takes', () => {
  it('normalized Elo: standard deviations of a game, times 800/ln 10', () => {
    // 60 of 100 pairs are won by 2, 40 lost: mean 0.6, a pair's deviation √0.24 (·100/99), a game's √2 times.
    expect(normalizedElo([40, 0, 0, 0, 60])).toBeCloseTo((347.4356 * 0.1) / Math.sqrt((2 * 0.24 * 100) / 99), 3)
    expect(normalizedElo([0, 0, 9, 0, 0])).toBeUndefined()
    expect(normalizedElo([0, 0, 0, 0, 1])).toBeUndefined()
  })

  it('expected matches: fewer the further apart, near what simulated duels take', () => {
    expect(expectedMatches({ elo0: 0, elo1: 20 })).toBeGreaterThan(5 * expectedMatches(WIDE))
    const luck = stream('length')
    let matches = 0
    for (let run = 0; run < 30; run++) {
      const halves: number[] = []
      do halves.push(2 * luck.below(2) + 2 * luck.below(2))
      while (sprt(scored(halves), 0, { elo0: 0, elo1: 100 }).decision === 'undecided')
      matches += 2 * halves.length
    }
    expect(matches / 30 / expectedMatches({ elo0: 0, elo1: 100 })).toBeGreaterThan(0.6)
    expect(matches / 30 / expectedMatches({ elo0: 0, elo1: 100 })).toBeLessThan(1.5)
  })
})

it('the Elo of a duel is that of the mean score, with an interval that evidence of 40 bounds', () => {
  const pairs = (won: number, lost: number): DuelGame[] =>
    Array.from({ length: won + lost }, (_, i) => (i < won ? [1, 2] : [2, 1])).flatMap((place, i) =>
      [0, 1].map((turn) => ({
        entrants: turn === 0 ? [0, 1] : [1, 0],
        place: turn === 0 ? place : [...place].reverse(),
        block: String(i),
        course: `${i} ${turn}`,
      })),
    )
  // 300 of 400 pairs: 400·log10 3 = 190.8.
  const { rating, low, high } = duelElo(pairs(300, 100), 0)
  expect(Math.abs(rating - 190.8)).toBeLessThan(1)
  expect([low > 100, high < 300]).toEqual([true, true])
  expect(duelElo(pairs(9, 0), 0)).toMatchObject({ high: Infinity })
  // Of ten won pairs, with a mean of 1/2, a gambler has less than 2¹⁰.
  expect(duelElo(pairs(10, 0), 0).low).toBeGreaterThan(0)
  expect(duelElo(pairs(2, 0), 0).low).toBeLessThan(0)
})
