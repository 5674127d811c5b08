import { expect, it } from 'vitest'
import { byteText } from './numbers.js'

it('bytes are told in the largest unit of which they are a whole number', () => {
  expect([0, 1000, 1024, 65_536, 16 * 1024 ** 2, 1024 ** 3, 4096 * 1024 ** 3, 1_073_741_825].map(byteText)).toEqual([
    '0 bytes',
    '1000 bytes',
    '1 KiB',
    '64 KiB',
    '16 MiB',
    '1 GiB',
    '4096 GiB',
    '1073741825 bytes',
  ])
})
