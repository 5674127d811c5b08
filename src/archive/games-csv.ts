import { readFileSync } from 'node:fs'
import { UserError } from '../core/index.js'
import { type Game, fieldOf } from '../rating/index.js'

const HEADER = ['first', 'second', 'score']
/** Places of the first and the second by the score of the first. */
const PLACES: ReadonlyMap<number, readonly number[]> = new Map([
  [1, [1, 2]],
  [0.5, [1, 1]],
  [0, [2, 1]],
])

/** What a file of games holds: the field in the order of first appearance, and a game a line. */
export interface GamesFile {
  readonly names: readonly string[]
  readonly games: readonly Game[]
}

/**
 * Reads games as comma-separated values under the headings first, second, score: 1 where the first won, 0.5 for a draw, 0.
 * Names may stand in quotes; empty lines are skipped. Throws UserError for a line that is no game, with its number.
 */
export function readGames(file: string): GamesFile {
  const games: { names: readonly string[]; place: readonly number[] }[] = []
  let headed = false
  // Spreadsheets put a byte order mark in front.
  const lines = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
  lines.forEach((line, i) => {
    if (line.trim() === '') return
    const refuse = (why: string) => new UserError(`${file}:${i + 1}: ${why}`)
    const cells = cellsOf(line)
    if (cells === undefined) throw refuse('a quote is not closed, or stands in the middle of a cell')
    if (!headed) {
      if (cells.join() !== HEADER.join()) throw refuse(`the first line has to be "${HEADER.join()}"`)
      headed = true
      return
    }
    if (cells.length !== HEADER.length) throw refuse(`${cells.length} cells, and a game has 3: ${HEADER.join()}`)
    const [first = '', second = '', score = ''] = cells
    if (first === '' || second === '') throw refuse('a name is missing')
    if (first === second) throw refuse(`"${first}" plays against itself`)
    const place = score === '' ? undefined : PLACES.get(Number(score))
    if (place === undefined) throw refuse(`the score is 1, 0.5 or 0, and here it is "${score}"`)
    games.push({ names: [first, second], place })
  })
  if (games.length === 0) throw new UserError(`${file} holds no games: lines of ${HEADER.join()} below such a heading`)
  return fieldOf(games)
}

/** The cells of a line, blanks around them taken off; a quote within quotes is doubled. undefined: the quotes do not fit. */
function cellsOf(line: string): readonly string[] | undefined {
  const cells: string[] = []
  const cell = /\s*(?:"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y
  for (;;) {
    const found = cell.exec(line)
    if (!found) return undefined
    cells.push(found[1]?.replaceAll('""', '"') ?? (found[2] ?? '').trim())
    if (found[3] !== ',') return cells
  }
}
