import { expect, test } from 'vitest'
import { differenceOf, lossOf } from './same.js'

test('what differs in two values is named by its place', () => {
  expect(differenceOf({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })).toBe('.a[1].b')
  expect(differenceOf([1, 2], [1])).toBe('[1]')
  expect(differenceOf({ a: undefined }, {})).toBe('.a')
  expect(differenceOf({}, { b: { c: 1 } })).toBe('.b')
  expect(differenceOf(-0, 0)).toBe('')
  expect(differenceOf({ a: [null, 'x'] }, { a: [null, 'x'] })).toBeUndefined()
})

test('a list with names beside its places is another than one without', () => {
  expect(differenceOf(Object.assign([1], { index: 0 }), [1])).toBe('.index')
  expect(differenceOf([1], Object.assign([1], { index: 0 }))).toBe('.index')
})

test('a difference in a long list is found', () => {
  const long = (last: number) => ({ board: [...Array<number>(5000).fill(0), last] })
  expect(differenceOf(long(1), long(1))).toBeUndefined()
  expect(differenceOf(long(1), long(2))).toBe('.board[5000]')
})

test.each<[what: string, value: unknown, path: string]>([
  ['undefined', { a: { 'b.c': undefined } }, '.a.b.c, which is undefined'],
  ['undefined', { a: 1, ab: [0, undefined] }, '.ab[1], which is undefined'],
  ['NaN', [NaN], '[0], which is NaN'],
  ['a zero with a sign', { z: -0 }, '.z, which is -0'],
  ['a function', { f: () => 0 }, '.f, which is a function'],
  ['a Set', { s: new Set() }, '.s, which is a Set'],
])('what JSON loses is named: %s', (_, value, said) => {
  expect(lossOf(value, JSON.stringify(value))).toBe(said)
})
