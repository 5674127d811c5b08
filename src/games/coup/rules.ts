import { isFault, pick, shuffle } from '../../core/index.js'
import type { Game, Luck, Moves, Outcome, Seat } from '../../core/index.js'
import { CARDS, cardGivenUp, cardsOf, isCard, without } from './cards.js'
import type { Action, Card } from './cards.js'
import { bothLost, exchanging, lastLine, ownTurn, succeeds, written } from './line.js'
import { OPTIONS, refuse } from './options.js'
import type { CoupOptions } from './options.js'
import { legal } from './view.js'
import type { View } from './view.js'

/** The whole position. Hands, deck and piles: texts of cards as held; pairs: by seat. */
export interface State {
  readonly options: CoupOptions
  readonly luck: Luck
  /** A multiset, kept sorted: it has no order (rule 1.3). */
  readonly deck: string
  readonly hands: Pair<string>
  readonly lost: Pair<string>
  /** On offer to the player who is exchanging (rule 5.1). */
  readonly drawn: string
  readonly coins: Pair<number>
  readonly file: string
  /** Calls so far. Seats are asked in turn: it also tells who is next. */
  readonly turn: number
  readonly end?: Ending
}
type Pair<T> = readonly [T, T]
type Ending = { readonly winner: Seat | null; readonly reason: Reason }
export type Reason = 'no cards left' | 'both cards lost in one turn' | 'forfeit' | 'turn limit'

/** Stage a Coup for two, after RULES.md. */
export const coup: Game<State, Action, View, CoupOptions> = {
  id: 'coup',
  version: 1,
  seats: { min: 2, max: 2 },
  options: OPTIONS,
  refuse,
  setup,
  toMove: (state) => (state.end ? [] : [asked(state)]),
  view,
  legal,
  play,
  outcome,
  resample,
}

/**
 * One decision, in order: a forfeit ends all (6.3); the move is written (8.5) and takes effect; the game may end by the
 * cards (6.1, 3.6) or calls (6.2); an exchange let through draws its offer (5.1).
 */
function play(state: State, moves: Moves<Action>): State {
  if (state.end) return state
  const seat = asked(state)
  const move = moves[seat]
  if (move === undefined || isFault(move) || !legal(view(state, seat)).includes(move)) {
    return { ...state, end: { winner: 1 - seat, reason: 'forfeit' } }
  }
  const line = lastLine(state.file)
  const next = effect({ ...state, file: state.file + written(line, move), turn: state.turn + 1 }, seat, line, move)
  const end = ending(next, seat, line + move)
  return end ? { ...next, end } : offer(next)
}

function setup(_seats: number, options: CoupOptions, luck: Luck): State {
  const deck = CARDS.map((card) => card.repeat(options.cards)).join('')
  const table: State = {
    options,
    luck,
    deck,
    hands: ['', ''],
    lost: ['', ''],
    drawn: '',
    coins: [options.coins, options.coins],
    file: '',
    turn: 0,
  }
  return [0, 0, 1, 1].reduce((state, seat) => {
    const [card, rest] = draw(state)
    return { ...rest, hands: change(rest.hands, seat, (hand) => hand + card) }
  }, table)
}

function view(state: State, seat: Seat): View {
  const me = seat === 0 ? 0 : 1
  const they = me === 0 ? 1 : 0
  const due = !state.end && asked(state) === me
  return {
    seat: me,
    due,
    turn: state.turn,
    file: state.file,
    coins: state.coins[me],
    theirCoins: state.coins[they],
    cards: state.hands[me],
    theirCards: state.hands[they].length,
    drawn: due ? state.drawn : '',
    lost: state.lost[me],
    theirLost: state.lost[they],
    options: state.options,
  }
}

function outcome(state: State): Outcome | undefined {
  if (!state.end) return undefined
  const { winner, reason } = state.end
  return { place: winner === null ? [1, 1] : [0, 1].map((seat) => (seat === winner ? 1 : 2)), reason }
}

/** What a move in answer to `line` does to cards and coins. */
function effect(state: State, seat: Seat, line: string, move: Action): State {
  if (move === 'I') return pay(state, seat, state.options.income)
  if (isCard(move)) return show(state, seat, line, move)
  const lost = cardGivenUp(move)
  if (lost) return lose(state, seat, line, lost)
  if (move.startsWith('keep ')) return keep(state, seat, move.slice('keep '.length))
  return move === 'end' ? settle(state, seat, line) : state
}

/** A rightly claimed card is replaced, unless its exchange keeps it (3.4, 3.5). */
function show(state: State, seat: Seat, line: string, card: Card): State {
  if (line[0] === 'E') return state
  const [drawn, rest] = draw(state)
  return {
    ...rest,
    deck: sorted(rest.deck + card),
    hands: change(rest.hands, seat, (hand) => without(hand, card) + drawn),
  }
}

/** A card is given up, which pays a coup or an assassination (4.1), also one blocked by a true Contessa (4.2). */
function lose(state: State, seat: Seat, line: string, card: Card): State {
  const after = {
    ...state,
    hands: change(state.hands, seat, (hand) => without(hand, card)),
    lost: change(state.lost, seat, (pile) => pile + card),
  }
  if (ownTurn(line)) return line.at(-1) === '!' ? pay(after, seat, -state.options.assassination) : after
  if (line[0] === 'C') return pay(after, 1 - seat, -state.options.coup)
  return line[0] === 'A' ? pay(after, 1 - seat, -state.options.assassination) : after
}

/** Kept cards become the hand in the order named, the rest goes back (5.2, 5.3). */
function keep(state: State, seat: Seat, kept: string): State {
  const rest = cardsOf(kept).reduce(without, state.drawn + state.hands[seat as 0 | 1])
  return { ...state, drawn: '', deck: sorted(state.deck + rest), hands: change(state.hands, seat, () => kept) }
}

/** A turn's end settles its action (4.1) and a believed block (4.2). */
function settle(state: State, seat: Seat, line: string): State {
  const { aid, tax, steal, assassination } = state.options
  if (line.at(-1) === 's') return pay(state, seat, -assassination)
  if (!succeeds(line)) return state
  if (line[0] === 'F') return pay(state, seat, aid)
  if (line[0] === 'T') return pay(state, seat, tax)
  if (line[0] !== 'S') return state
  const stolen = Math.min(steal, state.coins[seat === 0 ? 1 : 0])
  return pay(pay(state, seat, stolen), 1 - seat, -stolen)
}

function ending(state: State, seat: Seat, line: string): Ending | undefined {
  if (bothLost(line)) return { winner: 1 - seat, reason: 'both cards lost in one turn' }
  if (state.hands[seat as 0 | 1] === '') return { winner: 1 - seat, reason: 'no cards left' }
  return state.turn >= state.options.turns ? { winner: null, reason: 'turn limit' } : undefined
}

function offer(state: State): State {
  if (!exchanging(lastLine(state.file))) return state
  const [first, once] = draw(state)
  const [second, twice] = draw(once)
  return { ...twice, drawn: first + second }
}

function asked(state: State): Seat {
  return state.turn % 2
}

/** Takes one card of the deck, every one equally likely (1.3). */
function draw(state: State): readonly [Card, State] {
  const [card, luck] = pick(state.luck, cardsOf(state.deck))
  return [card, { ...state, luck, deck: without(state.deck, card) }]
}

function pay(state: State, seat: Seat, coins: number): State {
  return { ...state, coins: change(state.coins, seat, (had) => had + coins) }
}

function change<T>(pair: Pair<T>, seat: Seat, to: (value: T) => T): Pair<T> {
  return seat === 0 ? [to(pair[0]), pair[1]] : [pair[0], to(pair[1])]
}

function sorted(cards: string): string {
  const all = [...cardsOf(cards)]
  return all.sort((a, b) => CARDS.indexOf(a) - CARDS.indexOf(b)).join('')
}

/** Deals anew what a seat has not seen: the other's hand and offer, and the deck (rule 7.1). */
function resample(state: State, seat: Seat, luck: Luck): State {
  const theirs = state.hands[seat === 0 ? 1 : 0]
  const hidden = !state.end && asked(state) === seat ? '' : state.drawn
  const [cards, rest] = shuffle(luck, cardsOf(theirs + hidden + state.deck))
  const taken = (from: number, count: number): string => cards.slice(from, from + count).join('')
  return {
    ...state,
    luck: rest,
    hands: change(state.hands, 1 - seat, () => taken(0, theirs.length)),
    drawn: hidden === '' ? state.drawn : taken(theirs.length, hidden.length),
    deck: sorted(cards.slice(theirs.length + hidden.length).join('')),
  }
}
