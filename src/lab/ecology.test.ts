import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ecology } from './index.js'

const RPS = [
  [0.5, 0, 1],
  [1, 0.5, 0],
  [0, 1, 0.5],
]

describe('an ecological run', () => {
  it('breeds one generation by hand', () => {
    // Fitness 0.5 · 0.75 + 1 · 0.25 and 0 · 0.75 + 0.5 · 0.25: 0.625 and 0.125, weighted 0.46875 and 0.03125.
    const [, next] = ecology(
      [
        [0.5, 1],
        [0, 0.5],
      ],
      { generations: 1, start: [0.75, 0.25] },
    )
    expect(next?.[0]).toBeCloseTo(0.9375, 12)
    expect(next?.[1]).toBeCloseTo(0.0625, 12)
  })

  it('doubles the odds of one that scores twice as much of everyone', () => {
    const course = ecology(
      [
        [1, 1],
        [0.5, 0.5],
      ],
      { generations: 10 },
    )
    course.forEach(([a = 0, b = 0], t) => expect(a / b / 2 ** t).toBeCloseTo(1, 9))
  })

  it('rests where rock, paper and scissors are even', () => {
    for (const x of ecology(RPS).at(-1) ?? []) expect(x).toBeCloseTo(1 / 3, 9)
  })

  it('lets a bot die out after the bots that it thrives on', () => {
    // c beats only b, and b loses to a: first b goes, then c.
    const shares = ecology([
      [0.5, 1, 0.6],
      [0, 0.5, 0],
      [0.4, 1, 0.5],
    ])
    expect(shares.at(-1)?.[0]).toBeGreaterThan(0.999)
    expect(shares.length).toBe(1001)
  })

  it('keeps the sum of shares at 1, and a share once lost lost', () => {
    const square = fc.array(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }), {
      minLength: 3,
      maxLength: 3,
    })
    fc.assert(
      fc.property(square, (payoffs) => {
        for (const shares of ecology(payoffs, { generations: 20, start: [0.5, 0.5, 0] })) {
          expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
          expect(shares[2]).toBe(0)
        }
      }),
    )
  })

  it('refuses payoffs below nothing', () => {
    expect(() =>
      ecology([
        [0, -1],
        [1, 0],
      ]),
    ).toThrow(RangeError)
  })
})
