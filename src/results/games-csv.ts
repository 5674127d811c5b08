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

/** What a file of games holds: the field in the order of the names, and a game a line. */
export interface GamesFile {
  readonly names: readonly string[]
  readonly games: readonly RatedGame[]
}

/**
 * Reads games as comma-separated values under the headings first, second, score: 1 where the first won, 0.5 for a draw, 0.
 * Names may stand in quotes; empty lines are skipped. Throws UserError for a line that is no game, with its number.
 */
export function readGames(file: string): GamesFile {
  const field = fieldOf(rowsOf(file))
  if (field.games.length === 0)
    throw new UserError(`${file} holds no games: lines of ${HEADER.join()} below such a heading`)
  return field
}

/** The games one by one: of a long file nothing is held but what they come to. */
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

/** A cell, in quotes or not, with the comma behind it. */
const CELL = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y

/** The lines of a file that are not empty, blanks around their cells taken off. Spreadsheets put a byte order mark in front. */
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

/** The cells of a line; undefined: a quote in it has no partner. No name goes over several lines. */
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
