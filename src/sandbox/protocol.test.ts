import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ANSWERS, END, LENGTH, NOTE, PROTOCOL, REQUESTS, STOP, TURN } from './protocol.js'

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
const header = read('launcher/protocol.h').replace(/\/\*[^]*?\*\//g, '')

/** All names of the header, `REQUEST_TURN`, with their letters or numbers. */
const named = [
  ...[...header.matchAll(/\b([A-Z_]+)\s*=\s*(?:'(.)'|(\d+))/g)].map(
    ([, name = '', letter, number]) => [name, letter ?? Number(number)] as const,
  ),
  ...[...header.matchAll(/#define (\w+) (0x\w+)u/g)].map(([, name = '', value]) => [name, Number(value)] as const),
]

/** Names as the header has them: `notStarted` of END is END_NOT_STARTED. */
const inHeader = (prefix: string, names: Readonly<Record<string, string | number>>) =>
  Object.entries(names).map(
    ([name, value]) => [`${prefix}_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`, value] as const,
  )

describe('the protocol', () => {
  it('has the same names for agon and for the launcher', () => {
    const ours = [
      ...inHeader('PROTOCOL', PROTOCOL),
      ...inHeader('REQUEST', REQUESTS),
      ...inHeader('ANSWER', ANSWERS),
      ...inHeader('TURN', TURN),
      ...inHeader('END', END),
      ...inHeader('STOP', STOP),
      ...inHeader('NOTE', NOTE),
      ...inHeader('LENGTH', LENGTH),
    ]
    expect(named.length).toBe(header.match(/=|#define (?!AGON)/g)?.length)
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(ours))
  })

  it('has a letter for each kind, which the docs tell', () => {
    const [, requests = '', answers = ''] = read('../../docs/sandbox.md').split(/^\| (?:request|answer) \| body \|$/m)
    for (const [kinds, text] of [
      [REQUESTS, requests],
      [ANSWERS, answers],
    ] as const) {
      const letters = Object.values(kinds).sort()
      expect(new Set(letters).size).toBe(letters.length)
      const rows = [...text.matchAll(/^\| (.*?) \| /gm)].map(([, kind = '']) => kind)
      expect(
        rows.flatMap((row) => [...row.matchAll(/`(.)` /g), ...row.matchAll(/^`(.)`$/g)].map(([, k]) => k)).sort(),
      ).toEqual(letters)
    }
  })
})
