import type { Seat } from '../../core/index.js'
import { CARDS, NAMES, WORDS, cardsOf, giveUp } from './cards.js'
import { lastLine } from './line.js'
import type { State } from './rules.js'
import type { View } from './view.js'

/** What each action means; every single card and every pair that can be kept has its own entry. */
export const actions: Readonly<Record<string, string>> = Object.fromEntries<string>([
  ...Object.entries(WORDS),
  ...CARDS.map((card) => [card, `show the ${NAMES[card]}`] as const),
  ...CARDS.map((card) => [giveUp(card), `give up the ${NAMES[card]}`] as const),
  ...CARDS.map((card) => [`keep ${card}`, `keep the ${NAMES[card]}`] as const),
  ...CARDS.flatMap((a) => CARDS.map((b) => [`keep ${a}${b}`, `keep ${NAMES[a]} and ${NAMES[b]}`] as const)),
])

/** What a seat may know, in a few lines. */
export function text(view: View): string {
  return [
    `call ${view.turn + 1} of at most ${view.options.turns}`,
    `you:  ${coins(view.coins)}, ${named(view.cards)}${gone(view.lost)}`,
    `they: ${coins(view.theirCoins)}, ${hidden(view.theirCards)}${gone(view.theirLost)}`,
    ...(view.drawn === '' ? [] : [`on offer: ${named(view.drawn)}`]),
    ...recent(view.file),
  ].join('\n')
}

/** The whole position, nothing hidden. */
export function board(state: State): string {
  return [
    ...([0, 1] as const).map(
      (seat) => `${seat}: ${coins(state.coins[seat])}, ${named(state.hands[seat])}${gone(state.lost[seat])}`,
    ),
    `deck: ${state.deck}${state.drawn === '' ? '' : `, on offer: ${named(state.drawn)}`}`,
    ...recent(state.file),
  ].join('\n')
}

/** A player's coins and cards, nothing hidden. */
export function figures({ coins: purse, hands }: State, seat: Seat): string {
  return `${coins(purse[seat as 0 | 1])}, ${named(hands[seat as 0 | 1])}`
}

const coins = (count: number): string => `${count} ${count === 1 ? 'coin' : 'coins'}`
const named = (cards: string): string =>
  cards === ''
    ? 'no cards'
    : cardsOf(cards)
        .map((card) => `${NAMES[card]} ${card}`)
        .join(', ')
const hidden = (count: number): string =>
  count === 0 ? 'no cards' : `${count} hidden ${count === 1 ? 'card' : 'cards'}`
const gone = (cards: string): string => (cards === '' ? '' : ` (lost ${named(cards)})`)

/** The last three finished turns and the one that is open. */
function recent(file: string): readonly string[] {
  const done = file.split('\n').slice(0, -1).slice(-3)
  return [...(done.length > 0 ? [`turns: ${done.join('  ')}`] : []), `now:   ${lastLine(file) || '(a turn begins)'}`]
}
