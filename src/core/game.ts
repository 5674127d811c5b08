/** The vocabulary, and the one interface of every game. Read this file first: nothing in agon knows more of a game. */
import type { FaultKind } from './faults.js'
import type { Legal } from './legal.js'

/** A place in a match, counted from 0. */
export type Seat = number

/** What a bot did instead of answering. A fault is a move: the game prices it. */
export interface Fault {
  readonly fault: FaultKind
  /** For a person: what was wrong. */
  readonly why?: string
  /** The answer, cut to a readable length. */
  readonly said?: string
}

/** A fault with where it happened; `turn` counts steps from 0. */
export interface FaultAt extends Fault {
  readonly seat: Seat
  readonly turn: number
}

/** An action is its own text ('0', 'q', '1 1 4'): there is no codec anywhere. */
export type Move<A extends string> = A | Fault

/** Characters that a view may have as JSON: it is sent with each question, and a larger one would take the bot's time to be read. */
export const VIEW_LENGTH = 256 * 1024

/** Actions that may be legal at once: they are all sent with each question, and looked through for each answer. */
export const LEGAL_ACTIONS = 100_000

/** Characters that a state may have as JSON. */
export const STATE_LENGTH = 16 * 1024 ** 2

/** By seat; `undefined`: the seat was not due. */
export type Moves<A extends string> = readonly (Move<A> | undefined)[]

/** By seat what it said beside its action; `undefined`: nothing. */
export type Said = readonly (string | undefined)[]

/** Characters that a bot may say beside an action: what is more is cut off. */
export const SAID_LENGTH = 512

/** What happened; what it is worth is the contest's scoring. */
export interface Outcome {
  /** By seat: one more than the seats that did better. Equals share a place: [1, 1] is a draw, and [1, 1, 3] has two winners. */
  readonly place: readonly number[]
  /** By seat, more being better: finite numbers, which count where a contest says `by = "score"`. */
  readonly score?: readonly number[]
  /** Why it ended, in the game's own words: 'shot', 'forfeit', 'turn limit'. */
  readonly reason: string
  /** Numbers by seat for tie-breaks and tables, such as `life` or `strength24`: whole ones, in a game without scores. */
  readonly tally?: Readonly<Record<string, readonly number[]>>
}

/** An outcome as a game gives it: places may be left out where they follow from the scores (`outcomeOf`). */
export type Ending = Omit<Outcome, 'place'> & Partial<Pick<Outcome, 'place'>>

/** All chance of a match is `pick(luck, items)`. A tape, where there is one, overrules the seed. */
export interface Luck {
  readonly seed: string
  readonly at: number
  readonly tape?: readonly (string | number)[]
}

/** `End`: what `outcome` returns, an `Ending` where places follow from scores. `Actions`: what `legal` returns, a `Shape` where no list holds them. */
export interface Game<
  State,
  Action extends string,
  View,
  Options,
  End extends Ending = Outcome,
  Actions extends Legal<Action> = readonly Action[],
> {
  /** Lower-case letters, digits and dashes. */
  readonly id: string
  /** Raised whenever any record could be judged differently. */
  readonly version: number
  readonly seats: { readonly min: number; readonly max: number }
  /** The defaults: a flat object of numbers, strings, booleans and arrays of them. */
  readonly options: Options
  /** The least and the greatest score of a seat in any match. Without it, sequential tests of mean scores are approximate. */
  readonly scores?: { readonly min: number; readonly max: number }
  /** Who plays together, by so many seats, and shares places: [[0, 2], [1, 3]]. Absent, or undefined: everyone plays alone. */
  teams?(seats: number): readonly (readonly Seat[])[] | undefined
  /** Bots may say a text beside each action, which `play` gets; views show it to who is to hear it. Absent: `play` gets none. */
  readonly say?: boolean
  /** What is wrong with these options for that many seats, in one line for a person; undefined: nothing. */
  refuse?(options: Options, seats: number): string | undefined
  /** A state has `STATE_LENGTH` at most. */
  setup(seats: number, options: Options, luck: Luck): State
  /** The seats that owe an action now: empty exactly when there is an outcome. */
  toMove(state: State): readonly Seat[]
  /** What a seat may know, `VIEW_LENGTH` at most. Hidden information stops here. Total: also out of turn, dead, over. */
  view(state: State, seat: Seat): View
  /** `LEGAL_ACTIONS` at most, or a shape. Computed from the view, so it cannot leak; any other text reaches `play` as an 'illegal' fault. */
  legal(view: View): Actions
  /** The next state. Prices faults, and plays on while no seat is due. Never changes its input. `said`: of a game with `say`, once anyone has said something. */
  play(state: State, moves: Moves<Action>, said?: Said): State
  outcome(state: State): End | undefined
  /** The same position with what that seat cannot know dealt anew, so that its view stays the same: tests find leaks with it. Absent: nothing is hidden. */
  resample?(state: State, seat: Seat, luck: Luck): State
  /**
   * Where chance has just drawn: the positions that it might have led to, with probabilities of sum 1; else undefined. It spares solvers
   * draws that make no difference, as of the rest of a deck.
   */
  chances?(state: State): readonly { readonly state: State; readonly p: number }[] | undefined
}

/** Any game, where its types do not matter. */
export type AnyGame = Game<unknown, string, unknown, Options, Ending, Legal>
export type Options = Readonly<Record<string, OptionValue>>
export type OptionValue = number | string | boolean | readonly (number | string | boolean)[]

/** Distinguishes a fault from an action. */
export function isFault<A extends string>(move: Move<A> | null | undefined): move is Fault {
  return typeof move === 'object' && move !== null && 'fault' in move
}
