import { expect, it } from 'vitest'
import type { RatedGame } from '../../stats/index.js'
import { cyclesOf } from './first-places.js'

const NAMES = ['Rock', 'Paper', 'Shears']

/** The first of two wins all of ten games, in either order of seats. */
const meeting = (a: number, b: number): RatedGame[] =>
  Array.from({ length: 10 }, (_, n) => ({
    entrants: n % 2 === 0 ? [a, b] : [b, a],
    place: n % 2 === 0 ? [1, 2] : [2, 1],
  }))

it('a cycle is one where strengths do not explain the field, and none where chance may have made it', () => {
  const games = [...meeting(0, 2), ...meeting(2, 1), ...meeting(1, 0)]
  const explained = { explained: 1, chiSquare: 0, df: 1, p: 0.9, pairs: [] }
  expect(cyclesOf(NAMES, games, explained)).toEqual([])
  expect(cyclesOf(NAMES, games, { ...explained, p: 0.001 })).toEqual([
    { members: ['Rock', 'Shears', 'Paper'], confidence: expect.closeTo(1, 2) as number },
  ])
})
