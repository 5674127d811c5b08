import { expect, test } from 'vitest'
import { shapeOf, typeText } from './shape.js'

test.each([
  [[1, 2], 'number'],
  [['a', null], 'string | null'],
  [[[], [1]], 'readonly number[]'],
  [[[[1, 2]], [['x']]], 'readonly (readonly (number | string)[])[]'],
  [[{ a: 1 }, { a: 2, b: true }], '{ readonly a: number; readonly b?: boolean }'],
  [[[{ a: [1] }]], 'readonly { readonly a: readonly number[] }[]'],
  [[{ 'a-b': 1 }], '{ readonly "a-b": number }'],
  [[[]], 'readonly unknown[]'],
])('%j is of type %s', (values, type) => expect(typeText(shapeOf(values))).toBe(type))
