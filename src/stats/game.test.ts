import { describe, expect, it } from 'vitest'
import type { Result } from '../core/index.js'
import { distinctGames, fieldOf, gamesOf } from './index.js'

const result = (key: string, seats: readonly number[], place: readonly number[]): Result => ({
  key,
  seats,
  outcome: { place, reason: 'test' },
})

describe('the games of a tournament', () => {
  it('are blocks of the same entrants and the same luck, in whatever seats', () => {
    const games = gamesOf(
      [result('a/1', [2, 0], [1, 2]), result('a/2', [0, 2], [1, 1]), result('b/1', [0, 1], [2, 1])],
      { deal: () => 4 },
    )
    expect(games.map(({ block }) => block)).toEqual(['0-2/4', '0-2/4', '0-1/4'])
  })

  it('count once where the same seats always played the same course', () => {
    const courses = ['x', 'x', 'x', 'x', 'y', 'x']
    const seats = [0, 0, 0, 1, 1, 1].map((first) => [first, 1 - first])
    const games = gamesOf(
      seats.map((pair, i) => result(String(i), pair, [1, 2])),
      { course: ({ key }) => courses[Number(key)] },
    )
    // One seating is fixed; in the other there is chance, though a course came up twice.
    expect(games.map(({ weight = 1 }) => weight)).toEqual([1 / 3, 1 / 3, 1 / 3, 1, 1, 1])
    expect(games.map(({ again = false }) => again)).toEqual([false, true, true, false, false, true])
    expect(distinctGames(games)).toBe(3)
  })

  it('repeat nothing that is not known', () => {
    const results = [result('1', [0, 1], [1, 2]), result('2', [0, 1], [1, 2])]
    expect(distinctGames(gamesOf(results))).toBe(2)
    expect(distinctGames(gamesOf(results, { course: () => undefined }))).toBe(2)
  })

  it('can be given by names', () => {
    const { names, games } = fieldOf([
      { names: ['Ant', 'Bee'], place: [1, 2] },
      { names: ['Cat', 'Ant'], place: [1, 1] },
    ])
    expect(names).toEqual(['Ant', 'Bee', 'Cat'])
    expect(games[1]).toEqual({ entrants: [2, 0], place: [1, 1] })
  })
})
