import { CsvError } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCsv } from '../src/archive/csv-rows.js'
import { relativeImport, withoutComments } from '../src/build/source-text.js'
import { splitCommand } from '../src/contest/words.js'
import { isFault, newLuck, wiresOf } from '../src/core/index.js'
import { games } from '../src/games/index.js'
import { OutputTrimmer, judgeContext, moveOf, unreadyOf } from '../src/match/index.js'
import { shorten, width } from '../src/text/index.js'

/*
 * Whatever reads a stranger's text takes time by its length, and not by the square of it. Times are only compared with each
 * other: 16 times the text may take up to 120 times as long (the square would take 256), the best of some tries, and
 * what takes less than some milliseconds cannot be distinguished from noise.
 */
type Reader = (text: string) => unknown

/** Milliseconds of this process's own time: a busy machine stretches long runs, and not short ones. */
const once = (read: Reader, text: string): number => {
  const began = process.cpuUsage()
  read(text)
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
const best = (read: Reader, text: string): number => Math.min(...[1, 2, 3].map(() => once(read, text)))

const NOISE_MS = 100
function expectLinear(read: Reader, make: (n: number) => string): void {
  const long = make(64 * 1024)
  if (once(read, long) > NOISE_MS) expect(best(read, long)).toBeLessThan(120 * best(read, make(4 * 1024)) + NOISE_MS)
}

/** Runs of these, with another one before and behind them. */
const PIECES = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\xa0',
  '\x01',
  '\0',
  '0',
  '9',
  '-',
  '"',
  '""',
  "'",
  '\\',
  '/*',
  '/* ',
  '//',
  '*',
  '[',
  '{',
  '{"a":',
  '%',
  'é',
  '\xff',
  'a.',
  'a',
  '# ',
  'import\n',
  "import './",
  'export ',
  'class ',
  'class a ',
  ',',
  '1 ',
  'D',
  'B',
  '#',
]
const ENDS = ['b', '"']
const nasty = PIECES.flatMap((piece) =>
  ENDS.map((end) => (n: number) => `a${piece.repeat(n / piece.length)}${end}`).concat((n) =>
    piece.repeat(n / piece.length),
  ),
)

const wires: readonly (readonly [string, Reader])[] = games.flatMap((definition) =>
  Object.keys(wiresOf(definition, definition.game.options)).map((wire) => {
    const options =
      definition.game.id === 'stronger' ? { ...definition.game.options, controller: '2015' } : definition.game.options
    const seats = Array.from({ length: Math.max(2, definition.game.seats.min) }, (_, id) => ({
      entrant: `E${id}`,
      wire,
      id,
    }))
    const fixture = {
      agon: 1,
      game: definition.game.id,
      version: definition.game.version,
      options,
      luck: newLuck('x'),
      field: 2,
      seats,
    } as const
    const context = judgeContext(definition, fixture)
    const state = definition.game.setup(seats.length, options, fixture.luck)
    const due = definition.game.toMove(state)
    const seat = due[0] ?? 0
    const view = definition.game.view(state, seat)
    const read: Reader = (text) => {
      const output = { out: text, file: text }
      const move = moveOf(context, new Map(), seat, output, view)
      unreadyOf(context, [[seat, output]])
      new OutputTrimmer(2).trim(seat, output, (each) => moveOf(context, new Map(), seat, each, view))
      const moves = seats.map((_, other) => (due.includes(other) ? move : undefined))
      const after = definition.game.play(state, moves)
      return definition.board?.(after) ?? isFault(move)
    }
    return [`${definition.game.id} ${wire}`, read] as const
  }),
)

describe('the time to read a text grows with its length', () => {
  it.each([
    ...wires,
    ['comments', withoutComments],
    ['imports', relativeImport],
    ['commands', (text) => swallow(() => splitCommand(text))],
    ['comma-separated values', (text) => swallow(() => parseCsv(text))],
    ['quoted values', (text) => swallow(() => parseCsv(`"${text}`))],
    ['widths', width],
    ['shortening', (text) => shorten(text, text.length)],
  ] as readonly (readonly [string, Reader])[])('%s', (_, read) => {
    for (const make of nasty) expectLinear(read, make)
  })
})

function swallow(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof CsvError)) throw error
  }
}

describe('what was written without a regular expression reads the same as one', () => {
  const texts = fc
    .array(fc.constantFrom(...PIECES, ...ENDS, '*/', 'import ', "from './a.js'", '"../b"', ' type x', ';', '`'), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''))

  it('comments', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(withoutComments(text)).toBe(text.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, ''))
      }),
      { numRuns: 2000 },
    )
  })
  it('imports', () => {
    const imports = /^[ \t]*(?:import|export)\b(?!\s+type\b)[^'"`;]*?['"](\.{1,2}\/[^'"]+)['"]/m
    fc.assert(
      fc.property(texts, (text) => {
        expect(relativeImport(text)).toBe(imports.exec(text)?.[1])
      }),
      { numRuns: 2000 },
    )
  })
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
