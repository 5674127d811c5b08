import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { shimCommand } from '../src/build/build.js'
import { languageOf } from '../src/build/language.js'
import { lookUp } from '../src/core/index.js'

const SRC = fileURLToPath(new URL('../src', import.meta.url))
/** A table by words, and the places where a file asks it for one that is computed. */
const TABLE = /\bconst (\w+): (?:Readonly<)?Record<string, /g

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']

/** Tables of a file that are asked for a word with brackets: what every object inherits would be found in them. */
function askedByBrackets(text: string): string[] {
  return [...text.matchAll(TABLE)].flatMap(([, name = '']) => {
    // A text or a sum in the brackets is no plain name, and what is written to is not asked.
    const asked = new RegExp(`(?<![\\w.])${name}\\[(?!['"\`\\]])(?![^\\]]* \\+ )[^\\]]*\\](?!\\s*=[^=])`)
    const lines = text.split('\n').filter((line) => asked.test(line) && !line.includes(`Object.hasOwn(${name},`))
    return lines.map((line) => line.trim())
  })
}

describe("a stranger's word is looked up in what a table itself says", () => {
  it.each(NAMES)('%s', (name) => {
    expect(lookUp({}, name)).toBeUndefined()
    expect(lookUp(Object.fromEntries([[name, 1]]), name)).toBe(1)
    const entrant = { name: 'A', command: [`./${name}`, `x.${name}`] }
    expect(languageOf(entrant, [`a.${name}`])).toBeUndefined()
    expect(languageOf(entrant, [`a.${name}`, 'b.py'])).toBe('Python')
    const shim = { folder: '/s', command: [`{${name}}`, '{out}'], files: [], headers: new Set<string>(), hash: '' }
    expect(shimCommand(shim, fileURLToPath(import.meta.url), [], 'o')).toEqual([`{${name}}`, 'o'])
  })

  it('everywhere: no such table is asked with brackets', () => {
    expect(askedByBrackets('const T: Record<string, number> = {}\nT[name]')).toEqual(['T[name]'])
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && !/\.test\.|\/bots\//.test(file),
    )
    const asked = files.flatMap((file) =>
      askedByBrackets(readFileSync(join(SRC, file), 'utf8')).map((what) => `${file}: ${what}`),
    )
    expect(asked).toEqual([])
  })
})
