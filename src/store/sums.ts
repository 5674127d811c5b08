import { hash } from 'node:crypto'

/*
 * Theory of operation.
 *
 * Nothing that comes out of the file is believed because it is there. What a table is computed from has checksums beside it, in
 * whole numbers below a prime that fit an INTEGER column and a double alike:
 *
 * - a match has one over its own row, its seats and its faults (`match.sum`); a pack and a loose record one over its bytes;
 * - a set of rows (the matches of a run, its exclusions, …) has the sum of its rows' checksums: rows that are lost, doubled or
 *   changed change it, and adding a row needs no look at the others;
 * - counts have a sum that is linear in them, each row weighed by a number hashed from the row's key: so what a transaction
 *   adds to the counts knows what it adds to their checksum.
 *
 * They show damage, but for one chance in 10^15. They are no signature: a person who edits the file on purpose can compute them too.
 */

/** Checksums are below this prime. */
export const PRIME = 2 ** 52 - 47
const BIG = BigInt(PRIME)

type Part = string | number | null | undefined

/**
 * The checksum of a row, from its parts: two 32-bit hashes with other multipliers over all characters. Each step is one-to-one,
 * so no two rows that differ in one character have the same.
 */
export const sumOf = (...parts: readonly Part[]): number => sumOfText(parts.map(asText).join(BETWEEN))

/** NULL is no empty text, nor are the bytes that a damaged file may hold in place of a text. */
const asText = (part: Part): string | number =>
  part === null || part === undefined ? '\u0002' : typeof part === 'object' ? '\u0003' : part

/** A column of bytes as a part of a row. A damaged file may hold something else there, even NULL: that is a part like any other. */
export const bytesPart = (data: unknown): Part =>
  data instanceof Uint8Array ? Buffer.from(data).toString('hex') : (data as Part)

/** What stands between the parts of a row. */
export const BETWEEN = '\u0001'

/** The checksum of a row whose parts are joined already. */
export function sumOfText(text: string): number {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    a = Math.imul(a ^ c, 2654435761)
    b = Math.imul(b ^ c, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (2 ** 32 * (b & 0xfffff) + (a >>> 0)) % PRIME
}

/** The checksum of bytes, with what they belong to. */
export function sumOfBytes(owner: number, data: Uint8Array): number {
  return plus(Number.parseInt(hash('sha1', data).slice(0, 13), 16) % PRIME, owner % PRIME)
}

export const plus = (a: number, b: number): number => (a + b) % PRIME
export const minus = (a: number, b: number): number => (a + PRIME - b) % PRIME

/** The sum of many checksums, whatever their order. */
export const total = (sums: Iterable<number>): number => {
  let sum = 0
  for (const one of sums) sum = plus(sum, one)
  return sum
}

/** A row of counts: linear in them, so the checksum of what is added to a row is what is added to its checksum. */
export function weighed(key: string, counts: readonly number[]): number {
  const powers = powersOf(key, counts.length)
  let sum = 0
  for (let i = 0; i < counts.length; i++) sum = plus(sum, times(counts[i] as number, powers[i] as number))
  return sum
}

/**
 * A count times a power of a weight. A BigInt takes ten times as long, so most counts do without: each product is below 2⁵³, a power of
 * two only moves the exponent of a double, and its remainder is exact.
 */
function times(count: number, power: number): number {
  // A damaged file may hold NULL, which JavaScript counts as 0.
  if (!Number.isSafeInteger(count)) return Number.NaN
  if (count === 0) return 0
  if (count === 1) return power
  if (count < 0 || count >= HALF) return Number((((BigInt(count) * BigInt(power)) % BIG) + BIG) % BIG)
  const high = Math.floor(power / HALF)
  return (((((count * high) % PRIME) * HALF) % PRIME) + ((count * (power - high * HALF)) % PRIME)) % PRIME
}

/** The square root of 2⁵². */
const HALF = 2 ** 26

/** The powers of weights that were hashed last: a run adds to the same rows over and over. */
const known = new Map<string, number[]>()
const KNOWN = 20_000

/** The first so many powers of the weight of a row. */
function powersOf(key: string, count: number): readonly number[] {
  let powers = known.get(key)
  if (powers === undefined) {
    powers = [sumOf(key) || 1]
    if (known.size >= KNOWN) known.clear()
    known.set(key, powers)
  }
  while (powers.length < count) powers.push(times(powers.at(-1) as number, powers[0] as number))
  return powers
}
