/**
 * Solves with a symmetric, positive definite matrix by Cholesky's decomposition A = L·Lᵀ: half the work of elimination, no
 * pivots, and a failure exactly where the matrix is not what it should be. Matrices are rows one after another in one array.
 */
export interface Factor {
  readonly size: number
  /** The lower triangle L, by rows. */
  readonly lower: Float64Array
}

/** Decomposes `matrix` (size × size; its lower triangle is read). Throws a RangeError where it is not positive definite. */
export function factorize(matrix: Float64Array, size: number): Factor {
  const lower = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j] ?? 0
      for (let k = 0; k < j; k++) sum -= (lower[i * size + k] ?? 0) * (lower[j * size + k] ?? 0)
      if (i !== j) lower[i * size + j] = sum / (lower[j * size + j] ?? 1)
      else if (sum > 0) lower[i * size + i] = Math.sqrt(sum)
      else throw new RangeError(`the matrix is not positive definite: pivot ${i} is ${sum}`)
    }
  }
  return { size, lower }
}

/** The x of A·x = `right`. */
export function solve({ size, lower }: Factor, right: ArrayLike<number>): Float64Array {
  const x = Float64Array.from(right)
  for (let i = 0; i < size; i++) {
    let sum = x[i] ?? 0
    for (let k = 0; k < i; k++) sum -= (lower[i * size + k] ?? 0) * (x[k] ?? 0)
    x[i] = sum / (lower[i * size + i] ?? 1)
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = x[i] ?? 0
    for (let k = i + 1; k < size; k++) sum -= (lower[k * size + i] ?? 0) * (x[k] ?? 0)
    x[i] = sum / (lower[i * size + i] ?? 1)
  }
  return x
}

/** A⁻¹, by rows. */
export function inverse(factor: Factor): Float64Array {
  const { size } = factor
  const whole = new Float64Array(size * size)
  for (let j = 0; j < size; j++) {
    const unit = new Float64Array(size)
    unit[j] = 1
    whole.set(solve(factor, unit), j * size)
  }
  return whole
}
