import { type Ending, type Game, type GameDefinition, type Luck, isFault, pick } from '../../src/core/index.js'

type Score = Ending & { readonly score: readonly number[] }

interface KuhnState {
  readonly cards: readonly number[]
  /** 'p' passes, 'b' bets, in turn. */
  readonly bets: string
}

/** Kuhn poker (1950): three cards, one each, an ante of 1 and one bet of 1. Its value is −1/18 for who begins. */
const kuhnGame: Game<KuhnState, 'p' | 'b', { readonly card: number; readonly bets: string }, {}, Score> = {
  id: 'kuhn',
  version: 1,
  seats: { min: 2, max: 2 },
  options: {},
  scores: { min: -2, max: 2 },
  setup: (_seats, _options, luck) => {
    const [mine, rest] = pick(luck, [1, 2, 3])
    const [other] = pick(
      rest,
      [1, 2, 3].filter((card) => card !== mine),
    )
    return { cards: [mine, other], bets: '' }
  },
  toMove: ({ bets }) => (isOver(bets) ? [] : [bets.length % 2]),
  view: ({ cards, bets }, seat) => ({ card: cards[seat] ?? 0, bets }),
  legal: () => ['p', 'b'],
  play: ({ cards, bets }, moves) => {
    const move = moves[bets.length % 2]
    return { cards, bets: bets + (move === undefined || isFault(move) ? 'p' : move) }
  },
  outcome: ({ cards: [a = 0, b = 0], bets }) => {
    if (!isOver(bets)) return undefined
    const high = a > b ? 1 : -1
    const gain = { pp: high, bp: 1, bb: 2 * high, pbp: -1, pbb: 2 * high }[bets] ?? 0
    return { score: [gain, -gain], reason: bets.endsWith('bp') ? 'fold' : 'showdown' }
  },
  resample: ({ cards, bets }, seat, luck) => {
    const [other] = pick(
      luck,
      [1, 2, 3].filter((card) => card !== cards[seat]),
    )
    return { cards: cards.map((card, i) => (i === seat ? card : other)), bets }
  },
}
const isOver = (bets: string): boolean => /^(pp|bp|bb|pbp|pbb)$/.test(bets)

interface LeducState {
  readonly luck: Luck
  readonly cards: readonly string[]
  readonly common: string
  /** Actions of each round: f, c, r. */
  readonly rounds: readonly string[]
  readonly chips: readonly number[]
  readonly folded: number
}

/** Leduc hold 'em (Southey et al. 2005): six cards of three ranks, two rounds with raises of 2 and 4, two raises each at most. */
const leducGame: Game<
  LeducState,
  'f' | 'c' | 'r',
  { readonly card: string; readonly common: string; readonly rounds: readonly string[]; readonly calls: boolean },
  {},
  Score
> = {
  id: 'leduc',
  version: 1,
  seats: { min: 2, max: 2 },
  options: {},
  setup: (_seats, _options, luck) => {
    const [mine, rest] = pick(luck, [...DECK])
    const [other, left] = pick(rest, without([...DECK], mine))
    return { luck: left, cards: [mine, other], common: '', rounds: [''], chips: [1, 1], folded: -1 }
  },
  toMove: (state) => (isDone(state) ? [] : [turnOf(state)]),
  view: ({ cards, common, rounds, chips }, seat) => ({
    card: cards[seat] ?? '',
    common,
    rounds,
    calls: (chips[seat] ?? 0) < (chips[1 - seat] ?? 0),
  }),
  legal: ({ rounds, calls }) => [
    ...(calls ? (['f'] as const) : []),
    'c',
    ...(raises(rounds.at(-1)) < 2 ? (['r'] as const) : []),
  ],
  play: (state, moves) => {
    const seat = turnOf(state)
    const move = moves[seat]
    const other = state.chips[1 - seat] ?? 0
    const action = move === undefined || isFault(move) ? 'f' : move
    const rounds = [...state.rounds.slice(0, -1), `${state.rounds.at(-1)}${action}`]
    if (action === 'f') return { ...state, rounds, folded: seat }
    const paid = action === 'c' ? other : other + (rounds.length === 1 ? 2 : 4)
    const after = { ...state, rounds, chips: state.chips.map((own, i) => (i === seat ? paid : own)) }
    if (!/(cc|rc)$/.test(rounds.at(-1) ?? '') || rounds.length === 2) return after
    const [common, luck] = pick(state.luck, state.cards.reduce(without, [...DECK]))
    return { ...after, luck, common, rounds: [...rounds, ''] }
  },
  outcome: (state) => {
    if (!isDone(state)) return undefined
    const { chips, folded, cards, common } = state
    const strength = (card: string): number => 'JQK'.indexOf(card) + (card === common ? 10 : 0)
    const [a, b] = cards.map(strength) as [number, number]
    const winner = folded >= 0 ? 1 - folded : a === b ? -1 : a > b ? 0 : 1
    const gain = winner < 0 ? 0 : winner === 0 ? (chips[1] ?? 0) : -(chips[0] ?? 0)
    return { score: [gain, -gain], reason: folded >= 0 ? 'fold' : 'showdown' }
  },
}
const DECK = ['J', 'J', 'Q', 'Q', 'K', 'K'] as const
const without = (deck: readonly string[], card: string): string[] => deck.filter((_, i) => i !== deck.indexOf(card))
const raises = (round = ''): number => round.split('r').length - 1
const turnOf = ({ rounds }: LeducState): number => (rounds.at(-1)?.length ?? 0) % 2
const isDone = ({ rounds, folded }: LeducState): boolean =>
  folded >= 0 || (rounds.length === 2 && /(cc|rc)$/.test(rounds[1] ?? ''))

const kuhn = { game: kuhnGame, title: 'Kuhn poker', summary: 'Three cards, one bet.' } satisfies GameDefinition
const leduc = { game: leducGame, title: "Leduc hold 'em", summary: 'Six cards, two rounds.' } satisfies GameDefinition

/** Games whose values are published. */
export const poker: { readonly kuhn: GameDefinition; readonly leduc: GameDefinition } = { kuhn, leduc }
