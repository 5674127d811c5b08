import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type Legal, type Shape, drawAction, isLegal, mistakeIn, shapeText } from '../core/index.js'
import { readPatterns } from './patterns.js'

beforeAll(readPatterns)

const cents: Shape = { number: { min: 0, max: 1e9, step: 0.01 } }
const odd: Shape = { number: { min: -0.7, max: 1.2, step: 0.3 } }
const free: Shape = { number: { min: -0.5, max: 0.25 } }
const plate: Shape = { text: { pattern: '^(fox|[A-F]{2}-[0-9]{3}|\\.\\+)$', max: 6 } }
const four: Shape = { text: { pattern: '.{1,4}', max: 4 } }
const path: Shape = { list: { of: ['N', 'E', 'UP'], min: 2, max: 3 } }
const mixed: Shape = { any: [{ number: { min: 1, max: 9, step: 1 } }, 'all in', path] }

test.each<[Legal, readonly string[], readonly string[]]>([
  // Binary fractions would refuse 0.07 and 0.29, whose steps they do not hit.
  [cents, ['0', '0.07', '0.29', '33333333.33', '999999999.99', '1000000000'], ['0.005', '-0.01', '1000000000.01']],
  [odd, ['-0.7', '-0.4', '0.8', '1.1'], ['-0.6', '1.2', '1.4', '-1.0']],
  [free, ['-0.5', '0.25', '0.1', '-0.123456789'], ['0.2500000001', '-0.5000000001']],
  [
    cents,
    ['5'],
    ['', ' ', 'x', 'NaN', 'Infinity', '0x1', '1,5', '1 2', '--1', '+1', '01', '.5', '5.', '1e400', '1e99999'],
  ],
  [plate, ['fox', 'AF-907', '.+'], ['foxfox', 'xx', 'AG-907', 'AF-90', 'fox\nAF-907', 'fox\n', '']],
  // Characters are counted as people count them, mostly: an emoji is one.
  [four, ['ab', '😀😀😀😀'], ['abcde', '😀😀😀😀😀', '']],
  [path, ['N E', 'UP UP N'], ['N', 'N  E', ' N E', 'N E ', 'N,E', 'n e', 'N E N E', '']],
  [mixed, ['1', '9', 'all in', 'N E'], ['0', '10', '1.5', 'all  in', 'N', '5 5']],
  [['left', 'right'], ['left'], ['up', 'Left']],
])('%j takes what it describes, and nothing else', (legal, yes, no) => {
  for (const action of yes) expect([action, isLegal(legal, action)]).toEqual([action, true])
  for (const action of no) expect([action, isLegal(legal, action)]).toEqual([action, false])
})

test('patterns that blow up others take no longer than any', () => {
  const text = `${'a'.repeat(60)}!`
  for (const pattern of ['(a+)+', '(a|aa)+', '([a-z]+)*', '(.*a){18}', '(a?){40}a{40}'])
    expect(isLegal({ text: { pattern, max: 70 } }, text)).toBe(false)
})

test.each([cents, odd, free, plate, four, path, mixed, { text: { pattern: '^[^a-y]+x?\\d*$', max: 12 } }])(
  'what is drawn of %j is legal',
  (shape) => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat({ max: 2 ** 32 - 1 })), (numbers) => {
        const action = drawAction(shape, (n) => (numbers.next().value as number) % n)
        expect(action !== undefined && isLegal(shape, action)).toBe(true)
      }),
      { numRuns: 200 },
    )
  },
)

test('all of a shape is drawn, its ends included', () => {
  let draws = 0
  const drawn = Array.from({ length: 400 }, () =>
    drawAction({ any: [odd, 'pass'] }, (n) => (draws++ * 7919 + (draws >> 3)) % n),
  )
  expect(new Set(drawn)).toEqual(new Set(['-0.7', '-0.4', '-0.1', '0.2', '0.5', '0.8', '1.1', 'pass']))
})

test.each<[unknown, RegExp]>([
  [{ text: { pattern: '^(a|b)\\1$', max: 9 } }, /pattern.*\\1/],
  [{ text: { pattern: '^(?=a)a$', max: 9 } }, /pattern/],
  [{ text: { pattern: '^(a$', max: 9 } }, /pattern/],
  [{ text: { pattern: 'a' } }, /max/],
  [{ number: { min: 2, max: 1 } }, /min is above its max/],
  [{ number: { min: 0, max: 1, step: 0 } }, /step/],
  [{ number: { min: 0 } }, /numbers/],
  [{ list: { of: [], min: 1, max: 2 } }, /texts without blanks/],
  [{ list: { of: ['a b'], min: 1, max: 2 } }, /blanks/],
  [{ list: { of: ['a'], min: 0, max: 2 } }, /1 <= min/],
  [{ words: ['a'] }, /a shape/],
  [{ any: [] }, /any/],
  [{ any: ['a', { number: { min: 2, max: 1 } }] }, /min is above/],
  [null, /a list of texts/],
  ['left', /a list of texts/],
])('%j is the mistake of its game, and nothing is legal by it', (shape, why) => {
  expect(mistakeIn(shape)).toMatch(why)
  expect(isLegal(shape as Shape, 'a')).toBe(false)
})

test('a shape is told to people', () => {
  expect(shapeText(mixed)).toBe(
    'a number from 1 to 9 in steps of 1, or "all in", or 2 to 3 of N | E | UP, with a blank between each two',
  )
})
