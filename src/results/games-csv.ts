import { readFileSync } from 'node:fs'
import { UserError } from '../core/index.js'
import { type RatedGame, fieldOf } from '../stats/index.js'

const HEADER = ['first', 'second', 'score']
/** Places of the first and the second by the score of the first. */
const PLACES: ReadonlyMap<number, readonly number[]> = new Map([
  [1, [1, 2]],
  [0.5, [1, 1]],
  [0, [2, 1]],
])

/** A file of games: the field in the order of names, and a game a line. */
export interface GamesFile {
  readonly names: readonly string[]
  readonly games: readonly RatedGame[]
}

/**
 * Reads games as comma-separated values under the headings first, second, score: 1 if the first won, 0.5 for a draw, 0.
 * Names may be quoted; empty lines are skipped. Throws UserError, with its number, for a line that is no game.
 */
export function readGames(file: string): GamesFile {
  const field = fieldOf(rowsOf(file))
  if (field.games.length === 0)
    throw new UserError(`${file} holds no games: lines of ${HEADER.join()} below such a heading`)
  return field
}

/** The games one by one: only their sums are held. */
function* rowsOf(file: string): Generator<{ readonly names: readonly string[]; readonly place: readonly number[] }> {
  let headed = false
  for (const { line, cells } of linesOf(file)) {
    const refuse = (why: string) => new UserError(`${file}:${line}: ${why}`)
    if (!headed) {
      if (cells.join() !== HEADER.join()) throw refuse(`the first line has to be "${HEADER.join()}"`)
      headed = true
      continue
    }
    if (cells.length !== HEADER.length) throw refuse(`${cells.length} cells, and a game has 3: ${HEADER.join()}`)
    const [first, second, score] = cells as readonly [string, string, string]
    if (first === '' || second === '') throw refuse('a name is missing')
    if (first === second) throw refuse(`"${first}" plays against itself`)
    const place = score === '' ? undefined : PLACES.get(Number(score))
    if (place === undefined) throw refuse(`the score is 1, 0.5 or 0, and here it is "${score}"`)
    yield { names: [first, second], place }
  }
}

/** A cell, quoted or not, with the comma behind it. */
const CELL = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y

/** A file's lines that are not empty, cells trimmed. Spreadsheets put a byte order mark in front. */
function* linesOf(file: string): Generator<{ readonly line: number; readonly cells: readonly string[] }> {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  for (const [i, own] of text.split(/\r?\n/).entries()) {
    if (own.trim() === '') continue
    const cells = own.includes('"') ? quotedCells(own) : own.split(',').map((cell) => cell.trim())
    if (cells === undefined)
      throw new UserError(`${file}:${i + 1}: a quote is not closed, or stands in the middle of a cell`)
    yield { line: i + 1, cells }
  }
}

/** A line's cells; undefined: an unpaired quote. No name goes over several lines. */
function quotedCells(line: string): readonly string[] | undefined {
  const cells: string[] = []
  CELL.lastIndex = 0
  for (;;) {
    const [, quoted, plain = '', comma] = CELL.exec(line) ?? []
    if (comma === undefined) return undefined
    cells.push(quoted?.replaceAll('""', '"') ?? plain.trim())
    if (comma === '') return cells
  }
}
