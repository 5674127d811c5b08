import { describe, expect, it } from 'vitest'
import { parseStrange } from './json.js'

const nested = (levels: number, [open, close] = ['[', ']']): string => open.repeat(levels) + close.repeat(levels)

describe('JSON of a stranger', () => {
  it.each([
    ['a thousand levels', nested(1000)],
    ['many values beside each other', `[${Array(5000).fill('[{}]').join(',')}]`],
    ['brackets in texts', JSON.stringify({ a: '['.repeat(5000), ['{'.repeat(5000)]: '\\"[\\' })],
    ['quotes and backslashes', JSON.stringify(Array(2000).fill('\\"[{\\\\'))],
  ])('is read: %s', (_, text) => {
    expect(parseStrange(text)).toEqual(JSON.parse(text))
  })

  it.each([
    ['arrays', nested(1001)],
    ['objects', nested(1001, ['{"a":', '}']).replace(':}', ':0}')],
    ['arrays that are not closed', '['.repeat(20_000_000)],
    ['arrays behind texts with quotes', `["\\\\","\\"",${nested(1001)}]`],
  ])('is refused where it has too many levels: %s', (_, text) => {
    expect(() => parseStrange(text)).toThrow(/more than 1000 values/)
  })

  it.each([
    // A value in each and a comma behind it, or the comma alone.
    ['arrays', '[],', 2],
    ['objects', '{},', 2],
    ['numbers', '1,', 1],
  ])('is refused where it has too many values: %s', (_, one, each) => {
    const text = (values: number): string => `[${one.repeat(values / each)}1]`
    const most = 2 ** 22
    expect(parseStrange(text(most - 2))).toHaveLength((most - 2) / each + 1)
    expect(() => parseStrange(text(most))).toThrow('more than 4194304 values')
    expect(parseStrange(JSON.stringify({ text: '[,{'.repeat(most) }))).toEqual({ text: '[,{'.repeat(most) })
  })

  it('is refused where it is none', () => {
    expect(() => parseStrange('{')).toThrow(SyntaxError)
    expect(() => parseStrange(`"${'x'.repeat(5000)}`)).toThrow(SyntaxError)
  })
})
