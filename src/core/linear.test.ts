import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factorize, inverse, solve } from './linear.js'

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

  it('refuses what is not positive definite', () => {
    expect(() => factorize(Float64Array.of(1, 1, 1, 1), 2)).toThrow(RangeError)
    expect(() => factorize(Float64Array.of(1, 2, 2, 1), 2)).toThrow('pivot 1')
  })
})
