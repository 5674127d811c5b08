import { hash } from 'node:crypto'
import { UserError, command, message, option } from '../core/index.js'

/*
 * Theory of operation.
 *
 * Nothing in the store is believed because it is there. What a table is computed from has checksums beside it: whole numbers below a prime,
 * which fit an INTEGER column and a double. A row has one over its columns; a set of rows has the sum of its rows' checksums, so adding a row
 * needs no look at the others, and a lost, doubled or changed row shows.
 *
 * They show damage, but for one chance in 10^15. They are no signature: who edits the store on purpose can compute them too.
 */

/** Checksums are below this prime. */
const PRIME = 2 ** 52 - 47

type Part = string | number | null | undefined

/**
 * The checksum of a row, from its parts: two 32-bit hashes with different multipliers. Each step is one-to-one, so rows that
 * differ in one character have different checksums.
 */
export const sumOf = (...parts: readonly Part[]): number => sumOfText(parts.map(asText).join(BETWEEN))

/** Damage may put NULL, a number, a text or bytes in each other's place: none equals another. */
function asText(part: Part): string | number {
  if (typeof part === 'number') return part
  return typeof part === 'string' ? `\u0004${part}` : part === null || part === undefined ? '\u0002' : '\u0003'
}

/** The separator of a row's parts. */
export const BETWEEN = '\u0001'

/** The checksum of a row's joined parts. */
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

export function sumOfBytes(owner: number, data: Uint8Array): number {
  return plus(Number.parseInt(hash('sha1', data).slice(0, 13), 16) % PRIME, owner % PRIME)
}

export const plus = (a: number, b: number): number => (a + b) % PRIME
export const minus = (a: number, b: number): number => (a + PRIME - b) % PRIME

/** The sum of checksums, in any order. */
export const total = (sums: Iterable<number>): number => {
  let sum = 0
  for (const one of sums) sum = plus(sum, one)
  return sum
}

/** The error for damage. `where`: the store's name. */
export const damaged = (where: string): UserError => new UserError(message`${where}: ${DAMAGED}`)

export const DAMAGED = message`is damaged; ${command('store check')} shows what, and ${option('mend')} removes damaged jobs, which are then played again; or put a copy of it back`

export const removed = (where: string): UserError => new UserError(`${where}: another agon has removed the run`)

/** A column's JSON. Throws UserError, which names the store, where it is none. */
export function parsed<T>(where: string, text: string): T {
  try {
    return JSON.parse(text) as T
  } catch {
    throw damaged(where)
  }
}
