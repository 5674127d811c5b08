import { type Game, type Luck, type Moves, isFault, pick } from 'agon'

export type Options = {
  /** Cards in each hand, and prizes. */
  readonly cards: number
}
/** A card: '1', '2' … An action is always a text. */
export type Action = string
export type State = {
  /** All prizes, in the order in which they are turned over. */
  readonly prizes: readonly number[]
  readonly turn: number
  /** By seat. */
  readonly hands: readonly (readonly number[])[]
  readonly points: readonly number[]
  /** What was bid in the last turn; null before the first. */
  readonly bids: readonly number[] | null
}
export type View = {
  readonly turn: number
  /** The prize that is bid for; 0 once the pile is empty. */
  readonly prize: number
  readonly hand: readonly number[]
  readonly points: number
  /** The other seats, from the next one on. */
  readonly others: readonly { readonly hand: readonly number[]; readonly points: number }[]
}

/** The rules: state in, new state out. `agon test game game.ts` holds them to what every game must keep. */
export const game: Game<State, Action, View, Options> = {
  id: '__NAME__',
  version: 1, // raise it whenever a match that was played could be judged differently
  seats: { min: 2, max: 4 },
  options: { cards: __CARDS__ },

  refuse: ({ cards }) =>
    Number.isInteger(cards) && cards >= 1 && cards <= 20 ? undefined : `cards must be 1 to 20, not ${cards}`,

  // All chance is drawn from `luck`: the same luck gives the same match.
  setup: (seats, { cards }, luck) => ({
    prizes: shuffled(cardsUpTo(cards), luck),
    turn: 0,
    hands: Array.from({ length: seats }, () => cardsUpTo(cards)),
    points: Array<number>(seats).fill(0),
    bids: null,
  }),

  // Empty exactly when there is an outcome.
  toMove: ({ prizes, turn, hands }) => (turn === prizes.length ? [] : hands.map((_, seat) => seat)),

  // What a seat may know: hidden information stops here. The prizes to come are hidden.
  view: ({ prizes, turn, hands, points }, seat) => {
    const next = hands.map((_, i) => (seat + i) % hands.length).slice(1)
    return {
      turn,
      prize: prizes[turn] ?? 0,
      hand: hands[seat] ?? [],
      points: points[seat] ?? 0,
      others: next.map((other) => ({ hand: hands[other] ?? [], points: points[other] ?? 0 })),
    }
  },

  legal: ({ hand }) => hand.map(String),

  play: (state, moves) => {
    const bids = bidsOf(state, moves)
    const highest = Math.max(...bids)
    const alone = bids.filter((bid) => bid === highest).length === 1
    const prize = state.prizes[state.turn] ?? 0
    return {
      ...state,
      turn: state.turn + 1,
      hands: state.hands.map((hand, seat) => hand.filter((card) => card !== bids[seat])),
      points: state.points.map((sum, seat) => (alone && bids[seat] === highest ? sum + prize : sum)),
      bids,
    }
  },

  outcome: ({ prizes, turn, points }) =>
    turn < prizes.length
      ? undefined
      : {
          place: points.map((mine) => 1 + points.filter((sum) => sum > mine).length),
          reason: 'all prizes taken',
          tally: { points },
        },

  // What a seat cannot know, dealt anew: tests look with it for views that tell too much.
  resample: (state, _seat, luck) => ({
    ...state,
    prizes: [...state.prizes.slice(0, state.turn + 1), ...shuffled(state.prizes.slice(state.turn + 1), luck)],
  }),
}

/** A fault is a move that the game prices: here it bids the lowest card. */
function bidsOf({ hands }: State, moves: Moves<Action>): number[] {
  return hands.map((hand, seat) => {
    const move = moves[seat]
    return move === undefined || isFault(move) ? Math.min(...hand) : Number(move)
  })
}

const cardsUpTo = (cards: number): number[] => Array.from({ length: cards }, (_, i) => i + 1)

function shuffled(items: readonly number[], luck: Luck): number[] {
  const [left, out] = [[...items], [] as number[]]
  let rest = luck
  while (left.length > 0) {
    const [item, next] = pick(rest, left)
    out.push(item)
    left.splice(left.indexOf(item), 1)
    rest = next
  }
  return out
}
