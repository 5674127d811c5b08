import { readFileSync } from 'node:fs'
import { CsvError, parse } from 'csv-parse/sync'
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

interface Line {
  /** From 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** The lines of a file that are not empty, blanks around their cells taken off. Spreadsheets put a byte order mark in front. */
function linesOf(file: string): Iterable<Line> {
  const text = readFileSync(file, 'utf8')
  if (!text.includes('"')) return plainLines(text)
  const lines: Line[] = []
  const unquoted = (line: number): UserError =>
    new UserError(`${file}:${line}: a quote is not closed, or stands in the middle of a cell`)
  try {
    parse(text, {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n'],
      on_record(cells: string[], { lines: line }) {
        // No name goes over several lines: the quote before it was not closed on its own.
        if (cells.some((cell) => cell.includes('\n'))) throw unquoted(nextLine(text, lines.at(-1)?.line ?? 0))
        lines.push({ line, cells })
        return null
      },
    })
  } catch (error) {
    if (error instanceof CsvError) throw unquoted(nextLine(text, lines.at(-1)?.line ?? 0))
    throw error
  }
  return lines
}

/** The lines of a text without quotes: a parser's work takes ten times as long. */
function* plainLines(text: string): Generator<Line> {
  let line = 0
  for (const one of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    line++
    if (one.trim() !== '') yield { line, cells: one.split(',').map((cell) => cell.trim()) }
  }
}

/** The number of the first line that is not empty behind another one. */
function nextLine(text: string, behind: number): number {
  const lines = text.split('\n')
  let line = behind + 1
  while (line < lines.length && lines[line - 1]?.trim() === '') line++
  return line
}
