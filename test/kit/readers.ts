import { CsvError } from 'csv-parse/sync'
import { parseCsv } from '../../src/results/file.js'
import { relativeImport } from '../../src/build/source.js'
import { withoutComments } from '../../src/build/class-entry.js'
import { splitCommand } from '../../src/contest/words.js'
import { isFault, newLuck, shownSeats, wiresOf } from '../../src/core/index.js'
import { games } from '../../src/games/index.js'
import { OutputTrimmer, Position, judgeContext, unreadyOf } from '../../src/match/index.js'
import { shorten, width } from '../../src/text/index.js'

type Reader = (text: string) => unknown

/** What strangers' texts are made of. */
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

/** Texts of some length that are hard to read: runs of these pieces, with another one before and behind them. */
export const HARD_TEXTS: readonly ((length: number) => string)[] = PIECES.flatMap((piece) =>
  ENDS.map((end) => (length: number) => `a${piece.repeat(length / piece.length)}${end}`).concat((length) =>
    piece.repeat(length / piece.length),
  ),
)

/** All that agon does with what a seat prints, by game and wire. */
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
    const position = new Position(context, fixture)
    const { state } = position
    const due = position.due()
    const seat = due[0] ?? 0
    const view = definition.game.view(state, seat)
    const read: Reader = (text) => {
      const output = { out: text, file: text }
      const { move } = position.read(seat, output, view)
      unreadyOf(context, [[seat, output]])
      new OutputTrimmer(2).trim(seat, output, (each) => position.read(seat, each, view))
      const moves = seats.map((_, other) => (due.includes(other) ? move : undefined))
      const after = definition.game.play(state, moves)
      return definition.board?.(after, shownSeats([])) ?? isFault(move)
    }
    return [`${definition.game.id} ${wire}`, read] as const
  }),
)

function swallow(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof CsvError)) throw error
  }
}

/** Whatever reads a stranger's text, by its name. */
export const READERS: readonly (readonly [name: string, read: Reader])[] = [
  ...wires,
  ['comments', withoutComments],
  ['imports', relativeImport],
  ['commands', (text) => swallow(() => splitCommand(text))],
  ['comma-separated values', (text) => swallow(() => parseCsv(text))],
  ['quoted values', (text) => swallow(() => parseCsv(`"${text}`))],
  ['widths', width],
  ['shortening', (text) => shorten(text, text.length)],
]
