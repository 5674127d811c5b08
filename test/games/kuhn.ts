import { type Ending, type Game, type GameDefinition, shuffle } from '../../src/core/index.js'

interface State {
  /** By seat, 0 the lowest. */
  readonly cards: readonly number[]
  readonly said: readonly ('pass' | 'bet')[]
}
export interface View {
  readonly card: number
  readonly said: readonly ('pass' | 'bet')[]
}

/** Chips that seat 0 wins; undefined: it goes on. */
function won({ cards, said }: State): number | undefined {
  const higher = (cards[0] ?? 0) > (cards[1] ?? 0) ? 1 : -1
  switch (said.join(' ')) {
    case 'pass pass':
      return higher
    case 'bet bet':
    case 'pass bet bet':
      return 2 * higher
    case 'bet pass':
      return 1
    case 'pass bet pass':
      return -1
    default:
      return undefined
  }
}

const game: Game<State, 'pass' | 'bet', View, Record<string, never>, Ending> = {
  id: 'kuhn',
  version: 1,
  seats: { min: 2, max: 2 },
  options: {},
  scores: { min: -2, max: 2 },
  setup: (_seats, _options, luck) => ({ cards: shuffle(luck, [0, 1, 2])[0].slice(0, 2), said: [] }),
  toMove: (state) => (won(state) === undefined ? [state.said.length % 2] : []),
  view: ({ cards, said }, seat) => ({ card: cards[seat] ?? 0, said }),
  legal: () => ['pass', 'bet'],
  play: (state, moves) => ({
    ...state,
    said: [...state.said, moves[state.said.length % 2] === 'bet' ? 'bet' : 'pass'],
  }),
  outcome: (state) => {
    const chips = won(state)
    return chips === undefined ? undefined : { score: [chips, -chips], reason: 'showdown' }
  },
}

/** Kuhn poker (1950): three cards, one bet. */
export default {
  game,
  title: 'Kuhn poker',
  summary: 'Three cards',
  scoring: { by: 'score' },
} satisfies GameDefinition as GameDefinition
