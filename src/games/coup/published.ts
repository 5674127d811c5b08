import type { FinalTable, PlayedOut, PublishedTable } from '../../core/index.js'
import type { State } from './rules.js'

/** The game file, as the arbiter leaves it: a line a turn, a sign a decision (RULES.md, section 8). */
export const transcript = ({ states }: PlayedOut): string => (states.at(-1) as State).file

/** Points and a name in a line, as on the contest's leaderboard. */
export const published = ({ rows }: FinalTable): PublishedTable => ({
  form: { between: ' ' },
  columns: [
    { head: 'Points', cells: rows.map(({ points }) => String(points)) },
    { head: 'Name', cells: rows.map(({ name }) => name) },
  ],
})
