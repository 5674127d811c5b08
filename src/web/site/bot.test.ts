import { describe, expect, it } from 'vitest'
import { figure, pointsText } from '../format.js'
import { rivals } from './bot.js'

const against = (name: string, ahead: number, level: number, behind: number) => ({ name, ahead, level, behind })

describe('rivals', () => {
  it('are a prey that it beats and a nemesis that beats it', () => {
    const { sorted, prey, nemesis } = rivals([
      against('Ant', 1, 0, 3),
      against('Bee', 2, 2, 0),
      against('Cat', 1, 2, 1),
    ])
    expect(sorted.map(({ name }) => name)).toEqual(['Bee', 'Cat', 'Ant'])
    expect([prey?.name, nemesis?.name]).toEqual(['Bee', 'Ant'])
  })

  it('are none among those that are its equals; who loses to all has no prey, who beats all no nemesis', () => {
    const lost = rivals([against('Ant', 0, 0, 2), against('Bee', 0, 1, 2)])
    expect([lost.prey, lost.nemesis?.name]).toEqual([undefined, 'Ant'])
    const won = rivals([against('Ant', 2, 0, 0), against('Bee', 2, 1, 0)])
    expect([won.prey?.name, won.nemesis]).toEqual(['Ant', undefined])
    const level = rivals([against('Ant', 1, 0, 1), against('Bee', 0, 0, 0)])
    expect([level.prey, level.nemesis]).toEqual([undefined, undefined])
    expect(rivals([])).toEqual({ sorted: [] })
  })
})

describe('what a match is worth', () => {
  const points = { win: 1, draw: 0.5, loss: 0, ties: [] }
  it.each([
    [{}, '1 a win, 0.5 a draw, 0 a loss'],
    [{ by: 'wins' }, '1 a win, 0.5 a draw, 0 a loss'],
    [{ by: 'score' }, 'mean of the game’s scores'],
    [{ by: 'score', of: 'total', per: 'turn' }, 'sum of the game’s scores a turn'],
  ] as const)('by %j is %s', (more, text) => expect(pointsText({ ...points, ...more })).toBe(text))
})

describe('a number', () => {
  it('is shown with a real minus, and as 0 where nothing is left of it', () => {
    expect([-1234.567, -0.004, -0, 0.005].map((n) => figure(n))).toEqual(['−1,234.57', '0', '0', '0.01'])
  })
})
