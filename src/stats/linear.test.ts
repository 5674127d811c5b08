import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conjugate, factorize, inverse, solve } from './linear.js'

const entries = fc.float({ min: -2, max: 2, noNaN: true })
/** B·Bᵀ + I is positive definite whatever B is. */
const definite = fc.integer({ min: 1, max: 6 }).chain((size) =>
  fc.array(entries, { minLength: size * size, maxLength: size * size }).map((b) => {
    const matrix = new Float64Array(size * size)
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        let sum = i === j ? 1 : 0
        for (let k = 0; k < size; k++) sum += (b[i * size + k] ?? 0) * (b[j * size + k] ?? 0)
        matrix[i * size + j] = sum
      }
    }
    return { size, matrix }
  }),
)
const times = (matrix: ArrayLike<number>, size: number, x: ArrayLike<number>): number[] =>
  Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => (matrix[i * size + j] ?? 0) * (x[j] ?? 0)).reduce((a, b) => a + b, 0),
  )

describe('Cholesky', () => {
  it('solves, and inverts', () => {
    fc.assert(
      fc.property(definite, fc.array(entries, { minLength: 6, maxLength: 6 }), ({ size, matrix }, some) => {
        const right = some.slice(0, size)
        const factor = factorize(matrix, size)
        times(matrix, size, solve(factor, right)).forEach((value, i) => {
          expect(value).toBeCloseTo(right[i] ?? 0, 6)
        })
        times(inverse(factor), size, times(matrix, size, right)).forEach((value, i) => {
          expect(value).toBeCloseTo(right[i] ?? 0, 6)
        })
      }),
      { numRuns: 50 },
    )
  })

  it('solves by conjugate gradients, and gives up where that leads nowhere', () => {
    fc.assert(
      fc.property(definite, fc.array(entries, { minLength: 6, maxLength: 6 }), ({ size, matrix }, some) => {
        const right = some.slice(0, size)
        const x = conjugate(matrix, size, right)
        // In exact arithmetic it is there after as many rounds as there are unknowns; in floating point it may need more.
        if (x !== undefined) times(matrix, size, x).forEach((value, i) => expect(value).toBeCloseTo(right[i] ?? 0, 6))
      }),
      { numRuns: 50 },
    )
    // Neighbours on a ring of 200, far from each other in one direction and close in the next.
    const ring = new Float64Array(200 * 200)
    for (let i = 0; i < 200; i++) {
      ring[i * 200 + i] = 2.1
      for (const j of [(i + 1) % 200, (i + 199) % 200]) ring[i * 200 + j] = -1
    }
    const right = Array.from({ length: 200 }, (_, i) => Math.sin(i) + (i % 7))
    const x = conjugate(ring, 200, right)
    solve(factorize(ring, 200), right).forEach((value, i) => expect(x?.[i]).toBeCloseTo(value, 9))
    expect(conjugate(Float64Array.of(1, -2, -2, 1), 2, [1, 1])).toBeUndefined()
    expect(conjugate(Float64Array.of(0, 1, 1, 0), 2, [1, 1])).toBeUndefined()
  })

  it('refuses what is not positive definite', () => {
    expect(() => factorize(Float64Array.of(1, 1, 1, 1), 2)).toThrow(RangeError)
    expect(() => factorize(Float64Array.of(1, 2, 2, 1), 2)).toThrow('pivot 1')
  })
})
