import { describe, expect, it } from 'vitest'
import { normalCdf, quantileFor } from './normal.js'

describe('the normal distribution', () => {
  it.each([
    [0, 0.5],
    [1, 0.841344746],
    [1.959963985, 0.975],
    [2.9999, 0.998649658],
    [3.0001, 0.998650545],
    [6, 0.999999999],
  ])('Φ(%d) = %d, and mirrored', (z, p) => {
    expect(normalCdf(z)).toBeCloseTo(p, 8)
    expect(normalCdf(-z)).toBeCloseTo(1 - p, 8)
  })

  it('keeps its digits far out', () => {
    expect(normalCdf(-8) / 6.22096057e-16).toBeCloseTo(1, 6)
    expect(normalCdf(-40)).toBe(0)
  })

  it('knows the ends of an interval', () => {
    expect(quantileFor(0.95)).toBeCloseTo(1.959964, 6)
    expect(quantileFor(0.99)).toBeCloseTo(2.575829, 6)
    expect(() => quantileFor(1)).toThrow(RangeError)
  })
})
