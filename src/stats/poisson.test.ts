import { describe, expect, it } from 'vitest'
import { stream } from '../core/stream.js'
import { blockKinds } from './bootstrap.js'
import { poisson, poissonLimits, poissons } from './poisson.js'

describe('a Poisson number', () => {
  it.each([0.3, 1, 9.9, 10, 27, 400])('of mean %d has the law’s shares', (mean) => {
    const luck = stream('poisson', mean)
    const draws = 40_000
    const counts = new Map<number, number>()
    for (let i = 0; i < draws; i++) {
      const k = poisson(luck, mean)
      counts.set(k, (counts.get(k) ?? 0) + 1)
    }
    let probability = Math.exp(-mean)
    let chi = 0
    let classes = 0
    for (let k = 0; k < mean + 10 * Math.sqrt(mean) + 10; k++) {
      if (k > 0) probability *= mean / k
      const expected = probability * draws
      if (expected < 20) continue
      chi += ((counts.get(k) ?? 0) - expected) ** 2 / expected
      classes++
    }
    // χ² has its number of classes as mean and twice it as variance: five standard deviations.
    expect(classes).toBeGreaterThan(2)
    expect(chi).toBeLessThan(classes + 5 * Math.sqrt(2 * classes))
  })
})

describe('a Poisson number that is looked up', () => {
  const small = [0, 0.0025, 0.5, 1, 2, 9.99]
  it.each([
    ['small ones', small],
    ['any', [...small, 10, 0.3, 400]],
  ])('is the very one that is computed, of %s, one after another', (_, few) => {
    const means = Float64Array.from({ length: 5000 }, (_mean, i) => few[i % few.length] ?? 0)
    const [one, other] = [stream('looked up'), stream('looked up')]
    const limits = poissonLimits(means)
    const into = new Float32Array(means.length)
    for (let again = 0; again < 8; again++) {
      poissons(one, means, limits, into)
      expect(into).toEqual(Float32Array.from(means, (mean) => poisson(other, mean)))
    }
  })

  it('is not so of large means', () => {
    const { row, isWhole } = poissonLimits([1, 10, 400])
    expect([...row]).toEqual([0, -1, -1])
    expect(isWhole).toBe(false)
  })

  it('is so for a few means only', () => {
    const { row } = poissonLimits(Array.from({ length: 200 }, (_, i) => i / 100))
    expect(row.filter((at) => at >= 0)).toHaveLength(64)
  })
})

describe('kinds of blocks', () => {
  it('are as many as blocks that differ, whatever the order of the games in them', () => {
    const win = (a: number, b: number, block: string) => ({ entrants: [a, b], place: [1, 2], block })
    const swapped = (block: string) => [win(1, 0, block), win(0, 1, block)]
    const games = [win(0, 1, 'x'), win(1, 0, 'x'), ...swapped('y'), win(0, 1, 'z'), win(0, 1, 'z')]
    const kinds = blockKinds(games)
    expect([...kinds.blocks]).toEqual([2, 1])
    expect([...kinds.of]).toEqual([0, 0, 1, 1])
    expect(kinds.games).toHaveLength(4)
  })

  it('gives unequal weights', () => {
    const game = { entrants: [0, 1], place: [1, 2] }
    const kinds = blockKinds([game, { ...game, weight: 0.5 }, { ...game, weight: 0.5 }])
    expect([...kinds.blocks]).toEqual([1, 2])
    expect([...kinds.rate]).toEqual([1, 0.5])
  })
})
