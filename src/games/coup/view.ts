import { CARDS, cardsOf, giveUp, without } from './cards.js'
import type { Action, Card } from './cards.js'
import { challenged, lastLine, question } from './line.js'
import type { CoupOptions } from './options.js'

/** What one player may know (rule 7.1); see `fields` in text.ts. */
export interface View {
  readonly seat: number
  readonly due: boolean
  readonly turn: number
  readonly file: string
  readonly coins: number
  readonly theirCoins: number
  /** The own cards in the order of the hand, as held: '~$'. */
  readonly cards: string
  readonly theirCards: number
  /** An exchange's two cards on offer, in the order drawn; else ''. */
  readonly drawn: string
  /** Cards given up so far, as held, own and opponent's. */
  readonly lost: string
  readonly theirLost: string
  readonly options: CoupOptions
}

/** A seat's open decisions in the arbiter's order, a card once for each copy (rules 8.3, 8.4). */
export function offered(view: View): readonly Action[] {
  if (!view.due) return []
  const line = lastLine(view.file)
  const hand = cardsOf(view.cards)
  const losses = hand.map(giveUp)
  switch (question(line)) {
    case 'action':
      return openings(view)
    case 'foreign aid':
      return ['d', 'p']
    case 'claim':
      return ['p', 'q']
    case 'steal':
      return ['a', 'c', 'p', 'q']
    case 'assassination':
      return ['s', 'q', ...losses]
    case 'block':
      return ['q', 'end']
    case 'challenge':
      return hand.includes(challenged(line)) ? [challenged(line)] : losses
    case 'loss':
      return losses
    case 'end':
      return view.drawn === '' ? ['end'] : keeps(view.drawn + view.cards, hand.length)
  }
}

/** The legal actions of the seat, each once. */
export function legal(view: View): readonly Action[] {
  return offered(view).filter((action, at, all) => all.indexOf(action) === at)
}

function openings(view: View): readonly Action[] {
  const { options, coins } = view
  if (coins >= options.must) return ['C']
  const steals = view.theirCoins > 0
  const first = view.file === ''
  const actions: Action[] = ['I', 'F', 'E']
  if (steals && first) actions.push('S')
  actions.push('T')
  if (coins >= options.assassination) actions.push('A')
  if (coins >= options.coup) actions.push('C')
  if (steals && !first) actions.push('S')
  return actions
}

/** Every way to keep `count` cards, in every order (rule 5.2): one or two of at most four. */
const keeps = (cards: string, count: number): readonly Action[] =>
  choices(cards, count).map((kept) => `keep ${kept}` as const)

function choices(cards: string, count: number): readonly string[] {
  if (count === 0) return ['']
  const firsts: readonly Card[] = CARDS.filter((card) => cards.includes(card))
  return firsts.flatMap((card) => choices(without(cards, card), count - 1).map((rest) => card + rest))
}
