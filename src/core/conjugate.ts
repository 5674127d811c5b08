/** A symmetric, positive definite matrix that is multiplied with and never written out. */
export interface Operator {
  /** Rows, and columns. */
  readonly size: number
  readonly diagonal: Float64Array
  /** Writes A·x of several vectors at once: number k of vector c stands at [k · columns + c]. */
  times(x: Float64Array, into: Float64Array, columns: number): void
}

/**
 * The x of A·x = `right` for several vectors at once, laid out as in `Operator.times`, by conjugate gradients with the diagonal as
 * preconditioner (Hestenes and Stiefel 1952). `close`: the residual that is left at most, in parts of the first one; the error of
 * `right`ᵀ·x is about its square. Throws a RangeError where it does not get there, as with a matrix that is not positive definite.
 */
export function conjugateMany(matrix: Operator, right: Float64Array, columns: number, close: number): Float64Array {
  const { size, diagonal } = matrix
  const length = size * columns
  const x = new Float64Array(length)
  const left = Float64Array.from(right)
  const scaled = new Float64Array(length)
  const step = new Float64Array(length)
  const image = new Float64Array(length)
  const rest = new Float64Array(columns)
  const next = new Float64Array(columns)
  const along = new Float64Array(columns)
  scale(left, diagonal, scaled, rest)
  step.set(scaled)
  const least = rest.map((first) => first * close * close)
  for (let round = 0; round <= size + MORE_ROUNDS; round++) {
    if (rest.every((now, c) => now <= (least[c] as number))) return x
    matrix.times(step, image, columns)
    dots(step, image, along)
    // A vector that has arrived stands still.
    const stride = along.map((curve, c) =>
      (rest[c] as number) > (least[c] as number) ? (rest[c] as number) / curve : 0,
    )
    if (!stride.every((far) => far >= 0 && Number.isFinite(far))) break
    for (let k = 0; k < length; k += columns) {
      for (let c = 0; c < columns; c++) {
        const far = stride[c] as number
        x[k + c] = (x[k + c] as number) + far * (step[k + c] as number)
        left[k + c] = (left[k + c] as number) - far * (image[k + c] as number)
      }
    }
    scale(left, diagonal, scaled, next)
    const turn = next.map((now, c) => ((stride[c] as number) > 0 ? now / (rest[c] as number) : 0))
    for (let k = 0; k < length; k += columns) {
      for (let c = 0; c < columns; c++)
        step[k + c] = (scaled[k + c] as number) + (turn[c] as number) * (step[k + c] as number)
    }
    stride.forEach((far, c) => (rest[c] = far > 0 ? (next[c] as number) : (rest[c] as number)))
  }
  throw new RangeError('conjugate gradients do not get there: the matrix is not positive definite')
}
/** Rounds beyond one for each parameter, which rounding may need. */
const MORE_ROUNDS = 50

/** Divides by the diagonal, and writes the product of each vector with what it becomes. */
function scale(left: Float64Array, diagonal: Float64Array, scaled: Float64Array, products: Float64Array): void {
  const columns = products.length
  products.fill(0)
  for (let i = 0, k = 0; i < diagonal.length; i++) {
    const by = 1 / (diagonal[i] as number)
    for (let c = 0; c < columns; c++, k++) {
      const value = left[k] as number
      scaled[k] = value * by
      products[c] = (products[c] as number) + value * value * by
    }
  }
}

/** The product of each vector with its image. */
function dots(a: Float64Array, b: Float64Array, products: Float64Array): void {
  const columns = products.length
  products.fill(0)
  for (let k = 0; k < a.length; k += columns)
    for (let c = 0; c < columns; c++)
      products[c] = (products[c] as number) + (a[k + c] as number) * (b[k + c] as number)
}
