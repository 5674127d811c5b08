import fc from 'fast-check'
import { parse } from 'smol-toml'
import { type AST, parseTOML } from 'toml-eslint-parser'
import { expect, it } from 'vitest'
import { type TomlPath, TomlLines } from './toml-lines.js'

/** The places of the tables and keys that a document writes down, with their lines, as a parser that keeps its syntax tree has them. */
function placesOf(text: string): [TomlPath, number][] {
  const places: [TomlPath, number][] = []
  const keys = ({ keys: parts }: AST.TOMLKey): string[] =>
    parts.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))
  const pairAt = (pair: AST.TOMLKeyValue, base: TomlPath): void => {
    const place = [...base, ...keys(pair.key)]
    places.push([place, pair.loc.start.line])
  }
  for (const node of parseTOML(text).body[0].body) {
    if (node.type === 'TOMLKeyValue') pairAt(node, [])
    else {
      places.push([node.resolvedKey, node.loc.start.line])
      for (const pair of node.body) pairAt(pair, node.resolvedKey)
    }
  }
  return places
}

const value = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      '1',
      'true',
      '1979-05-27T07:32:00Z',
      '"a # ] } \\" b"',
      "'\\'",
      '"""\n  [x]\n""a"" \\\n  b\\"""""',
      "'''\ny = 1\n''''",
      '[]',
      '{}',
    ),
    fc
      .array(tie('value'), { maxLength: 3 })
      .map((all) => `[ # first\n${all.map((one) => `  ${one},\n`).join('# "\n')}]`),
    fc
      .array(tie('value'), { maxLength: 3 })
      .map((all) => `{ ${all.map((one, n) => `k${n}."x.y" = ${one}`).join(', ')} }`),
  ),
})).value
const pairs = fc
  .array(fc.tuple(fc.constantFrom('a', 'b.c', '"d e"', "'f g' . h"), value), { maxLength: 4 })
  .map((all) => all.map(([key, one], n) => `n${n}.${key} = ${one} # = "\n`).join('\n'))
const header = fc.constantFrom('[[entrants]]', '[[entrants.parts]]', '[ format ]', '["a b".c]', '[[ x . y ]]')
const documents = fc
  .tuple(pairs, fc.array(fc.tuple(header, pairs), { maxLength: 6 }))
  .map(([top, tables]) => `${top}\r\n${tables.map(([head, body]) => `${head} # [\n${body}`).join('\n')}`)
  .filter((text) => {
    try {
      parse(text)
      return true
    } catch {
      return false
    }
  })

it('finds each place on the line where a parser with a syntax tree has it', () => {
  let seen = 0
  fc.assert(
    fc.property(documents, (text) => {
      const lines = new TomlLines(text)
      const places = placesOf(text).map(([place, line]) => {
        seen++
        return { place, line, found: lines.of(place) }
      })
      expect(places.filter(({ line, found }) => line !== found)).toEqual([])
    }),
    { numRuns: 300 },
  )
  expect(seen).toBeGreaterThan(1000)
})
