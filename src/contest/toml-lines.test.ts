import fc from 'fast-check'
import { parse, stringify } from 'smol-toml'
import { expect, test, vi } from 'vitest'
import { type TomlPath, TomlLines } from './toml-lines.js'

const text = `game = "samurai" # a comment = 3
"odd key" = 'x # y'
[format]
kind = """
two
lines"""
list = [
  1, # one
  [2, "]"],
]
a.b = 1

[[entrants]]
name = "Ant"
build = { with = "make", of = ['x', "y"] }

[[entrants]]
[entrants.deep]
x = 1979-05-27 07:32:00
[[entrants.deep.list]]
[[entrants.deep.list]]
y = '''
'''
z = true
`
const lines = new TomlLines(text)

test.each<[TomlPath, number]>([
  [['game'], 1],
  [['odd key'], 2],
  [['format'], 3],
  [['format', 'kind'], 4],
  [['format', 'list'], 7],
  [['format', 'list', 1, 1], 7],
  [['format', 'a', 'b'], 11],
  [['entrants'], 13],
  [['entrants', 0], 13],
  [['entrants', 0, 'name'], 14],
  [['entrants', 0, 'build', 'of', 1], 15],
  [['entrants', 1], 17],
  [['entrants', 1, 'deep', 'x'], 19],
  [['entrants', 1, 'deep', 'list', 1, 'y'], 22],
  [['entrants', 1, 'deep', 'list', 1, 'z'], 24],
])('%j stands in line %i', (place, line) => {
  expect(lines.of(place)).toBe(line)
})

test('what is not written down stands where its table does', () => {
  expect(lines.of(['entrants', 1, 'name'])).toBe(17)
  expect(lines.of(['nowhere'])).toBe(1)
})

/** Every place in a value. */
function places(value: unknown, at: TomlPath = []): TomlPath[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [
    at,
    ...Object.entries(value).flatMap(([key, inner]) =>
      places(inner, [...at, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

test('in any document each key is found on a line that holds it', () => {
  const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.string())
  const key = fc.stringMatching(/^[\w -]{1,8}$/)
  const table = fc.dictionary(key, fc.oneof(leaf, fc.array(leaf), fc.dictionary(key, leaf)))
  const document = fc.dictionary(key, fc.oneof(leaf, table, fc.array(table)))
  fc.assert(
    fc.property(document, (value) => {
      const toml = stringify(value)
      const scanned = new TomlLines(toml)
      const rows = toml.split('\n')
      for (const place of places(parse(toml))) {
        const last = place.at(-1)
        if (typeof last !== 'string' || !/^\w+$/.test(last)) continue
        const row = rows[scanned.of(place) - 1] ?? ''
        expect(row.includes(last) || rows.every((other) => !other.includes(last))).toBe(true)
      }
    }),
    { numRuns: 200 },
  )
})

test.each<[string, (n: number) => string]>([
  ['a key of many parts', (n) => `a${'.a'.repeat(n / 2)} = 1`],
  ['nothing but ends of lines', (n) => '\n'.repeat(n)],
  ['comments', (n) => '#\n'.repeat(n / 2)],
  ['a long list in deep ones', (n) => `a = ${'['.repeat(500)}${'1,'.repeat(n / 2)}${']'.repeat(500)}`],
  ['many tables', (n) => '[[b]]\n'.repeat(n / 6)],
  ['a text of backslashes', (n) => `a = """${'\\\\'.repeat(n / 2)}"""`],
])('%s takes places and memory by their length alone', (_, make) => {
  let made = 0
  const spy = vi.spyOn(JSON, 'stringify').mockImplementation((place: unknown) => {
    const key = (place as TomlPath).join('\n')
    made += key.length
    return key
  })
  try {
    const size = (n: number): number => {
      made = 0
      new TomlLines(make(n)).of(['a'])
      return made
    }
    const once = size(100_000)
    expect(size(200_000)).toBeLessThanOrEqual(2.2 * once + 200)
    expect(once).toBeLessThan(100_000 * 70)
  } finally {
    spy.mockRestore()
  }
  // An answer at all: no recursion and no regular expression runs out of stack.
  expect(new TomlLines(make(1_000_000)).of([])).toBe(1)
})
