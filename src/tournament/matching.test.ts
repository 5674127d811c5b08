import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cheapestPairs, type Edge } from './matching.js'
import { pairUp } from './swiss-pairing.js'

/** The least cost by trying everything: the first with each other, and the rest in the same way; Infinity if not all can be paired. */
function least(cost: ReadonlyMap<string, number>, left: readonly number[]): number {
  const [first, ...others] = left
  if (first === undefined) return 0
  const costs = others.map(
    (other) =>
      (cost.get(`${first} ${other}`) ?? Infinity) +
      least(
        cost,
        others.filter((x) => x !== other),
      ),
  )
  return Math.min(Infinity, ...costs)
}

describe('the cheapest pairs', () => {
  /** Graphs of which each edge is there or not. Few different costs make ties and blossoms. */
  const graphs = fc
    .tuple(fc.constantFrom(2, 4, 6, 8, 10), fc.constantFrom(2, 5, 1000), fc.constantFrom(1, 3))
    .chain(([n, most, dense]) =>
      fc
        .array(fc.record({ cost: fc.nat(most), drawn: fc.nat(dense) }), { minLength: n * n, maxLength: n * n })
        .map((list) => ({
          n,
          edges: list.flatMap(({ cost, drawn }, i): Edge[] => {
            const [one, other] = [Math.floor(i / n), i % n]
            return one < other && drawn > 0 ? [[one, other, cost]] : []
          }),
        })),
    )

  it('are pairs, and no others are cheaper', () => {
    fc.assert(
      fc.property(graphs, ({ n, edges }) => {
        const cost = new Map(edges.map(([one, other, value]) => [`${one} ${other}`, value]))
        const best = least(
          cost,
          Array.from({ length: n }, (_, i) => i),
        )
        const partner = cheapestPairs(n, edges)
        let sum = 0
        partner.forEach((j, i) => {
          if (j === -1) return
          expect(partner[j]).toBe(i)
          if (i < j) sum += cost.get(`${i} ${j}`) ?? NaN
        })
        if (partner.includes(-1)) expect(best).toBe(Infinity)
        else expect(sum).toBe(best)
      }),
      { numRuns: 1000 },
    )
  })
})
it('pairs a Swiss round whose pairs take blossoms within blossoms', () => {
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
