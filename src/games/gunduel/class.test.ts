import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const text = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')

/** What a class declares for heirs, in order: `int getAmmo() const`. */
const declared = (source: string): string[] =>
  (/class Player \{([^]*?)(?:private:|\n\};)/.exec(source)?.[1] ?? '')
    .replace(/\/\/.*/g, '')
    .replaceAll('std::size_t', 'size_t')
    .split('\n')
    .flatMap(
      (line) =>
        /^\s+((?:virtual |static |explicit |enum )?.*?\w+(?:\(.*?\)(?: const)?| \{.*?\}))/.exec(line)?.[1] ?? [],
    )
    // Names and values of parameters are not the class's shape.
    .map((declaration) => declaration.replace(/(\w) (?:action|result|max|opponent)\b[^,)]*/g, '$1'))
    .filter((declaration) => !declaration.includes('~'))

test('the rules show the class as its header declares it', () => {
  const rules = declared(text('RULES.md'))
  expect(rules).toContain('int getAmmoOpponent() const')
  expect(rules).toEqual(declared(text('shim/Player.hpp')))
})
