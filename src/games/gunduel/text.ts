import type { FinalTable, PlayedOut, PublishedTable, Seat } from '../../core/index.js'
import type { Action, State, View } from './rules.js'

export const actions: Readonly<Record<Action, string>> = {
  '0': 'load',
  '1': 'bullet',
  '2': 'plasma',
  '-': 'metal shield',
  '=': 'thermal deflector',
}

export const fields: Readonly<Record<keyof View, string>> = {
  turn: 'turns played',
  turns: 'turns after which the duel is a draw',
  ammo: 'rounds in your gun; negative once it has burst',
  opponentAmmo: "rounds in the opponent's",
  history: 'your own actions, a character a turn',
  opponentHistory: "the opponent's",
  over: 'why the duel is over; null while it goes on',
}

/** What of a view matters for the rest of the duel. */
export const essence = ({ turn, turns, ammo, opponentAmmo }: View): Partial<View> => ({
  turn,
  turns,
  ammo,
  opponentAmmo,
})

export function text(view: View): string {
  const head = view.over === null ? `turn ${view.turn} of ${view.turns}` : `over after turn ${view.turn}: ${view.over}`
  return [head, row('you', view.ammo, view.history), row('foe', view.opponentAmmo, view.opponentHistory)].join('\n')
}

export function board({ ammo, histories, end, options }: State): string {
  const turn = histories[0].length
  const head = end === null ? `turn ${turn} of ${options.turns}` : `over after turn ${turn}: ${end.reason}`
  const line = (seat: 0 | 1): string =>
    row(`seat ${seat}`, ammo[seat], histories[seat]) + (end?.lost[seat] ? '  lost' : '')
  return [head, line(0), line(1)].join('\n')
}

export const figures = ({ ammo }: State, seat: Seat): string => roundsText(ammo[seat])

export const roundsText = (count = 0): string => (count === 1 ? '1 round' : `${count} rounds`)

function row(who: string, ammo: number, history: string): string {
  return `${who}  ${String(ammo).padStart(2)} ${ammo === 1 ? 'round ' : 'rounds'}  ${history}`
}

/** A line a duellist: its name, and its turns' characters, as the contest's programs get them. */
export const transcript = ({ names, states }: PlayedOut): string =>
  (states.at(-1) as State).histories.map((history, seat) => `${names[seat]}: ${history}\n`).join('')

/** The scoreboard of 2017: player, language, points, and points of each round that it was in. */
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
