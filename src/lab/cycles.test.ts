import { describe, expect, it } from 'vitest'
import { betaCdf } from '../core/beta.js'
import { beats, cycles } from './index.js'

/** Meetings of a field from lines [winner, loser, how often]. */
const meetings = (field: number, lines: readonly (readonly [number, number, number])[]) => {
  const wins = new Float64Array(field * field)
  for (const [a, b, n] of lines) wins[a * field + b] = n
  return { field, wins, draws: new Float64Array(field * field) }
}

describe('the incomplete beta function', () => {
  it.each([
    // I_x(1, b) = 1 − (1 − x)^b; I_x(a, 1) = x^a; symmetric at ½; I_½(½, 3½) from its closed form.
    [0.3, 1, 5, 1 - 0.7 ** 5],
    [0.3, 5, 1, 0.3 ** 5],
    [0.5, 7.5, 7.5, 0.5],
    [0.25, 0.5, 0.5, 1 / 3],
    [0.5, 2, 3, 11 / 16],
  ])('I_%d(%d, %d) = %d', (x, a, b, value) => {
    expect(betaCdf(x, a, b)).toBeCloseTo(value, 10)
    expect(betaCdf(1 - x, b, a)).toBeCloseTo(1 - value, 10)
  })

  it('stands large counts', () => {
    // 51,000 of 100,000 is 6.3 standard errors off.
    expect(betaCdf(0.5, 51_000, 49_000) / 1.27e-10).toBeCloseTo(1, 1)
  })
})

describe('who beats whom', () => {
  it('is as sure as the games make it', () => {
    const record = meetings(3, [
      [0, 1, 1],
      [1, 2, 30],
      [2, 1, 10],
    ])
    // One win on top of a virtual draw: P(Beta(1.5, 0.5) > ½) = ½ + 1/π.
    expect(beats(record, 0, 1)).toBeCloseTo(0.5 + 1 / Math.PI, 9)
    expect(beats(record, 1, 0)).toBeCloseTo(0.5 - 1 / Math.PI, 9)
    expect(beats(record, 1, 2)).toBeGreaterThan(0.999)
    expect(beats(record, 0, 2)).toBeCloseTo(0.5, 12)
  })
})

describe('cycles', () => {
  it('are found either way round, the surest first, with the product of their confidences less what their number allows for', () => {
    const record = meetings(4, [
      [2, 1, 20],
      [1, 0, 20],
      [0, 2, 20],
      [0, 3, 9],
      [3, 1, 9],
      [1, 3, 1],
      [2, 3, 20],
    ])
    const found = cycles(record)
    expect(found.map(({ members }) => members)).toEqual([
      [0, 2, 1],
      [0, 3, 1],
    ])
    // Four entrants have eight cycles of three, counted either way round.
    const product = beats(record, 0, 3) * beats(record, 3, 1) * beats(record, 1, 0)
    expect(found[1]?.confidence).toBeCloseTo(1 - 8 * (1 - product), 12)
    expect(cycles(record, { least: 0.99 }).length).toBe(1)
  })

  it('are none in an order', () => {
    const lines = [0, 1, 2, 3, 4].flatMap((i) => [0, 1, 2, 3, 4].filter((j) => j > i).map((j) => [i, j, 5] as const))
    expect(cycles(meetings(5, lines))).toEqual([])
    expect(cycles(meetings(3, []))).toEqual([])
  })
})
