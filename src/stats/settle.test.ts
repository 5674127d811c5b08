import { describe, expect, it } from 'vitest'
import { byElo, settling } from '../../test/kit/settling.js'
import { compared } from './evidence.js'
import { evidenceOf, type RatedGame, settle, worthPlaying } from './index.js'

const WORTH = { win: 1, draw: 0.5, loss: 0 }
const beats = (a: number, b: number, n: number, weight = 1): RatedGame[] =>
  Array.from({ length: n }, () => ({ entrants: [a, b], place: [1, 2], weight: weight < 1 ? weight : undefined }))
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
]
const evidence = (games: readonly RatedGame[]) => evidenceOf(PAIRS, games, 3, WORTH)
const clear = [...beats(0, 1, 40), ...beats(0, 2, 40), ...beats(1, 2, 40)]

describe('evidence', () => {
  it('knows points block by block, and their mean', () => {
    const { companies, among } = evidence([...beats(0, 1, 3), ...beats(1, 0, 1)])
    expect(among.map((of) => of.size)).toEqual([2, 2, 2])
    expect(companies[0]).toMatchObject({ members: [0, 1], played: 4, fixed: false, mean: [0.75, 0.25] })
    expect(companies[0]?.points).toEqual([
      [1, 1, 1, 0],
      [0, 0, 0, 1],
    ])
  })

  it('takes the games of a block for one, and knows who only repeat themselves', () => {
    const block = [
      { entrants: [0, 1], place: [1, 2], block: 'x' },
      { entrants: [1, 0], place: [1, 2], block: 'x' },
    ]
    expect(evidence(block).companies[0]).toMatchObject({ played: 1, fixed: false, mean: [0.5, 0.5] })
    expect(evidence(beats(0, 1, 50, 1 / 50)).companies[0]).toMatchObject({ played: 50, fixed: true })
  })

  it('compares two by laps: a block of each company of either, with the same others side by side', () => {
    // 0 scores 1 of 1, 1 and ½ of 2; 1 scores ½ of 2, so a lap is 2·1 − 1 = 1 and ½ − ½ = 0 (the second lap is not complete).
    const games: RatedGame[] = [
      ...beats(0, 1, 2),
      { entrants: [0, 2], place: [1, 1] },
      { entrants: [1, 2], place: [1, 1] },
    ]
    // (1 + f)·1 and (1 − f)·1 with E f = ½: 1½ and ½.
    const { above, below } = compared(evidence(games), 0, 1)
    expect([Math.exp(above), Math.exp(below)]).toEqual([expect.closeTo(1.5, 9), expect.closeTo(0.5, 9)])
    // Where all companies repeat one game each there is one lap.
    const fixed = [...beats(0, 1, 9, 1 / 9), ...beats(0, 2, 9, 1 / 9), ...beats(1, 2, 9, 1 / 9)]
    expect(Math.exp(compared(evidence(fixed), 0, 1).above)).toBeCloseTo(1.5, 9)
  })

  it('knows companies of more than two', () => {
    const game: RatedGame = { entrants: [2, 0, 1], place: [1, 2, 2] }
    expect(evidenceOf([[0, 1, 2]], [game], 3, WORTH).companies[0]?.mean).toEqual([0, 0, 1])
  })
})

describe('settling an order', () => {
  it('decides the places that are clear, from the first', () => {
    const whole = settle(evidence(clear), { top: 2 })
    expect(whole).toMatchObject({ settled: true, order: [0, 1, 2], decided: 2, open: [] })
    expect(whole.confidence).toBeGreaterThan(0.95)
    const half = [...beats(0, 1, 40), ...beats(0, 2, 40), ...beats(1, 2, 10), ...beats(2, 1, 10)]
    expect(settle(evidence(half), { top: 1 })).toMatchObject({ settled: true, decided: 1 })
    expect(settle(evidence(half), { top: 2 })).toMatchObject({ settled: false, decided: 1, open: [1, 2] })
  })

  it('decides nothing before everybody has met, nor on repetitions', () => {
    expect(settle(evidence([...beats(0, 1, 90), ...beats(0, 2, 90)]), { top: 1 })).toMatchObject({
      settled: false,
      confidence: 0,
    })
    const fixed = [...beats(0, 1, 500, 1 / 500), ...beats(0, 2, 500, 1 / 500), ...beats(1, 2, 500, 1 / 500)]
    expect(settle(evidence(fixed), { top: 1 }).settled).toBe(false)
  })

  it('asks for what has not met first, then for whom the open place hangs on', () => {
    const first = evidence(beats(0, 1, 1))
    expect(worthPlaying(first, settle(first, { top: 1 }), 5)).toEqual([1, 2])
    // The least played first; of these the pair of both who are in doubt.
    const games = [...beats(0, 1, 6), ...beats(0, 2, 7), ...beats(1, 2, 6)]
    expect(worthPlaying(evidence(games), { open: [0, 1] }, 4)).toEqual([0, 2, 0, 1])
    expect(worthPlaying(evidence(games), { open: [] }, 3)).toEqual([])
  })

  it('does not decide on a handful: five wins of five come up among equals in 6.25 %, and eight in 0.8 %', () => {
    const two = (n: number) => settle(evidenceOf([[0, 1]], beats(0, 1, n), 2, WORTH), { top: 1 })
    expect(two(5)).toMatchObject({ settled: false })
    expect(two(5).confidence).toBeLessThan(0.9375)
    expect(two(8).settled).toBe(true)
  })

  // Looked at every few blocks, as long as the budget lasts: whatever is called settled among equals is wrong.
  it.each([
    { what: 'two equals', field: 2, runs: 300, budget: 60, wins: () => 0.5 },
    { what: 'four equals', field: 4, runs: 80, budget: 30, wins: () => 0.5 },
    {
      what: 'a cycle of three',
      field: 3,
      runs: 100,
      budget: 30,
      wins: (a: number, b: number) => ((b - a + 3) % 3 === 1 ? 0.9 : 0.1),
    },
    {
      what: 'two equals at the top',
      field: 4,
      runs: 80,
      budget: 40,
      wins: (a: number, b: number) => (a < 2 && b > 1 ? 0.9 : 0.5),
    },
  ])('errs in less than 5 % of $runs tournaments among $what', ({ what, field, runs, budget, wins }) => {
    let wrong = 0
    for (let n = 0; n < runs; n++) {
      const { settled } = settling({
        field,
        wins,
        top: 1,
        budget,
        batch: field - 1,
        seed: `${what} ${n}`,
        chosen: true,
      })
      if (settled) wrong++
    }
    expect(wrong / runs).toBeLessThan(0.05)
  })

  it('finds the best, and with a third fewer matches than a round robin that stops by the same rule', () => {
    const elo = [160, 90, 60, 20, -20, -60, -100, -150]
    const play = (seed: string, chosen: boolean): number => {
      const { settled, order, blocks } = settling({
        field: 8,
        wins: byElo(elo),
        top: 1,
        budget: 200,
        batch: 8,
        seed,
        chosen,
      })
      expect([settled, order[0]]).toEqual([true, 0])
      return blocks
    }
    let saved = 0
    let plain = 0
    for (let n = 0; n < 6; n++) {
      const whole = play(`saved ${n}`, false)
      plain += whole
      saved += whole - play(`saved ${n}`, true)
    }
    expect(saved / plain).toBeGreaterThan(1 / 3)
  })
})
