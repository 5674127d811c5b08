import { type Ending, type Game, type Seat, isFault, pick } from '../../core/index.js'

/** From the lowest to the highest (rule 1.1). */
export const CARDS = ['J', 'Q', 'K'] as const
export type Card = (typeof CARDS)[number]

export const ACTIONS = ['pass', 'bet'] as const
export type Action = (typeof ACTIONS)[number]

export interface State {
  /** By seat. */
  readonly cards: readonly [Card, Card]
  /** What both have said, in turn. */
  readonly said: readonly Action[]
}

export interface View {
  readonly seat: Seat
  readonly card: Card
  readonly said: readonly Action[]
  /** By seat, once they are laid open; empty before, and where a bet was passed. */
  readonly shown: readonly Card[]
}

/** Chips that the higher card wins, by what was said; or those that seat 0 wins because a bet was passed (rules 3.1 and 3.2). */
const ENDS: ReadonlyMap<string, { readonly showdown: number } | { readonly won: number }> = new Map([
  ['pass pass', { showdown: 1 }],
  ['bet bet', { showdown: 2 }],
  ['pass bet bet', { showdown: 2 }],
  ['bet pass', { won: 1 }],
  ['pass bet pass', { won: -1 }],
])

const endOf = ({ said }: State) => ENDS.get(said.join(' '))
const isHigher = ([a, b]: State['cards']): boolean => CARDS.indexOf(a) > CARDS.indexOf(b)

/** Kuhn poker, as RULES.md numbers it. */
export const kuhn: Game<State, Action, View, Readonly<Record<string, never>>, Ending> = {
  id: 'kuhn',
  version: 1,
  seats: { min: 2, max: 2 },
  options: {},
  scores: { min: -2, max: 2 },

  setup(_seats, _options, luck) {
    const [first, rest] = pick(luck, CARDS)
    const [second] = pick(rest, othersOf(first))
    return { cards: [first, second], said: [] }
  },

  toMove: (state) => (endOf(state) === undefined ? [state.said.length % 2] : []),

  view(state, seat) {
    const end = endOf(state)
    const shown = end !== undefined && 'showdown' in end ? state.cards : []
    return { seat, card: state.cards[seat === 0 ? 0 : 1], said: state.said, shown }
  },

  legal: () => ACTIONS,

  // A fault is a pass (rule 4.2).
  play(state, moves) {
    const move = moves[state.said.length % 2]
    return { ...state, said: [...state.said, move === undefined || isFault(move) ? 'pass' : move] }
  },

  outcome(state) {
    const end = endOf(state)
    if (end === undefined) return undefined
    if ('won' in end) return { score: [end.won, -end.won], reason: 'fold' }
    const chips = isHigher(state.cards) ? end.showdown : -end.showdown
    return { score: [chips, -chips], reason: 'showdown' }
  },

  // Cards that were laid open are known (rule 3.1).
  resample(state, seat, luck) {
    if (kuhn.view(state, seat).shown.length > 0) return state
    const own = state.cards[seat === 0 ? 0 : 1]
    const [other] = pick(luck, othersOf(own))
    return { ...state, cards: seat === 0 ? [own, other] : [other, own] }
  },
}

const othersOf = (card: Card): readonly Card[] => CARDS.filter((one) => one !== card)
