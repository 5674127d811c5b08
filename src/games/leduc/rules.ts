import { type Ending, type Game, type Luck, type Move, type Seat, isFault, pick } from '../../core/index.js'

/** From the lowest to the highest, two of each (rule 1.1). */
export const RANKS = ['J', 'Q', 'K'] as const
export type Card = (typeof RANKS)[number]
const DECK: readonly Card[] = RANKS.flatMap((rank) => [rank, rank])

export type Action = 'fold' | 'call' | 'raise'

export interface State {
  /** What the card on the table comes from. */
  readonly luck: Luck
  /** By seat. */
  readonly cards: readonly [Card, Card]
  /** '' in the first round. */
  readonly table: Card | ''
  /** What was said in each round, in turn. */
  readonly rounds: readonly (readonly Action[])[]
  /** What each seat has in the pot. */
  readonly chips: readonly [number, number]
}

export interface View {
  readonly seat: Seat
  readonly card: Card
  readonly table: Card | ''
  readonly rounds: readonly (readonly Action[])[]
  readonly chips: readonly [number, number]
  /** By seat, once open; empty before, and after a fold. */
  readonly shown: readonly Card[]
}

/** A raise's chips, by round; and raises of a round (rule 2.2). */
const RAISE = [2, 4] as const
const RAISES = 2

const latest = ({ rounds }: Pick<State, 'rounds'>): readonly Action[] => rounds.at(-1) ?? []
const turnOf = (state: Pick<State, 'rounds'>): 0 | 1 => (latest(state).length % 2 === 0 ? 0 : 1)
const raisesOf = (round: readonly Action[]): number => round.filter((action) => action === 'raise').length

/** Who folded: the one who spoke last. */
const foldedBy = (state: State): 0 | 1 | undefined =>
  latest(state).at(-1) === 'fold' ? (turnOf(state) === 0 ? 1 : 0) : undefined

/** Whether a call ends a round: of a raise, or of nothing by both (rule 2.4). */
const isCalled = (round: readonly Action[]): boolean => round.length > 1 && round.at(-1) === 'call'
const isOver = (state: State): boolean =>
  foldedBy(state) !== undefined || (state.rounds.length === 2 && isCalled(latest(state)))

/** Leduc hold 'em, as RULES.md numbers it. */
export const leduc: Game<State, Action, View, Readonly<Record<string, never>>, Ending> = {
  id: 'leduc',
  version: 1,
  seats: { min: 2, max: 2 },
  options: {},
  scores: { min: -13, max: 13 },

  setup(_seats, _options, luck) {
    const [first, rest] = pick(luck, DECK)
    const [second, left] = pick(rest, without(DECK, first))
    return { luck: left, cards: [first, second], table: '', rounds: [[]], chips: [1, 1] }
  },

  toMove: (state) => (isOver(state) ? [] : [turnOf(state)]),

  view(state, seat) {
    const { cards, table, rounds, chips } = state
    const shown = isOver(state) && foldedBy(state) === undefined ? cards : []
    return { seat, card: cards[seat === 0 ? 0 : 1], table, rounds, chips, shown }
  },

  legal(view) {
    const own = view.chips[view.seat === 0 ? 0 : 1]
    return [
      ...(own < Math.max(...view.chips) ? (['fold'] as const) : []),
      'call',
      ...(raisesOf(latest(view)) < RAISES ? (['raise'] as const) : []),
    ]
  },

  play(state, moves) {
    const seat = turnOf(state)
    const action = counted(state, seat, moves[seat])
    const rounds = [...state.rounds.slice(0, -1), [...latest(state), action]]
    if (action === 'fold') return { ...state, rounds }
    const due = Math.max(...state.chips) + (action === 'raise' ? RAISE[rounds.length === 1 ? 0 : 1] : 0)
    const chips = seat === 0 ? ([due, state.chips[1]] as const) : ([state.chips[0], due] as const)
    const after = { ...state, rounds, chips }
    if (rounds.length === 2 || !isCalled(latest(after))) return after
    const [table, luck] = pick(state.luck, state.cards.reduce(without, DECK))
    return { ...after, table, luck, rounds: [...rounds, []] }
  },

  outcome(state) {
    if (!isOver(state)) return undefined
    const folded = foldedBy(state)
    const winner = folded === undefined ? better(state) : folded === 0 ? 1 : 0
    // The winner gains what the other has in the pot (rules 3.1–3.3).
    const gain = winner === undefined ? 0 : winner === 0 ? state.chips[1] : -state.chips[0]
    return { score: [gain, gain === 0 ? 0 : -gain], reason: folded === undefined ? 'showdown' : 'fold' }
  },

  resample(state, seat, luck) {
    if (leduc.view(state, seat).shown.length > 0) return state
    const own = state.cards[seat === 0 ? 0 : 1]
    const seen = state.table === '' ? [own] : [own, state.table]
    const [other, left] = pick(luck, seen.reduce(without, DECK))
    return { ...state, luck: left, cards: seat === 0 ? [own, other] : [other, own] }
  },
}

/** A fault folds where there is something to pay, else calls (rule 4.2). */
function counted({ chips }: State, seat: 0 | 1, move: Move<Action> | undefined): Action {
  if (move !== undefined && !isFault(move)) return move
  return chips[seat] < Math.max(...chips) ? 'fold' : 'call'
}

/** Who holds the better hand; undefined: equal (rule 3.2). */
function better({ cards: [a, b], table }: State): 0 | 1 | undefined {
  if (a === b) return undefined
  if (a === table) return 0
  if (b === table) return 1
  return RANKS.indexOf(a) > RANKS.indexOf(b) ? 0 : 1
}

/** The cards but one of that rank. */
const without = (cards: readonly Card[], card: Card): readonly Card[] =>
  cards.filter((_, i) => i !== cards.indexOf(card))
