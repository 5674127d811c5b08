import { minus, PRIME, total } from '../sums.js'

/*
 * Theory of operation.
 *
 * What a checksum covers can be searched for where only a little is wrong: of all rows that differ from a damaged one in a single
 * bit, or in one column that is known from elsewhere, the one that has the checksum is the one that was written. A wrong one
 * passes once in 10^15 trials, and there are some ten thousand.
 */

/** Longer texts are not searched: each of their bits takes a hash of the whole. */
const LONGEST = 8192
/** Whole numbers are searched up to this bit. */
const BITS = 52

type Cell = string | number | null | Uint8Array

/** The same row with one bit otherwise, in any of these columns; each in turn. */
export function* bent<Row extends object>(row: Row, columns: readonly (keyof Row)[]): Generator<Row> {
  for (const column of columns) {
    const cell = row[column] as Cell
    for (const value of typeof cell === 'string' ? bentTexts(cell) : typeof cell === 'number' ? bentNumbers(cell) : [])
      yield { ...row, [column]: value }
  }
}

function* bentTexts(text: string): Generator<string> {
  if (text.length > LONGEST) return
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f && code !== UNREADABLE) continue
    // A byte whose highest bit was flipped is no character: any may have stood there.
    const codes = code === UNREADABLE ? ASCII : SEVEN.map((bit) => code ^ bit)
    for (const other of codes) yield text.slice(0, i) + String.fromCharCode(other) + text.slice(i + 1)
  }
}
const UNREADABLE = 0xfffd
const SEVEN = [1, 2, 4, 8, 16, 32, 64]
const ASCII = Array.from({ length: 0x80 }, (_, code) => code)

function* bentNumbers(n: number): Generator<number> {
  if (!Number.isSafeInteger(n) || n < 0) return
  for (let bit = 0; bit < BITS; bit++) yield Math.floor(n / 2 ** bit) % 2 === 1 ? n - 2 ** bit : n + 2 ** bit
}

/** Which of the rows is to be replaced, and by what, so that all together have the checksum; undefined: none of those tried. */
export function replacement<Row>(
  rows: readonly Row[],
  sum: (row: Row) => number,
  stored: number,
  others: (row: Row) => Iterable<Row>,
): { readonly was: Row; readonly is: Row } | undefined {
  const sums = rows.map(sum)
  const there = total(sums)
  for (const [i, was] of rows.entries()) {
    const wanted = minus(stored, minus(there, sums[i] ?? 0))
    for (const is of others(was)) if (sum(is) === wanted) return { was, is }
  }
  return undefined
}

/** Whether a checksum as it is stored differs from that of its rows in one bit: then it is what was damaged, and not they. */
export function isBent(stored: number, sum: number): boolean {
  if (!Number.isSafeInteger(stored) || stored < 0) return false
  for (const other of bentNumbers(stored)) if (other === sum && sum < PRIME) return true
  return false
}
