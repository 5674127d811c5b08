import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FOREIGN, entriesOf, loadingOf, outputOf } from './module-answers.js'

/** Lines that no runner writes, whatever it is asked. */
const FOREIGN_LINES = [
  undefined,
  '',
  'null',
  'true',
  '1',
  '1e999',
  '"text"',
  '[]',
  '[[]]',
  '[null]',
  '{"loaded":tr',
  'B',
  '[1,2',
  '\0',
  '['.repeat(300_000),
  '['.repeat(100_000) + ']'.repeat(100_000),
  '{"a":'.repeat(100_000) + '0' + '}'.repeat(100_000),
  '{"__proto__":{"legal":true,"loaded":true,"output":"0","alone":"x"}}',
  '{"__proto__":null}',
  '{"constructor":1}',
  '{"legal":null,"loaded":true}',
  '{"legal":"true"}',
  '{"alone":null}',
  '{"alone":["x"]}',
  '{"unloadable":1}',
  '{"output":null}',
  '{"output":1}',
  '{"output":{"length":1}}',
  '{"threw":null}',
  '{"threw":["x"]}',
  '{"output":"0","threw":"x"}',
  '{"output":"0","more":1}',
]
const foreign = FOREIGN_LINES.map((line) => [line?.slice(0, 60), line] as const)

describe('a line of a module’s process that its runner never writes', () => {
  it.each(foreign)('%s is no answer to a question', (_, line) => {
    expect(outputOf(line)).toEqual({ trouble: 'crash', why: FOREIGN })
  })
  it.each(foreign)('%s is no word that it has been loaded', (_, line) => {
    expect(loadingOf(line)).toEqual({ unloadable: FOREIGN })
  })
  it.each([
    ...foreign,
    ...[
      '[[0,"0"]]',
      '[[0,"0"],[0,"0"],[0,"0"]]',
      '[[0,"0"],null]',
      '[[0,"0"],{"0":0}]',
      '[[0,"0"],["0"]]',
      '[[0,"0"],[-1]]',
      '[[0,"0"],[1e999]]',
      '[[0,"0"],[null,"0"]]',
      '[[0,"0"],[0,1]]',
      '[[0,"0"],[0,["0"]]]',
      '[[0,"0"],[0,null,true]]',
      '[[0,"0"],[0,"0",null,"agon:a=1"]]',
      '[[0,"0"],[0,"0",null,[1]]]',
      '{"0":[0,"0"],"1":[0,"0"],"length":2}',
    ].map((line) => [line, line] as const),
  ])('%s is no answer to a frame of two', (_, line) => {
    expect(entriesOf(line, 2)).toBeUndefined()
  })

  it('is never thrown over, whatever it is', () => {
    const line = fc.oneof(
      fc.json(),
      fc.string(),
      fc.json().map((text) => text.slice(0, -1)),
    )
    fc.assert(
      fc.property(line, fc.nat({ max: 3 }), (text, items) => {
        const output = outputOf(text)
        expect(output.out === undefined || typeof output.out === 'string').toBe(true)
        const loading = loadingOf(text)
        expect(typeof ('legal' in loading ? loading.legal : loading.unloadable)).toMatch(/boolean|string/)
        expect(entriesOf(text, items)?.length ?? items).toBe(items)
      }),
    )
  })
})

describe('what its runner writes', () => {
  it('is an answer to a question', () => {
    expect(outputOf('[[0,"0"]]')).toEqual({ out: '0' })
    expect(outputOf('[[0,""]]')).toEqual({ out: '' })
    expect(outputOf('[[0]]')).toEqual({})
    expect(outputOf('[[0,null,"threw Error: x"]]')).toEqual({ trouble: 'crash', why: 'threw Error: x' })
  })
  it('is a word that it has been loaded, or why not', () => {
    expect(loadingOf('{"legal":true}')).toEqual({ legal: true })
    expect(loadingOf('{"legal":false}')).toEqual({ legal: false })
    expect(loadingOf('{"unloadable":"it has no default export"}')).toEqual({ unloadable: 'it has no default export' })
  })
  it('is an answer to a frame', () => {
    const line = '[[1.5,"0"],[2],[3,null,"threw Error: x"],[4,"1",null,["agon:a=1"]]]'
    expect(entriesOf(line, 4)).toEqual([[1.5, '0'], [2], [3, null, 'threw Error: x'], [4, '1', null, ['agon:a=1']]])
    expect(entriesOf('[]', 0)).toEqual([])
  })
})
