import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minus, plus, sumOf, sumOfBytes, total } from './sums.js'

describe('the checksum of a row', () => {
  it('is another one for any other part, and for what a damaged file holds in its place', () => {
    const empty = new Uint8Array() as unknown as string
    const parts = ['', '1', '2', 1, 2, '\u0001', '\u0002', null, empty, 12]
    const sums = parts.map((part) => sumOf('a', part, 'b'))
    expect(new Set(sums).size).toBe(parts.length)
  })
})

describe('the sum of many', () => {
  it('does not depend on their order, and what is added can be taken away', () => {
    const sums = fc.array(fc.string().map((text) => sumOf(text)))
    fc.assert(
      fc.property(sums, fc.string(), (list, more) => {
        expect(total([...list].reverse())).toBe(total(list))
        expect(minus(plus(total(list), sumOf(more)), sumOf(more))).toBe(total(list))
      }),
    )
  })
})

describe('the checksum of bytes', () => {
  it('is another one for other bytes and for another owner', () => {
    const sums = [sumOfBytes(1, Buffer.from('a')), sumOfBytes(1, Buffer.from('b')), sumOfBytes(2, Buffer.from('a'))]
    expect(new Set(sums).size).toBe(3)
  })
})
