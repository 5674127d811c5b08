/**
 * The vocabulary: seats, actions, faults, outcomes, luck, and the one interface every game implements.
 * Read this file first; nothing in agon knows more about a game than what stands here.
 */

/** A place in a match, counted from 0. */
export type Seat = number

/** Facts a transport reports (the first four) and judgements on what was said (the last three). */
export const FAULT_KINDS = ['timeout', 'crash', 'flood', 'killed', 'silent', 'unparsable', 'illegal'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** What a bot did instead of answering. A fault is a move: the game prices it. */
export interface Fault {
  readonly fault: FaultKind
  /** For a person: what was wrong. */
  readonly why?: string
  /** The text that was heard, cut to a readable length. */
  readonly said?: string
}

/** An action is its own text ('0', 'q', '1 1 4'): there is no codec anywhere. */
export type Move<A extends string> = A | Fault

/** By seat; `undefined`: the seat was not due. */
export type Moves<A extends string> = readonly (Move<A> | undefined)[]

/** What happened; what it is worth is the contest's scoring. */
export interface Outcome {
  /** By seat: 1 is best, equals share a place, so [1, 1] is a draw. */
  readonly place: readonly number[]
  /** Why it ended, in the game's own words: 'shot', 'forfeit', 'turn limit'. */
  readonly reason: string
  /** Integers by seat for tie-breaks and tables, such as `life` or `strength24`. */
  readonly tally?: Readonly<Record<string, readonly number[]>>
}

/** All chance of a match is `pick(luck, items)`. A tape, where there is one, overrules the seed. */
export interface Luck {
  readonly seed: string
  readonly at: number
  readonly tape?: readonly (string | number)[]
}

export interface Game<State, Action extends string, View, Options> {
  /** Lower-case letters, digits and dashes. */
  readonly id: string
  /** Raised whenever any record could be judged differently. */
  readonly version: number
  readonly seats: { readonly min: number; readonly max: number }
  /** The defaults: a flat object of numbers, strings, booleans and arrays of them. */
  readonly options: Options
  /** What is wrong with these options for that many seats, in one line for a person; undefined: nothing. */
  refuse?(options: Options, seats: number): string | undefined
  setup(seats: number, options: Options, luck: Luck): State
  /** The seats that owe an action now: empty exactly when there is an outcome. */
  toMove(state: State): readonly Seat[]
  /** What a seat may know. Hidden information stops here. Total: also out of turn, dead, over. */
  view(state: State, seat: Seat): View
  /** Computed from the view, so it cannot leak; any other text reaches `play` as an 'illegal' fault. */
  legal(view: View): readonly Action[]
  /** The next state. Prices faults, and plays on while nobody is due. Never changes its input. */
  play(state: State, moves: Moves<Action>): State
  outcome(state: State): Outcome | undefined
}

/** @deprecated A game has no match loop of its own any more: matches are played by `playMatch` and `playMany`. */
export interface Arena<View, Action extends string> {
  /** Plays one match; views are live and lent: they change once the bot has answered. Returns the number of turns. */
  match(bots: readonly ((view: View) => Action)[], luck: Luck): number
  /** What was played in the last match, one byte an action, seats in turn. */
  readonly log: Uint8Array
}

/** Any game, where its types do not matter. */
export type AnyGame = Game<unknown, string, unknown, Options>
/** A game's options as data. */
export type Options = Readonly<Record<string, OptionValue>>
export type OptionValue = number | string | boolean | readonly (number | string | boolean)[]

/** Tells a fault from an action. */
export function isFault<A extends string>(move: Move<A> | undefined): move is Fault {
  return typeof move === 'object' && 'fault' in move
}
