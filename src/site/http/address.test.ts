import { expect, it } from 'vitest'
import { networkOf } from './callers.js'

it('an address is told by one name, and an IPv6 address by its network, however it is shortened', () => {
  expect(['127.0.0.1', '1.2.3.4', '', 'unknown'].map(networkOf)).toEqual(['127.0.0.1', '1.2.3.4', '', 'unknown'])
  // The addresses of one household.
  const home = [
    '2001:db8::1',
    '2001:db8::2',
    '2001:db8::a:b',
    '2001:DB8:0:0:1:2:3:4',
    '2001:db8:0::9%eth0',
    '2001:db8::',
  ]
  expect(new Set(home.map(networkOf))).toEqual(new Set(['2001:db8:0:0']))
  expect(networkOf('2001:db8:0:1::1')).toBe('2001:db8:0:1')
  expect(networkOf('2001:db8:0:7:a::')).toBe('2001:db8:0:7')
  expect(networkOf('::1')).toBe('0:0:0:0')
  expect(networkOf('64:ff9b::1.2.3.4')).toBe('64:ff9b:0:0')
  expect(networkOf('::ffff:1.2.3.4')).toBe('1.2.3.4')
})

it('a port that a proxy adds is no part of it, and what is no address is no longer than one', () => {
  expect(['1.2.3.4:5678', '1.2.3.4:9', '[2001:db8::1]:443', '[2001:db8::2]'].map(networkOf)).toEqual([
    '1.2.3.4',
    '1.2.3.4',
    '2001:db8:0:0',
    '2001:db8:0:0',
  ])
  expect(networkOf('x'.repeat(16_000)).length).toBe(100)
})
