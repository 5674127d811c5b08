import { expect, it } from 'vitest'
import { byteText, chance, percent } from './numbers.js'

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

it('nothing but none is 0 %, nothing but all 100 %, and what was estimated is neither', () => {
  expect([0, 1e-9, 0.001, 0.5, 0.998, 1 - 1e-9, 1].map(percent)).toEqual([
    '0 %',
    '< 0.1 %',
    '0.1 %',
    '50 %',
    '99.8 %',
    '> 99.9 %',
    '100 %',
  ])
  expect([0, 0.004, 0.5, 1].map(chance)).toEqual(['< 1 %', '< 1 %', '50 %', '> 99 %'])
  expect(chance([0.17, 0.46])).toBe('17–46 %')
})
