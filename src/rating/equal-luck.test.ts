import { describe, expect, it } from 'vitest'
import { stream } from '../core/stream.js'
import { varianceFactor } from './equal-luck.js'
import { equalLuck, type Game } from './index.js'

/** Pairs of games of two equals with the seats swapped: with `luck`, who has the better cards wins whoever it is. */
const pairs = (n: number, luck: boolean): Game[] => {
  const { uniform } = stream('equal luck', n)
  return Array.from({ length: n }, (_, i) => {
    const first = uniform() < 0.5
    const second = luck ? first : uniform() < 0.5
    const game = (entrants: readonly number[], won: boolean): Game => ({
      entrants,
      place: won ? [1, 2] : [2, 1],
      block: String(i),
    })
    return [game([0, 1], first), game([1, 0], second)]
  }).flat()
}

describe('equal luck', () => {
  it('saves all the variance where luck decides every game', () => {
    expect(equalLuck(pairs(200, true)).effect).toBeLessThan(0.02)
    expect(equalLuck(pairs(200, true)).blocks).toBe(200)
  })

  it('saves nothing where it decides none', () => {
    expect(Math.abs(equalLuck(pairs(1000, false)).effect - 1)).toBeLessThan(0.15)
  })

  it('narrows no interval on the word of a few blocks', () => {
    expect(varianceFactor(pairs(10, true))).toBe(1)
    expect(varianceFactor(pairs(40, true))).toBeLessThan(0.2)
  })

  it('is none where no luck was shared', () => {
    const alone = pairs(20, true).map(({ entrants, place }): Game => ({ entrants, place }))
    expect(equalLuck(alone)).toEqual({ effect: 1, blocks: 0 })
  })
})
