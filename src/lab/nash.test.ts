import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nashAverage, type Payoffs } from './index.js'

/** Payoffs from the upper triangle of scores, row by row. */
const scores = (n: number, upper: readonly number[]): number[][] => {
  const of = (i: number, j: number): number => upper[i * n - (i * (i + 1)) / 2 + j - i - 1] ?? 0.5
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_unused, j) => (i < j ? of(i, j) : i > j ? 1 - of(j, i) : 0.5)),
  )
}
const close = (payoffs: Payoffs, expected: readonly number[], digits = 6): void => {
  nashAverage(payoffs).weights.forEach((w, i) => expect(w).toBeCloseTo(expected[i] ?? 0, digits))
}
const RPS = scores(3, [0, 1, 0])

describe('Nash averaging of greatest entropy', () => {
  it('gives rock, paper and scissors a third each', () => close(RPS, [1 / 3, 1 / 3, 1 / 3]))

  it('lets clones share: rock twice is a sixth each', () => {
    // rock, rock, paper, scissors
    close(scores(4, [0.5, 0, 1, 0, 1, 0]), [1 / 6, 1 / 6, 1 / 3, 1 / 3])
  })

  it('gives all to the entrant that beats everyone, however narrowly', () => {
    close(scores(3, [0.51, 0.51, 1]), [1, 0, 0])
    close(scores(4, [1, 1, 1, 0, 1, 0]), [1, 0, 0, 0])
  })

  it('spreads evenly over equals', () => close(scores(5, []), [0.2, 0.2, 0.2, 0.2, 0.2]))

  it('finds the mixture of a lopsided rock, paper, scissors: each as often as the other two decide', () => {
    // Payoffs a, b, c of paper over rock, scissors over paper, rock over scissors: p is (b, c, a) over the sum.
    const [a, b, c] = [0.1, 0.2, 0.4]
    close(scores(3, [0.5 - a, 0.5 + c, 0.5 - b]), [b / 0.7, c / 0.7, a / 0.7])
  })

  it('gives nothing to a fourth who loses to two of a cycle, and leaves the cycle as it is', () => {
    close(scores(4, [0, 1, 1, 0, 1, 0.4]), [1 / 3, 1 / 3, 1 / 3, 0])
  })

  const matrix = fc.integer({ min: 1, max: 7 }).chain((n) =>
    // Quarters give ties, clones and several equilibria.
    fc.array(fc.constantFrom(0, 0.25, 0.5, 0.75, 1), { minLength: 21, maxLength: 21 }).map((upper) => scores(n, upper)),
  )

  it('is an equilibrium: a distribution against which no entrant gains, and its members come out even', () => {
    fc.assert(
      fc.property(matrix, (payoffs) => {
        const { weights, against } = nashAverage(payoffs)
        expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
        weights.forEach((w, i) => {
          expect(w).toBeGreaterThanOrEqual(0)
          expect(against[i]).toBeLessThan(1e-6)
          if (w > 1e-3) expect(against[i]).toBeGreaterThan(-1e-5)
        })
      }),
      { numRuns: 80 },
    )
  })

  it('gives a clone half of what it doubles, and all others what they had', () => {
    fc.assert(
      fc.property(matrix, fc.nat(), (payoffs, k) => {
        const twin = k % payoffs.length
        const rows = [...payoffs, payoffs[twin] ?? []]
        const doubled = rows.map((row) => [...row, row[twin] ?? 0.5])
        const before = nashAverage(payoffs).weights
        const after = nashAverage(doubled).weights
        expect(after[twin]).toBeCloseTo(after[payoffs.length] ?? -1, 5)
        // With a unique support the total stays; a clone may gain its side entropy where equilibria are several.
        const total = (after[twin] ?? 0) + (after[payoffs.length] ?? 0)
        expect(total).toBeGreaterThan((before[twin] ?? 0) - 1e-4)
      }),
      { numRuns: 50 },
    )
  })

  it('is the same with whichever candidates it begins', () => {
    fc.assert(
      fc.property(matrix, fc.uniqueArray(fc.nat(6), { minLength: 1 }), (payoffs, first) => {
        const candidates = first.map((k) => k % payoffs.length)
        const { weights } = nashAverage(payoffs, candidates)
        nashAverage(payoffs).weights.forEach((w, i) => expect(weights[i]).toBeCloseTo(w, 4))
      }),
      { numRuns: 80 },
    )
  })

  it('finds the entrants that are even with the best among many, and no others', () => {
    // The first three of two hundred are rock, paper and scissors and beat all others; 7 is rock again.
    const kind = (i: number): number => (i < 3 ? i : i === 7 ? 0 : 3)
    const payoffs = Array.from({ length: 200 }, (_, i) =>
      Array.from({ length: 200 }, (_unused, j) => {
        const [a, b] = [kind(i), kind(j)]
        return a < 3 && b < 3 ? (RPS[a]?.[b] ?? 0.5) : a < b ? 1 : a > b ? 0 : 0.5
      }),
    )
    const expected = payoffs.map((_, i) => (i === 0 || i === 7 ? 1 / 6 : i < 3 ? 1 / 3 : 0))
    close(payoffs, expected)
  })

  it('does not mind the order of the entrants, and manages forty of them', () => {
    const upper = Array.from({ length: 780 }, (_, i) => ((i * 7919) % 1009) / 1009)
    const payoffs = scores(40, upper)
    const { weights, against } = nashAverage(payoffs)
    expect(Math.max(...against)).toBeLessThan(1e-6)
    const back = nashAverage(payoffs.map((row) => [...row].reverse()).reverse()).weights
    weights.forEach((w, i) => expect(back[39 - i]).toBeCloseTo(w, 5))
  })
})
