/** An equilibrium at a corner of all that there are. */
export interface Corner {
  /** How much of it each is; 1 in sum. */
  readonly p: Float64Array
  /** There is no other one, by a margin. */
  readonly alone: boolean
}

/** What is smaller is nothing: the numbers of a tableau are about 1, or 0 but for rounding. */
const NOTHING = 1e-11
/** What is added to payoffs of at most 1. */
const SHIFT = 2

/**
 * An equilibrium of the symmetric zero-sum game with the payoffs B (size × size by rows, antisymmetric), by the simplex method: with
 * A = B / (its greatest) + 2, all above 0, the y ≥ 0 of greatest sum with A·y ≤ 1 is p / 2 (Dantzig 1951). Some forty pivots find it; they are
 * exact but for rounding. The greatest y is the only one where each variable outside the basis would lower the sum: here by more than `margin`, in
 * payoffs for who takes no part, in weights for who does. Undefined where all are equal, or pivots lead nowhere, as those of ties may.
 */
export function cornerOf(b: Float64Array, size: number, margin: number): Corner | undefined {
  let most = 0
  for (const x of b) most = Math.max(most, Math.abs(x))
  if (size > 1 && most === 0) return undefined
  const width = size + 1
  const tableau = tableauOf(b, size, most === 0 ? 1 : most)
  // By column: who is outside the basis; by row: who is in it. Multipliers are numbered behind the members.
  const outside = Int32Array.from({ length: size }, (_, j) => j)
  const basis = Int32Array.from({ length: size }, (_, i) => size + i)
  for (let pivots = 0; ; pivots++) {
    const column = enteringOf(tableau, size)
    if (column < 0) break
    const row = leavingOf(tableau, size, column)
    if (row < 0 || pivots > 20 + 6 * size) return undefined
    pivot(tableau, width, row, column)
    const left = basis[row] as number
    basis[row] = outside[column] as number
    outside[column] = left
  }
  const p = new Float64Array(size)
  let sum = 0
  basis.forEach((one, row) => {
    if (one < size) sum += p[one] = Math.max(0, tableau[row * width + size] as number)
  })
  const alone = outside.every(
    (one, j) => (tableau[size * width + j] as number) * SHIFT * (one < size ? most : 1) > margin,
  )
  return { p: p.map((x) => x / sum), alone }
}

/** Rows of A and 1; below them what each adds to the sum, turned. */
function tableauOf(b: Float64Array, size: number, most: number): Float64Array {
  const width = size + 1
  const tableau = new Float64Array(width * width)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) tableau[i * width + j] = (b[i * size + j] as number) / most + SHIFT
    tableau[i * width + size] = 1
    tableau[size * width + i] = -1
  }
  return tableau
}

/** The column that adds most to the sum; −1: none does. */
function enteringOf(tableau: Float64Array, size: number): number {
  let [found, least] = [-1, -NOTHING]
  for (let j = 0, last = size * (size + 1); j < size; j++) {
    if ((tableau[last + j] as number) >= least) continue
    least = tableau[last + j] as number
    found = j
  }
  return found
}

/** The row that bounds it first. */
function leavingOf(tableau: Float64Array, size: number, column: number): number {
  let [found, least] = [-1, Infinity]
  for (let i = 0, row = 0; i < size; i++, row += size + 1) {
    const by = tableau[row + column] as number
    if (by <= NOTHING || (tableau[row + size] as number) / by >= least) continue
    least = (tableau[row + size] as number) / by
    found = i
  }
  return found
}

/** Exchanges the variable of a row with that of a column. */
function pivot(tableau: Float64Array, width: number, row: number, column: number): void {
  const start = row * width
  const by = 1 / (tableau[start + column] as number)
  for (let j = 0; j < width; j++) tableau[start + j] = (tableau[start + j] as number) * by
  tableau[start + column] = by
  for (let i = 0; i < width; i++) {
    const at = i * width
    const times = tableau[at + column] as number
    if (i === row || times === 0) continue
    for (let j = 0; j < width; j++)
      tableau[at + j] = (tableau[at + j] as number) - times * (tableau[start + j] as number)
    tableau[at + column] = -times * by
  }
}
