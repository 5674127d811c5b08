import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cheapestPairs } from './matching.js'
import { pairUp } from './swiss-pairing.js'

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
        const pairs = cheapestPairs(n, { high: (i, j) => cost[i]?.[j] ?? 0, low: () => 0 })
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

  it('go by the first cost, then by the second, whatever their sums', () => {
    const two = fc.constantFrom(4, 6, 8).chain((n) =>
      fc.tuple(
        fc.array(fc.nat(2), { minLength: n * n, maxLength: n * n }).map((list) => symmetric(n, list)),
        fc.array(fc.nat(1e6), { minLength: n * n, maxLength: n * n }).map((list) => symmetric(n, list)),
        fc.nat(4),
      ),
    )
    fc.assert(
      fc.property(two, ([high, low, seen]) => {
        const n = high.length
        const items = Array.from({ length: n }, (_, i) => i)
        // Whichever are given as near, the pairs are the cheapest among all.
        const near = (i: number) => items.filter((j) => (i * j) % 5 <= seen)
        const pairs = cheapestPairs(n, {
          high: (i, j) => high[i]?.[j] ?? 0,
          low: (i, j) => low[i]?.[j] ?? 0,
          near,
        })
        const both = high.map((row, i) => row.map((value, j) => value * 1e8 + (low[i]?.[j] ?? 0)))
        expect(new Set(pairs).size).toBe(n)
        expect(costOf(both, pairs)).toBe(least(both, items))
      }),
      { numRuns: 200 },
    )
  })

  it('scale: two thousand who should sit beside their neighbours, and are given those only', () => {
    const n = 2000
    const cost = (i: number, j: number): number => (i >> 1 === j >> 1 ? 0 : 1 + ((i * j) % 97))
    const near = (i: number): number[] => [i - 2, i - 1, i + 1, i + 2].filter((j) => j >= 0 && j < n)
    const pairs = cheapestPairs(n, { high: () => 0, low: cost, near })
    expect(pairs).toEqual(Array.from({ length: n }, (_, i) => i ^ 1))
  })

  it('need an even number', () => {
    expect(cheapestPairs(0, { high: () => 0, low: () => 0 })).toEqual([])
    expect(() => cheapestPairs(3, { high: () => 0, low: () => 0 })).toThrow(RangeError)
  })
})

it('pairs a Swiss round in which a blossom has the number of one that another tree had', () => {
  const points = [2, 5.5, 2, 7, 2.5, 5, 6, 4.5, 6, 4, 3, 4, 4.5, 4, 3, 1]
  const met =
    '8,4,9,11 9,7,13,3 10,11,4,15 11,8,6,1 12,0,2,14 13,14,10,9 14,10,3,7 15,1,12,6 0,3,11,13 1,15,0,5 2,6,5,12'
  const more = '3,2,8,0 4,13,7,10 5,12,1,8 6,5,15,4 7,9,14,2'
  const players = `${met} ${more}`.split(' ').map((list, entrant) => ({
    entrant,
    seed: entrant,
    points: points[entrant] ?? 0,
    met: list.split(',').map(Number),
    byes: 0,
    first: 0,
  }))
  const { pairs } = pairUp(players, true)
  expect(pairs).toHaveLength(8)
  expect(pairs.every(([a, b]) => !players[a]?.met.includes(b))).toBe(true)
})
