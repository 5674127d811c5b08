import type { FinalTable, PlayedOut, PublishedTable, Seat } from '../../core/index.js'
import { CARDS, NAMES, WORDS, cardsOf, giveUp } from './cards.js'
import { type CoupQuestion, lastLine, question as asked } from './line.js'
import type { State } from './rules.js'
import type { View } from './view.js'

/** What each action means; single cards and pairs that can be kept have their own entries. */
export const actions: Readonly<Record<string, string>> = Object.fromEntries<string>([
  ...Object.entries(WORDS),
  ...CARDS.map((card) => [card, `show the ${NAMES[card]}`] as const),
  ...CARDS.map((card) => [giveUp(card), `give up the ${NAMES[card]}`] as const),
  ...CARDS.map((card) => [`keep ${card}`, `keep the ${NAMES[card]}`] as const),
  ...CARDS.flatMap((a) => CARDS.map((b) => [`keep ${a}${b}`, `keep ${NAMES[a]} and ${NAMES[b]}`] as const)),
])

export const fields: Readonly<Record<keyof View, string>> = {
  seat: 'your own seat; 0 had the first turn',
  due: 'whether you are asked now',
  turn: 'calls so far, of options.turns',
  file: 'all that was said, a line a turn, a sign a decision (section 8 of the rules)',
  coins: 'your coins',
  theirCoins: "the opponent's",
  cards: 'your cards: ~ Ambassador, ^ Assassin, * Captain, ! Contessa, $ Duke',
  theirCards: 'how many cards the opponent holds',
  drawn: 'in an exchange the two cards on offer; else empty',
  lost: 'your cards that were given up',
  theirLost: "the opponent's",
  options: 'what this contest plays with',
}

export function question(view: View): string {
  if (view.drawn !== '') return 'an exchange: which cards to keep'
  return KINDS[asked(lastLine(view.file))]
}
const KINDS: Readonly<Record<CoupQuestion, string>> = {
  action: 'your turn: what to do',
  'foreign aid': 'the opponent takes foreign aid: block or let it pass',
  claim: 'the opponent claims a character: challenge or let it pass',
  steal: 'the opponent steals from you: block, challenge or let it pass',
  assassination: 'you are to be assassinated: block, challenge or give up a card',
  block: 'the opponent blocks: challenge, or end the turn',
  challenge: 'your claim is challenged: show the card, or give one up',
  loss: 'you lose a card: which one',
  end: 'the end of the turn',
}

export function text(view: View): string {
  return [
    `call ${view.turn + 1} of at most ${view.options.turns}`,
    `you:  ${coinsText(view.coins)}, ${named(view.cards)}${gone(view.lost)}`,
    `they: ${coinsText(view.theirCoins)}, ${hidden(view.theirCards)}${gone(view.theirLost)}`,
    ...(view.drawn === '' ? [] : [`on offer: ${named(view.drawn)}`]),
    ...recent(view.file),
  ].join('\n')
}

export function board(state: State): string {
  return [
    ...([0, 1] as const).map(
      (seat) => `${seat}: ${coinsText(state.coins[seat])}, ${named(state.hands[seat])}${gone(state.lost[seat])}`,
    ),
    `deck: ${state.deck}${state.drawn === '' ? '' : `, on offer: ${named(state.drawn)}`}`,
    ...recent(state.file),
  ].join('\n')
}

export function figures({ coins, hands }: State, seat: Seat): string {
  return `${coinsText(coins[seat])}, ${named(hands[seat as 0 | 1])}`
}

export const coinsText = (count = 0): string => (count === 1 ? '1 coin' : `${count} coins`)
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

/** The game file as the arbiter leaves it: a line a turn, a sign a decision (RULES.md 8). */
export const transcript = ({ states }: PlayedOut): string => (states.at(-1) as State).file

/** Points and a name in a line, as on the leaderboard. */
export const published = ({ rows }: FinalTable): PublishedTable => ({
  form: { between: ' ' },
  columns: [
    { head: 'Points', cells: rows.map(({ points }) => String(points)) },
    { head: 'Name', cells: rows.map(({ name }) => name) },
  ],
})
