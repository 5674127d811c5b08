import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesPart, minus, plus, PRIME, sumOf, weighed } from './sums.js'

const BIG = BigInt(PRIME)
const count = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: 2 ** 26 - 3, max: 2 ** 26 + 3 }),
  fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
)

describe('the checksum of counts', () => {
  it('is the sum of each count times the next power of the weight of the key, whatever their size', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(count, { maxLength: 6 }), (key, counts) => {
        const weight = BigInt(sumOf(key) || 1)
        const exact = counts.reduce((sum, n, i) => sum + BigInt(n) * weight ** BigInt(i + 1), 0n)
        expect(BigInt(weighed(key, counts))).toBe(((exact % BIG) + BIG) % BIG)
      }),
      { numRuns: 2000 },
    )
  })

  it('is no number where one of them is no count, as in a damaged file', () => {
    for (const other of [null, new Uint8Array(), '2', 0.5])
      expect(weighed('a', [1, other as unknown as number])).toBe(Number.NaN)
  })

  it('grows by the checksum of what is added', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.tuple(count, count), { maxLength: 6 }), (key, pairs) => {
        const [before, more] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)]
        const after = pairs.map(([a, b]) => a + b)
        expect(weighed(key, after)).toBe(plus(weighed(key, before), weighed(key, more)))
        expect(weighed(key, before)).toBe(minus(weighed(key, after), weighed(key, more)))
      }),
    )
  })
})

describe('a column of bytes', () => {
  it('has another checksum for other bytes, and for whatever a damaged file holds in their place', () => {
    const held = [Uint8Array.of(1, 2), Uint8Array.of(1), new Uint8Array(), null, 12, '\u0001']
    const sums = held.map((one) => sumOf('a', bytesPart(one), 'b'))
    expect(new Set(sums).size).toBe(held.length)
  })

  it('is no text, where a damaged file has one in place of a text', () => {
    const empty = new Uint8Array() as unknown as string
    expect(sumOf('a', empty)).not.toBe(sumOf('a', ''))
  })
})
