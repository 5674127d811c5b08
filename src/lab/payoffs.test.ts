import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scoredCompanies } from '../stats/index.js'
import { lastStandingRounds, payoffsOf } from './index.js'

const game = (entrants: readonly number[], scores: readonly number[], block: string) => ({ entrants, scores, block })

it('payoffs: of whom it met, of itself where it did, else what two equals would share', () => {
  const companies = scoredCompanies([game([0, 1], [4, 2], 'a'), game([1], [7], 'b'), game([1, 2], [0, 6], 'c')])
  const matrix = payoffsOf(companies, 3)(companies.map(({ mean }) => Float64Array.from(mean)))
  // Ant: of itself (4 + 2) / 2; of Cat, unmet, its mean of others. Cat: of itself (6 + 0) / 2.
  expect(matrix).toEqual([
    [3, 4, 4],
    [2, 7, 0],
    [6, 6, 3],
  ])
})

describe('last standing on a matrix', () => {
  it('lets the weakest of those still in leave, which may be another than the weakest of all', () => {
    // 3 loses to all; 2 lives on wins over 3 and falls next, although 1 has no more in all.
    const scores = [
      [0.5, 0.6, 0.7, 1],
      [0.4, 0.5, 0.9, 0.6],
      [0.3, 0.1, 0.5, 1],
      [0, 0.4, 0, 0.5],
    ]
    expect(lastStandingRounds(scores)).toEqual([4, 3, 2, 1])
  })

  it('lets all leave together who are level in everything, and keeps joint winners', () => {
    expect(
      lastStandingRounds([
        [0.5, 0.5, 1],
        [0.5, 0.5, 1],
        [0, 0, 0.5],
      ]),
    ).toEqual([2, 2, 1])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), (n) => {
        const level = Array.from({ length: n }, () => Array.from({ length: n }, () => 0.5))
        expect(lastStandingRounds(level)).toEqual(Array.from({ length: n }, () => 1))
      }),
    )
  })
})
