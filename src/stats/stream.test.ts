import { describe, expect, it } from 'vitest'
import { stream } from './stream.js'

const draw = (n: number, ...parts: (string | number)[]): number[] => {
  const { uniform } = stream(...parts)
  return Array.from({ length: n }, uniform)
}

describe('a stream of random numbers', () => {
  it('is the same for the same texts, and another for others', () => {
    expect(draw(5, 'a', 1)).toEqual(draw(5, 'a', 1))
    expect(draw(5, 'a', 1)).not.toEqual(draw(5, 'a', 2))
    expect(draw(5, 'a1')).not.toEqual(draw(5, 'a', 1))
  })

  it('is uniform: mean ½ and variance 1/12, each within 5 standard errors', () => {
    const numbers = draw(20_000, 'uniform')
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
    const mean = numbers.reduce((a, b) => a + b, 0) / numbers.length
    expect(Math.abs(mean - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / numbers.length))
    const variance = numbers.reduce((a, b) => a + (b - mean) ** 2, 0) / numbers.length
    expect(Math.abs(variance - 1 / 12)).toBeLessThan(5 * Math.sqrt(1 / 180 / numbers.length))
  })

  it('draws whole numbers below n, all of them', () => {
    const { below } = stream('dice')
    expect(new Set(Array.from({ length: 500 }, () => below(6)))).toEqual(new Set([0, 1, 2, 3, 4, 5]))
  })
})
