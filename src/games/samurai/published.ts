import type { FinalTable, PlayedOut, PublishedTable } from '../../core/index.js'
import type { State } from './rules.js'

/** A line for each samurai: its name, and the letters of all its turns, as the contest's programs are given them. */
export const transcript = ({ names, states }: PlayedOut): string =>
  (states.at(-1) as State).samurai.map(({ history }, seat) => `${names[seat]}: ${history}\n`).join('')

/** 'The Observer: 209.0', a line an entrant. */
export const published = ({ rows }: FinalTable): PublishedTable => ({
  form: { between: ': ' },
  columns: [
    { head: 'Name', cells: rows.map(({ name }) => name) },
    { head: 'Points', cells: rows.map(({ points }) => points.toFixed(1)) },
  ],
})
