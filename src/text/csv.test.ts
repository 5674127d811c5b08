import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cellText, csv } from './index.js'

it('what is written is what another reader of RFC 4180 reads', () => {
  const cell = fc
    .array(fc.constantFrom('a', '"', ',', '\r\n', '\n', '\r', ' ', '\t', '\ufeff', '=1', 'é', "'"), { maxLength: 5 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constant('x'), cell, cell), { minLength: 1 }), (rows) => {
      expect(parse(csv(rows), { record_delimiter: '\r\n' })).toEqual(rows)
    }),
  )
})

it('quotes only what has to be, and ends each line with CRLF', () => {
  expect(csv([['a', 'b c', ' d '], ['"', ',', 'x\ny'], []])).toBe('a,b c, d \r\n"""",",","x\ny"\r\n\r\n')
  expect(['=1+1', '+1', '-1', '@x', 'a=1', '\u001b'].map(cellText)).toEqual([
    "'=1+1",
    "'+1",
    "'-1",
    "'@x",
    'a=1',
    '\\u{1b}',
  ])
})

it('a name is no formula after blanks or a semicolon either, nor in wide characters', () => {
  expect(['  =1', '＝1', '＋1', '－1', '＠x', 'x;=1', 'x; @y', 'x;y', 'a - b', '-a;-b'].map(cellText)).toEqual([
    "'  =1",
    "'＝1",
    "'＋1",
    "'－1",
    "'＠x",
    "x;'=1",
    "x;' @y",
    'x;y',
    'a - b',
    "'-a;'-b",
  ])
})
