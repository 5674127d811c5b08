import fc from 'fast-check'
import { expect, it } from 'vitest'
import { linesIn, pack, unpack } from './packing.js'

it('lines come back as they were packed, none of them, empty ones and long ones too', () => {
  const line = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.constant(''),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      expect(linesIn(unpack('x', pack(lines)))).toEqual(lines)
    }),
  )
  const long = 'ab'.repeat(2 ** 20)
  expect(linesIn(unpack('x', pack([long, ''])))).toEqual([long, ''])
})

it('bytes that were damaged are refused, in a line that names the store', () => {
  const packed = pack(['{"a":1}'])
  expect(() => unpack('agon.db', packed.subarray(0, packed.length - 2))).toThrow('agon.db: is damaged')
  expect(() => unpack('agon.db', Buffer.from([255, 255]))).toThrow('agon.db: is damaged')
})
