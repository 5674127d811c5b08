/** Solves symmetric, positive definite systems by Cholesky's A = L·Lᵀ, else fails. Matrices: by rows. */
export interface Factor {
  readonly size: number
  /** The lower triangle L, by rows. */
  readonly lower: Float64Array
}

/** Decomposes `matrix` (size × size; its lower triangle is read). Throws a RangeError where it is not positive definite. */
export function factorize(matrix: Float64Array, size: number): Factor {
  const lower = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    const row = i * size
    for (let j = 0; j <= i; j++) {
      const other = j * size
      let sum = matrix[row + j] as number
      for (let k = 0; k < j; k++) sum -= (lower[row + k] as number) * (lower[other + k] as number)
      if (i !== j) lower[row + j] = sum / (lower[other + j] as number)
      else if (sum > 0) lower[row + i] = Math.sqrt(sum)
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

/** A⁻¹, by rows. A third of the work of solving by columns: half a symmetric matrix is enough. */
export function inverse({ size, lower }: Factor): Float64Array {
  const whole = new Float64Array(size * size)
  for (let j = 0; j < size; j++) {
    const x = whole.subarray(j * size, (j + 1) * size)
    x[j] = 1 / (lower[j * size + j] as number)
    for (let i = j + 1; i < size; i++) {
      let sum = 0
      for (let k = j, row = i * size; k < i; k++) sum -= (lower[row + k] as number) * (x[k] as number)
      x[i] = sum / (lower[i * size + i] as number)
    }
    for (let i = size - 1; i >= j; i--) {
      const row = i * size
      const value = (x[i] as number) / (lower[row + i] as number)
      x[i] = value
      for (let k = j; k < i; k++) x[k] = (x[k] as number) - (lower[row + k] as number) * value
    }
    for (let i = j + 1; i < size; i++) whole[i * size + j] = x[i] as number
  }
  return whole
}

/** So close to the solution of `conjugate`, in parts of what was asked for. */
const CLOSE = 1e-12

/**
 * The x of A·x = `right` by conjugate gradients, preconditioned by the diagonal (Hestenes and Stiefel 1952): quicker than a decomposition
 * for few entries or few differing directions. Undefined where it does not get there.
 */
export function conjugate(matrix: Float64Array, size: number, right: ArrayLike<number>): Float64Array | undefined {
  const rows = entriesOf(matrix, size)
  const image = new Float64Array(size)
  const x = new Float64Array(size)
  const left = Float64Array.from(right)
  const scaled = new Float64Array(size)
  const step = new Float64Array(size)
  let rest = 0
  for (let i = 0; i < size; i++) {
    step[i] = scaled[i] = (left[i] as number) / (matrix[i * size + i] as number)
    rest += (left[i] as number) * (scaled[i] as number)
  }
  const least = rest * CLOSE * CLOSE
  for (let round = 0; round < size; round++) {
    if (!Number.isFinite(rest)) return undefined
    if (rest <= least) return x
    let along = 0
    for (let i = 0; i < size; i++) {
      let sum = 0
      for (const j of rows[i] as readonly number[]) sum += (matrix[i * size + j] as number) * (step[j] as number)
      image[i] = sum
      along += (step[i] as number) * sum
    }
    if (!(along > 0)) return undefined
    const length = rest / along
    let next = 0
    for (let i = 0; i < size; i++) {
      x[i] = (x[i] as number) + length * (step[i] as number)
      left[i] = (left[i] as number) - length * (image[i] as number)
      scaled[i] = (left[i] as number) / (matrix[i * size + i] as number)
      next += (left[i] as number) * (scaled[i] as number)
    }
    for (let i = 0; i < size; i++) step[i] = (scaled[i] as number) + (next / rest) * (step[i] as number)
    rest = next
  }
  return undefined
}

/** By row: the columns of a matrix's entries other than 0. */
function entriesOf(matrix: Float64Array, size: number): readonly (readonly number[])[] {
  return Array.from({ length: size }, (_, i) => {
    const columns: number[] = []
    for (let j = 0; j < size; j++) if (matrix[i * size + j] !== 0) columns.push(j)
    return columns
  })
}
