export interface MatrixSolution {
  /** What the row player gets, whatever the other does. */
  readonly value: number
  readonly rows: readonly number[]
  readonly columns: readonly number[]
}

/** Reduced costs and ratios below this count as zero. */
const TINY = 1e-12

/**
 * Solves a zero-sum game exactly but for rounding: `payoffs[row][column]` is what the row player gets. Dantzig's way:
 * payoffs are made positive, and the column player's program (greatest sum of y ≥ 0 with A·y ≤ 1) goes through the
 * simplex method by Bland's rule, which never circles; the row player's strategy is its dual.
 */
export function solveMatrix(payoffs: readonly (readonly number[])[]): MatrixSolution {
  const [m, n] = [payoffs.length, payoffs[0]?.length ?? 0]
  const saddle = saddlePoint(payoffs, m, n)
  if (saddle !== undefined) return saddle
  const least = payoffs.reduce((low, row) => row.reduce((a, b) => Math.min(a, b), low), Infinity)
  const shift = 1 - least
  const width = n + m + 1
  const table = payoffs.map((row, i) => {
    const line = new Float64Array(width)
    row.forEach((value, j) => (line[j] = value + shift))
    line[n + i] = 1
    line[width - 1] = 1
    return line
  })
  const costs = new Float64Array(width).fill(-1, 0, n)
  const basis = table.map((_, i) => n + i)
  for (;;) {
    const entering = costs.subarray(0, n + m).findIndex((cost) => cost < -TINY)
    if (entering < 0) break
    const leaving = leavingRow(table, basis, entering)
    pivot(table, costs, leaving, entering)
    basis[leaving] = entering
  }
  const total = costs[width - 1] as number
  const columns = Array<number>(n).fill(0)
  basis.forEach((column, i) => {
    if (column < n) columns[column] = Math.max(0, (table[i]?.[width - 1] ?? 0) / total)
  })
  const rows = Array.from({ length: m }, (_, i) => Math.max(0, (costs[n + i] ?? 0) / total))
  return { value: 1 / total - shift, rows: normal(rows), columns: normal(columns) }
}

/** A pair of pure choices that neither gains by leaving, if any. */
function saddlePoint(payoffs: readonly (readonly number[])[], m: number, n: number): MatrixSolution | undefined {
  const lows = payoffs.map((row) => row.reduce((a, b) => Math.min(a, b), Infinity))
  const highs = Array.from({ length: n }, (_, j) => payoffs.reduce((a, row) => Math.max(a, row[j] ?? 0), -Infinity))
  const value = lows.reduce((a, b) => Math.max(a, b), -Infinity)
  if (highs.reduce((a, b) => Math.min(a, b), Infinity) !== value) return undefined
  const pure = (length: number, at: number): number[] => Array.from({ length }, (_, i) => (i === at ? 1 : 0))
  return { value, rows: pure(m, lows.indexOf(value)), columns: pure(n, highs.indexOf(value)) }
}

function leavingRow(table: readonly Float64Array[], basis: readonly number[], entering: number): number {
  let [best, least] = [-1, Infinity]
  table.forEach((line, i) => {
    const by = line[entering] ?? 0
    if (by <= TINY) return
    const ratio = (line.at(-1) ?? 0) / by
    if (ratio < least - TINY || (ratio < least + TINY && (basis[i] ?? 0) < (basis[best] ?? 0)))
      [best, least] = [i, Math.min(ratio, least)]
  })
  // With positive payoffs no column is without bound.
  if (best < 0) throw new Error('a game of one joint choice has no bound')
  return best
}

function pivot(table: readonly Float64Array[], costs: Float64Array, leaving: number, entering: number): void {
  const line = table[leaving] as Float64Array
  const by = line[entering] as number
  for (let j = 0; j < line.length; j++) line[j] = (line[j] as number) / by
  for (const other of [...table, costs]) {
    const times = other[entering] as number
    if (other === line || times === 0) continue
    for (let j = 0; j < line.length; j++) other[j] = (other[j] as number) - times * (line[j] as number)
  }
}

function normal(weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / sum)
}
