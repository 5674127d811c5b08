import type { Seat } from '../../core/index.js'
import type { Action, Card, State, View } from './rules.js'

export const actions: Readonly<Record<Action, string>> = {
  fold: 'give up the pot',
  call: 'pay what is owed, if anything',
  raise: 'pay that and 2 chips more, 4 in the second round',
}

export const fields: Readonly<Record<keyof View, string>> = {
  seat: 'your seat: 0 begins each round',
  card: 'your card: J below Q below K, two of each',
  table: 'the card on the table; empty in the first round',
  rounds: 'what was said in each round, in turn, seat 0 first',
  chips: 'what each seat has in the pot',
  shown: 'the cards by seat, once they are laid open; before that nothing',
}

const NAMES: Readonly<Record<Card, string>> = { J: 'jack', Q: 'queen', K: 'king' }
const tableText = (table: Card | ''): string =>
  table === '' ? 'no card on the table' : `the ${NAMES[table]} on the table`
export const roundsText = (rounds: readonly (readonly Action[])[]): string =>
  rounds.map((round, n) => `round ${n + 1}: ${round.join(', ') || 'nothing said'}`).join('; ')

export const text = ({ seat, card, table, rounds, chips, shown }: View): string =>
  [
    `seat ${seat}, you hold the ${NAMES[card]}, ${tableText(table)}`,
    `${chips[seat === 0 ? 0 : 1]} chips of yours in the pot, ${chips[seat === 0 ? 1 : 0]} of the other`,
    shown.length > 0 ? `${roundsText(rounds)}; laid open: ${shown.join(' against ')}` : roundsText(rounds),
  ].join('\n')

export const board = ({ cards, table, rounds, chips }: State): string =>
  [
    ...cards.map((card, seat) => `seat ${seat}  ${NAMES[card].padEnd(5)}  ${chips[seat === 0 ? 0 : 1]} in`),
    tableText(table),
    roundsText(rounds),
  ].join('\n')

export const figures = ({ cards, chips }: State, seat: Seat): string =>
  `${cards[seat === 0 ? 0 : 1]}, ${chips[seat === 0 ? 0 : 1]} in`
