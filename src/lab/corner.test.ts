import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cornerOf } from './corner.js'

const MARGIN = 1e-6

/** An antisymmetric matrix of what is above its diagonal, row by row. */
function antisymmetric(n: number, upper: readonly number[]): Float64Array {
  const b = new Float64Array(n * n)
  let k = 0
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const x = upper[k++] ?? 0
      b[i * n + j] = x
      b[j * n + i] = -x
    }
  }
  return b
}

describe('a corner of the equilibria', () => {
  it('is the only equilibrium of rock, paper and scissors of unlike worth, exactly', () => {
    // Paper over rock 3, scissors over rock −1, scissors over paper 2: of p the shares are 2, 1, 3 of 6.
    const corner = cornerOf(antisymmetric(3, [-3, 1, -2]), 3, MARGIN)
    expect(corner?.alone).toBe(true)
    ;[2, 1, 3].forEach((share, i) => expect(corner?.p[i]).toBeCloseTo(share / 6, 14))
  })

  it('is the entrant that beats all others, and not alone where two of them are even', () => {
    expect(cornerOf(antisymmetric(3, [1, 1, 0]), 3, MARGIN)).toEqual({ p: Float64Array.of(1, 0, 0), alone: true })
    expect(cornerOf(antisymmetric(3, [0, 1, 1]), 3, MARGIN)?.alone).toBe(false)
    expect(cornerOf(antisymmetric(1, []), 1, MARGIN)).toEqual({ p: Float64Array.of(1), alone: true })
  })

  it('is none where all are equal', () => {
    expect(cornerOf(new Float64Array(16), 4, MARGIN)).toBeUndefined()
  })

  it('is an equilibrium of whatever field; alone, it has each in it even and each other lose', () => {
    const field = fc
      .integer({ min: 2, max: 12 })
      .chain((n) =>
        fc
          .array(fc.integer({ min: -40, max: 40 }), { minLength: (n * (n - 1)) / 2, maxLength: (n * (n - 1)) / 2 })
          .map((upper) => ({ n, upper: upper.map((x) => x / 40) })),
      )
    let alone = 0
    fc.assert(
      fc.property(field, ({ n, upper }) => {
        const b = antisymmetric(n, upper)
        const corner = cornerOf(b, n, MARGIN)
        if (corner === undefined) return
        const { p } = corner
        expect(p.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 12)
        if (corner.alone) alone++
        for (let i = 0; i < n; i++) {
          let gain = 0
          for (let j = 0; j < n; j++) gain += (b[i * n + j] ?? 0) * (p[j] ?? 0)
          expect(p[i]).toBeGreaterThanOrEqual(0)
          expect(gain).toBeLessThan(1e-9)
          if ((p[i] ?? 0) > 1e-9) expect(gain).toBeGreaterThan(-1e-9)
          else if (corner.alone) expect(gain).toBeLessThan(-MARGIN / 2)
        }
      }),
      { numRuns: 500 },
    )
    expect(alone).toBeGreaterThan(100)
  })
})
