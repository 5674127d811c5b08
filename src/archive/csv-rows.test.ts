import { expect, it } from 'vitest'
import { parseCsv } from './csv-rows.js'

it('reads what stands below the heading, line ends within quotes included', () => {
  expect(parseCsv('a,b\r\n')).toEqual([])
  expect(parseCsv(Buffer.from('a,b\r\n1,"x\r\ny\n""é"""\r\n,\r\n'))).toEqual([
    ['1', 'x\r\ny\n"é"'],
    ['', ''],
  ])
})

it.each([
  ['a row that is too short', 'a,b\r\n1,2\r\n3\r\n', /line 3/],
  ['a row that is too long', 'a,b\r\n1,2,3\r\n', /line 2/],
  ['a quote that is not closed', 'a,b\r\n1,"2\r\n', /not closed/i],
  ['a quote within a value', 'a,b\r\n1,x"2"\r\n', /line 2/],
  ['something behind a closed quote', 'a,b\r\n1,"2"x\r\n', /line 2/],
])('refuses %s', (_, text, line) => {
  expect(() => parseCsv(text)).toThrow(line)
})

it.each([',', '\n'])('a table of more cells than any part has is refused before it is read: %j', (one) => {
  expect(() => parseCsv(Buffer.alloc(2 ** 25 + 1, one))).toThrow('it has more than 33554432 cells')
})
