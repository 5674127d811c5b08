import { type Ending, type Game, type GameDefinition, shuffle } from '../../src/core/index.js'

type Action = 'fold' | 'call' | 'raise'
interface State {
  /** Ranks from 0: one a seat, and the one on the table. */
  readonly cards: readonly number[]
  readonly chips: readonly number[]
  readonly round: 0 | 1
  /** Of this round. */
  readonly acted: number
  readonly raises: number
  readonly folded?: number
  readonly over?: true
}
export interface View {
  readonly card: number
  /** Once it lies on the table. */
  readonly table?: number
  readonly chips: readonly number[]
  readonly seat: number
}

const RAISE = [2, 4] as const
const RAISES = 2

/** Who holds the better hand: the seat, or −1 for equals. A pair with the card on the table beats all. */
function best([a = 0, b = 0, table = 0]: readonly number[]): number {
  if (a === b) return -1
  return a === table ? 0 : b === table ? 1 : a > b ? 0 : 1
}

function play(state: State, action: Action): State {
  const { chips, round, acted, raises } = state
  const seat = acted % 2
  const own = chips[seat] ?? 0
  const other = chips[1 - seat] ?? 0
  if (action === 'fold' && own < other) return { ...state, folded: seat, over: true }
  const paid = (to: number): readonly number[] => chips.map((n, i) => (i === seat ? to : n))
  if (action === 'raise' && raises < RAISES)
    return { ...state, chips: paid(other + RAISE[round]), acted: acted + 1, raises: raises + 1 }
  const next = { ...state, chips: paid(other), acted: acted + 1 }
  if (acted === 0) return next
  return round === 1 ? { ...next, over: true } : { ...next, round: 1, acted: 0, raises: 0 }
}

const game: Game<State, Action, View, Record<string, never>, Ending> = {
  id: 'leduc',
  version: 1,
  seats: { min: 2, max: 2 },
  options: {},
  scores: { min: -13, max: 13 },
  setup: (_seats, _options, luck) => ({
    cards: shuffle(luck, [0, 0, 1, 1, 2, 2])[0].slice(0, 3),
    chips: [1, 1],
    round: 0,
    acted: 0,
    raises: 0,
  }),
  toMove: ({ over, acted }) => (over ? [] : [acted % 2]),
  view: ({ cards, chips, round }, seat) => ({
    card: cards[seat] ?? 0,
    ...(round === 1 && { table: cards[2] ?? 0 }),
    chips,
    seat,
  }),
  legal: () => ['fold', 'call', 'raise'],
  play: (state, moves) => {
    const move = moves[state.acted % 2]
    return play(state, typeof move === 'string' ? move : 'fold')
  },
  outcome: ({ over, folded, cards, chips }) => {
    if (!over) return undefined
    const winner = folded === undefined ? best(cards) : 1 - folded
    const lost = Math.min(...chips)
    return {
      score: [0, 1].map((seat) => (winner < 0 ? 0 : seat === winner ? lost : -lost)),
      reason: folded === undefined ? 'showdown' : 'fold',
    }
  },
}

/** Leduc hold'em (Southey et al. 2005): six cards, two rounds, raises of 2 and 4, two a round. */
export default {
  game,
  title: 'Leduc',
  summary: 'Six cards',
  scoring: { by: 'score' },
} satisfies GameDefinition as GameDefinition
