import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cheapestPairs } from './matching.js'

/** The least cost by trying everything: the first with each other, and the rest in the same way. */
function least(cost: readonly (readonly number[])[], left: readonly number[]): number {
  const [first, ...others] = left
  if (first === undefined) return 0
  return Math.min(
    ...others.map(
      (other) =>
        (cost[first]?.[other] ?? 0) +
        least(
          cost,
          others.filter((x) => x !== other),
        ),
    ),
  )
}
const symmetric = (n: number, numbers: readonly number[]): number[][] =>
  Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_unused, j) => (i === j ? 0 : (numbers[Math.max(i, j) * n + Math.min(i, j)] ?? 0))),
  )
const costOf = (cost: readonly (readonly number[])[], pairs: readonly number[]): number =>
  pairs.reduce((sum, j, i) => sum + (i < j ? (cost[i]?.[j] ?? 0) : 0), 0)

describe('the cheapest pairs', () => {
  it('are pairs, and no others are cheaper', () => {
    const graph = fc.constantFrom(2, 4, 6, 8, 10).chain((n) =>
      fc
        // Few different costs make ties and blossoms.
        .constantFrom(2, 5, 1000)
        .chain((max) =>
          fc.array(fc.nat(max), { minLength: n * n, maxLength: n * n }).map((list) => symmetric(n, list)),
        ),
    )
    fc.assert(
      fc.property(graph, (cost) => {
        const n = cost.length
        const pairs = cheapestPairs(n, (i, j) => cost[i]?.[j] ?? 0)
        pairs.forEach((j, i) => {
          expect(j).not.toBe(i)
          expect(pairs[j]).toBe(i)
        })
        expect(costOf(cost, pairs)).toBe(
          least(
            cost,
            Array.from({ length: n }, (_, i) => i),
          ),
        )
      }),
      { numRuns: 150 },
    )
  })

  it('scale: a hundred and twenty who should sit beside their neighbours', () => {
    const pairs = cheapestPairs(120, (i, j) => (Math.floor(i / 2) === Math.floor(j / 2) ? 0 : 1 + ((i * j) % 97)))
    expect(pairs).toEqual(Array.from({ length: 120 }, (_, i) => i ^ 1))
  })

  it('need an even number', () => {
    expect(cheapestPairs(0, () => 0)).toEqual([])
    expect(() => cheapestPairs(3, () => 0)).toThrow(RangeError)
  })
})
