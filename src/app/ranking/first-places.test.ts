import { expect, it } from 'vitest'
import type { RatedGame } from '../../rating/index.js'
import { cyclesOf } from './first-places.js'

const NAMES = ['Rock', 'Paper', 'Shears', 'Ant', 'Bee']

/** The first of two wins so many of ten games, in either order of seats; `fixed`: each would go the same again. */
const meeting = (a: number, b: number, won: number, fixed = false): RatedGame[] =>
  Array.from({ length: 10 }, (_, n) => ({
    entrants: n % 2 === 0 ? [a, b] : [b, a],
    place: n < won === (n % 2 === 0) ? [1, 2] : [2, 1],
    fixed: fixed ? (true as const) : undefined,
  }))

it('a cycle of results that are certain is one however few they are; one that chance may have made is none', () => {
  const games = (fixed: boolean): RatedGame[] => [
    ...meeting(0, 2, 10, fixed),
    ...meeting(2, 1, 10, fixed),
    ...meeting(1, 0, 10, fixed),
  ]
  const explained = { explained: 1, chiSquare: 0, df: 1, p: 0.9, pairs: [] }
  expect(cyclesOf(NAMES.slice(0, 3), games(true), explained)).toEqual([
    { members: ['Rock', 'Shears', 'Paper'], confidence: expect.closeTo(1, 3) as number },
  ])
  expect(cyclesOf(NAMES.slice(0, 3), games(false), explained)).toEqual([])
})

it('where strengths explain the field, results that are certain do not let in a cycle of others that are not', () => {
  const uncertain = [...meeting(0, 2, 10), ...meeting(2, 1, 10), ...meeting(1, 0, 10)]
  const explained = { explained: 1, chiSquare: 0, df: 1, p: 0.9, pairs: [] }
  expect(cyclesOf(NAMES, [...uncertain, ...meeting(3, 4, 10, true)], explained)).toEqual([])
  expect(cyclesOf(NAMES, uncertain, { ...explained, p: 0.001 })).toHaveLength(1)
})
