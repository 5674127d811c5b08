import { describe, expect, it } from 'vitest'
import { byElo, settling } from '../../test/kit/settling.js'
import { evidenceOf, type Game, settle, worthPlaying } from './index.js'

const WORTH = { win: 1, draw: 0.5, loss: 0 }
const beats = (a: number, b: number, n: number, weight = 1): Game[] =>
  Array.from({ length: n }, () => ({ entrants: [a, b], place: [1, 2], ...(weight < 1 && { weight }) }))
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
]
const evidence = (games: readonly Game[]) => evidenceOf(PAIRS, games, 3, WORTH)
const clear = [...beats(0, 1, 40), ...beats(0, 2, 40), ...beats(1, 2, 40)]

describe('evidence', () => {
  it('knows mean points and their covariance, with one virtual lottery', () => {
    const { companies, degree } = evidence([...beats(0, 1, 3), ...beats(1, 0, 1)])
    expect(degree).toEqual([2, 2, 2])
    expect(companies[0]).toMatchObject({ members: [0, 1], played: 4, distinct: 4, mean: [0.75, 0.25] })
    // (¼ + 3 · 1/16 + 9/16) / 5, and the two points of a game sum to 1.
    expect(companies[0]?.covariance[0]).toBeCloseTo(0.2, 12)
    expect(companies[0]?.covariance[1]).toBeCloseTo(-0.2, 12)
  })

  it('takes the games of a block for one, and repetitions for what they bring', () => {
    const block = [
      { entrants: [0, 1], place: [1, 2], block: 'x' },
      { entrants: [1, 0], place: [1, 2], block: 'x' },
    ]
    expect(evidence(block).companies[0]).toMatchObject({ played: 1, distinct: 1, mean: [0.5, 0.5] })
    const repeated = evidence(beats(0, 1, 50, 1 / 50)).companies[0]
    expect(repeated?.played).toBe(50)
    expect(repeated?.distinct).toBeCloseTo(1, 9)
  })

  it('knows companies of more than two', () => {
    const game: Game = { entrants: [2, 0, 1], place: [1, 2, 2] }
    expect(evidenceOf([[0, 1, 2]], [game], 3, WORTH).companies[0]?.mean).toEqual([0, 0, 1])
  })
})

describe('settling an order', () => {
  it('decides the places that are clear, from the first', () => {
    const whole = settle(evidence(clear), { top: 2 })
    expect(whole).toMatchObject({ settled: true, order: [0, 1, 2], decided: 2, open: [] })
    expect(whole.confidence).toBeGreaterThan(0.95)
    const half = [...beats(0, 1, 40), ...beats(0, 2, 40), ...beats(1, 2, 2), ...beats(2, 1, 2)]
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

  it('asks for what has not met first, then for what the open place hangs on', () => {
    const first = evidence(beats(0, 1, 1))
    expect(worthPlaying(first, settle(first, { top: 1 }), 5)).toEqual([1, 2])
    // 0 and 1 are close, 2 is beaten: their own meeting counts double and is the least sure.
    const close = evidence([...beats(0, 1, 6), ...beats(1, 0, 4), ...beats(0, 2, 10), ...beats(1, 2, 10)])
    const now = settle(close, { top: 1 })
    expect(now.open).toContain(1)
    expect(worthPlaying(close, now, 3)).toEqual([0, 0, 0])
    expect(worthPlaying(close, { open: [] }, 3)).toEqual([])
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
    for (let n = 0; n < 20; n++) {
      const whole = play(`saved ${n}`, false)
      plain += whole
      saved += whole - play(`saved ${n}`, true)
    }
    expect(saved / plain).toBeGreaterThan(1 / 3)
  })
})
