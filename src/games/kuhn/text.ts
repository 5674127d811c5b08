import type { Seat } from '../../core/index.js'
import type { Action, Card, State, View } from './rules.js'

export const actions: Readonly<Record<Action, string>> = {
  pass: 'put in no chip; a bet is given up to',
  bet: 'put in a chip, or pay the other’s',
}

export const fields: Readonly<Record<keyof View, string>> = {
  seat: 'your seat: 0 begins',
  card: 'your card: J below Q below K',
  said: 'what both have said so far, in turn, seat 0 first',
  shown: 'the cards by seat, once they are laid open; before that nothing',
}

const NAMES: Readonly<Record<Card, string>> = { J: 'jack', Q: 'queen', K: 'king' }

export const saidText = (said: readonly Action[]): string => (said.length === 0 ? 'nothing said' : said.join(', '))

export const text = ({ seat, card, said, shown }: View): string =>
  [
    `seat ${seat}, you hold the ${NAMES[card]}`,
    shown.length > 0 ? `${saidText(said)}; laid open: ${shown.join(' against ')}` : saidText(said),
  ].join('\n')

export const board = ({ cards, said }: State): string =>
  [...cards.map((card, seat) => `seat ${seat}  ${NAMES[card].padEnd(5)}  ${paid(said, seat)} in`), saidText(said)].join(
    '\n',
  )

export const figures = ({ cards, said }: State, seat: Seat): string =>
  `${cards[seat === 0 ? 0 : 1]}, ${paid(said, seat)} in`

/** Chips in the pot: the ante, and one a bet (rules 1.2 and 2.1). */
export const paid = (said: readonly Action[], seat: Seat): number =>
  1 + said.filter((action, n) => n % 2 === seat && action === 'bet').length
