import { describe, expect, it } from 'vitest'
import { type Means, comparisonsOf, meansOf, probabilityAbove, scoredCompanies } from '../stats/index.js'
import { betaCdf } from '../stats/student.js'
import { cycles } from './index.js'

/** A field by lines [winner, loser, how often]. */
const meansIn = (field: number, lines: readonly (readonly [number, number, number])[]): Means => {
  const games = lines.flatMap(([a, b, n]) => Array.from({ length: n }, () => ({ entrants: [a, b], place: [1, 2] })))
  return meansOf(scoredCompanies(comparisonsOf(games)), field, { coin: 0.25 })
}

describe('the incomplete beta function', () => {
  it.each([
    // I_x(1, b) = 1 − (1 − x)^b; I_x(a, 1) = x^a; symmetric at ½; I_½(½, 3½) in closed form.
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

describe('cycles', () => {
  it('are found either way round, the surest first, with the product of their confidences less what their number allows for', () => {
    const means = meansIn(4, [
      [2, 1, 20],
      [1, 0, 20],
      [0, 2, 20],
      [0, 3, 9],
      [3, 1, 9],
      [1, 3, 1],
      [2, 3, 20],
    ])
    const found = cycles(means)
    expect(found.map(({ members }) => members)).toEqual([
      [0, 2, 1],
      [0, 3, 1],
    ])
    const beats = (a: number, b: number): number => {
      const between = means.between(a, b)
      return (between && probabilityAbove(between)) ?? 0
    }
    // Four entrants have eight cycles of three, both ways round.
    const product = beats(0, 3) * beats(3, 1) * beats(1, 0)
    expect(found[1]?.confidence).toBeCloseTo(1 - 8 * (1 - product), 12)
    expect(cycles(means, { least: (found[1]?.confidence ?? 0) + 1e-9 }).length).toBe(1)
  })

  it('are none in an order', () => {
    const lines = [0, 1, 2, 3, 4].flatMap((i) => [0, 1, 2, 3, 4].filter((j) => j > i).map((j) => [i, j, 5] as const))
    expect(cycles(meansIn(5, lines))).toEqual([])
    expect(cycles(meansIn(3, []))).toEqual([])
  })
})
