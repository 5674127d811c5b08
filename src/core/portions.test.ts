import { expect, it } from 'vitest'
import { portions, weighed } from './index.js'

it('portions have so many items, and the last one the rest', () => {
  expect([...portions([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]])
  expect([...portions([], 2)]).toEqual([])
})

it('items stand together while they weigh no more than the most, and a heavier one alone', () => {
  const weigh = (...weights: number[]) => [...weighed(weights, (weight) => weight, 10)]
  expect(weigh(4, 6, 1, 12, 3, 7, 1)).toEqual([[4, 6], [1], [12], [3, 7], [1]])
  expect(weigh()).toEqual([])
})
