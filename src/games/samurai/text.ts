import type { FinalTable, PlayedOut, PublishedTable, Seat } from '../../core/index.js'
import type { Samurai, State, View } from './rules.js'

export const actions: Readonly<Record<string, string>> = {
  W: 'wait',
  B: 'bow',
  G: 'guard',
  I: 'quick draw',
  P: 'parry',
  O: 'overhead strike',
}

export const fields: Readonly<Record<keyof View, string>> = {
  turn: 'the coming turn, from 1',
  turns: 'turns after which the match is a draw',
  sword: 'honour that grants the Sword of the Gods, with which a strike takes 2 health',
  history: 'your own actions so far, a letter a turn',
  enemyHistory: "the enemy's",
  health: 'your own health; dead at 0 or below',
  enemyHealth: "the enemy's",
  honour: 'your own honour; below 0 the gods strike you down',
  enemyHonour: "the enemy's",
}

/** What of a view matters for the rest: of histories only whether the last letter was a guard (rule 2.3). */
export function essence({ history, enemyHistory, ...rest }: View): unknown {
  return { ...rest, guarded: history.endsWith('G'), enemyGuarded: enemyHistory.endsWith('G') }
}

export function text(view: View, seat: Seat): string {
  const own = { history: view.history, health: view.health, honour: view.honour }
  const enemy = { history: view.enemyHistory, health: view.enemyHealth, honour: view.enemyHonour }
  return [
    `turn ${view.turn} of ${view.turns}, seat ${seat}`,
    line('you', own, view.sword),
    line('enemy', enemy, view.sword),
  ].join('\n')
}

export function board(state: State): string {
  return state.samurai.map((one, seat) => line(`seat ${seat}`, one, state.options.sword)).join('\n')
}

export function figures({ samurai }: State, seat: Seat): string {
  const one = samurai[seat]
  return `${one?.health} health, ${one?.honour} honour`
}

/** A history's last letters are enough to follow a duel. */
const SHOWN = 30

function line(who: string, one: Samurai, sword: number): string {
  const past = one.history.length > SHOWN ? `…${one.history.slice(-SHOWN)}` : one.history || '–'
  const weapon = one.honour >= sword ? '  Sword of the Gods' : ''
  return `${who.padEnd(6)}  health ${String(one.health).padStart(2)}  honour ${String(one.honour).padStart(2)}  ${past}${weapon}`
}

/** A line a samurai: its name, and its turns' letters, as the contest's programs get them. */
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
