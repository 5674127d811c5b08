import { conjugateMany, type Operator } from '../core/linear.js'

/** Rows of the inverse that are solved for at once. */
const TOGETHER = 8
/** So close to a row; a variance is off by about the square. */
const ROW_CLOSE = 1e-3

/** How strengths are tied to each other: the part of the information that is theirs, entrant by entrant. */
export interface Ties {
  readonly field: number
  readonly diagonal: Float64Array
  /** The ties of entrant i stand from `starts[i]` to before `starts[i + 1]`: to whom, and how strong (minus the information there). */
  readonly starts: Int32Array
  readonly to: Int32Array
  readonly strong: Float64Array
}

/** The ties of a field by lines: line k is of entrants `firsts[k]` and `seconds[k]`, and ties them by `bend[k]`; lines of the same two are added up. */
export function tiesOf(
  field: number,
  diagonal: Float64Array,
  firsts: Int32Array,
  seconds: Int32Array,
  bend: Float64Array,
): Ties {
  const lists = Array.from({ length: field }, () => new Map<number, number>())
  bend.forEach((strong, k) => {
    const [a, b] = [firsts[k] as number, seconds[k] as number]
    lists[a]?.set(b, (lists[a]?.get(b) ?? 0) + strong)
    lists[b]?.set(a, (lists[b]?.get(a) ?? 0) + strong)
  })
  const starts = new Int32Array(field + 1)
  lists.forEach(({ size }, i) => (starts[i + 1] = (starts[i] as number) + size))
  return {
    field,
    diagonal: diagonal.slice(0, field),
    starts,
    to: Int32Array.from(lists.flatMap((list) => [...list.keys()])),
    strong: Float64Array.from(lists.flatMap((list) => [...list.values()])),
  }
}

/** The covariances of strengths above the core's average, of those that met. */
export interface StrengthRows {
  readonly ties: Ties
  /** By entrant. */
  readonly variance: Float64Array
  /** With each of `ties.to`. */
  readonly covariance: Float64Array
}

/** Solves for each entrant's row of the inverse, and keeps what stands there of itself and of those that it met. */
export function rowsOf(ties: Ties, core: readonly number[]): StrengthRows {
  const { field, starts, to } = ties
  const operator = operatorOf(ties)
  const variance = new Float64Array(field)
  const covariance = new Float64Array(to.length)
  const right = new Float64Array(field * TOGETHER)
  for (let from = 0; from < field; from += TOGETHER) {
    const count = Math.min(TOGETHER, field - from)
    right.fill(0)
    for (const i of core) right.fill(-1 / core.length, i * TOGETHER, i * TOGETHER + count)
    for (let c = 0; c < count; c++) {
      const own = (from + c) * TOGETHER + c
      right[own] = (right[own] as number) + 1
    }
    const x = conjugateMany(operator, right, TOGETHER, ROW_CLOSE)
    for (let c = 0; c < count; c++) {
      const i = from + c
      for (let k = starts[i] as number; k < (starts[i + 1] as number); k++)
        covariance[k] = x[(to[k] as number) * TOGETHER + c] as number
      let sum = 0
      for (let k = c; k < x.length; k += TOGETHER) sum += (x[k] as number) * (right[k] as number)
      variance[i] = sum
    }
  }
  return { ties, variance, covariance }
}

/** The ties as a matrix that is multiplied with `TOGETHER` vectors at once. */
function operatorOf({ field, diagonal, starts, to, strong }: Ties): Operator {
  return {
    size: field,
    diagonal,
    times(x, into) {
      for (let i = 0; i < field; i++) {
        const own = diagonal[i] as number
        const at = i * TOGETHER
        let a = own * (x[at] as number)
        let b = own * (x[at + 1] as number)
        let c = own * (x[at + 2] as number)
        let d = own * (x[at + 3] as number)
        let e = own * (x[at + 4] as number)
        let f = own * (x[at + 5] as number)
        let g = own * (x[at + 6] as number)
        let h = own * (x[at + 7] as number)
        for (let k = starts[i] as number, end = starts[i + 1] as number; k < end; k++) {
          const by = strong[k] as number
          const from = (to[k] as number) * TOGETHER
          a -= by * (x[from] as number)
          b -= by * (x[from + 1] as number)
          c -= by * (x[from + 2] as number)
          d -= by * (x[from + 3] as number)
          e -= by * (x[from + 4] as number)
          f -= by * (x[from + 5] as number)
          g -= by * (x[from + 6] as number)
          h -= by * (x[from + 7] as number)
        }
        into[at] = a
        into[at + 1] = b
        into[at + 2] = c
        into[at + 3] = d
        into[at + 4] = e
        into[at + 5] = f
        into[at + 6] = g
        into[at + 7] = h
      }
    },
  }
}
