import type { FinalTable, PlayedOut, PublishedTable } from '../../core/index.js'
import type { State } from './rules.js'

/** A line for each duellist: its name, and the characters of all its turns, as the contest's programs are given them. */
export const transcript = ({ names, states }: PlayedOut): string =>
  (states.at(-1) as State).histories.map((history, seat) => `${names[seat]}: ${history}\n`).join('')

/** The scoreboard of 2017: player, language, points, and the points of each round that it was in. */
export const published = ({ columns, rows }: FinalTable): PublishedTable => ({
  form: 'markdown',
  columns: [
    { head: 'Player', cells: rows.map(({ name }) => name) },
    { head: 'Language', cells: rows.map(({ language }) => language) },
    { head: 'Points', cells: rows.map(({ points }) => String(points)), right: true },
    ...columns.map((head, i) => ({
      head,
      cells: rows.map(({ cells }) => (cells[i] === null || cells[i] === undefined ? '' : String(cells[i]))),
      right: true,
    })),
  ],
})
