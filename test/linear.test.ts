import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCsv } from '../src/results/file.js'
import { HARD_TEXTS, READERS } from './kit/readers.js'

/* How the time grows with the length of a text, `npm run bench -- growth` measures. */
describe("a stranger's text of any kind is read to its end", () => {
  it.each(READERS)('%s', (_, read) => {
    for (const make of HARD_TEXTS) expect(() => read(make(16 * 1024))).not.toThrow()
  })
})

describe('what was written without a regular expression reads the same as one', () => {
  it('comma-separated values', () => {
    const sandbox = fc
      .array(fc.constantFrom('a', '"', ',', '\r\n', '\n', 'é'), { maxLength: 4 })
      .map((parts) => parts.join(''))
    const quoted = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
    fc.assert(
      fc.property(fc.array(fc.tuple(sandbox, sandbox, sandbox), { minLength: 1 }), (rows) => {
        const text = ['x,y,z', ...rows.map((row) => row.map(quoted).join(','))].map((line) => `${line}\r\n`).join('')
        expect(parseCsv(text)).toEqual(rows)
      }),
    )
  })
})
