import type { ScoringSpec } from './contest.js'
import type { AnyGame, Move, Outcome, Seat } from './game.js'
import type { AnyWire } from './wire.js'

/** Seats' colours in the light scheme (Okabe and Ito's, distinct for colour-blind readers); after them they recur. */
export const SEAT_COLOURS = ['#0072b2', '#d55e00', '#009e73', '#b3588c', '#3a9bd9', '#c98a00', '#6d6d6d'] as const

/** Who plays, for a game that draws its positions; both lists by seat. */
export interface ShownSeats {
  readonly names: readonly string[]
  /** As CSS has them; the page shows the seats in these. */
  readonly colours: readonly string[]
}

export const shownSeats = (names: readonly string[]): ShownSeats => ({
  names,
  colours: names.map((_, seat) => SEAT_COLOURS[seat % SEAT_COLOURS.length] as string),
})

/** A game with all that belongs to it: the default export of its folder or file. */
export interface GameDefinition {
  readonly game: AnyGame
  readonly title: string
  /** One sentence. */
  readonly summary: string
  /** Historic wires by name; `jsonl` and `module` are added to them. */
  readonly wires?: Readonly<Record<string, AnyWire>>
  /** The wire of a command that names none; without it `jsonl`. */
  readonly wire?: string
  /** What a match is worth if the contest does not say; absent: 1, ½ and 0, and no tie-breaks. */
  readonly scoring?: Partial<ScoringSpec>
  /** Its rules as Markdown; absent: RULES.md beside its file. */
  readonly rules?: string
  /** A program asked over a pipe: to go on from a state other than its match's newest costs all moves before. */
  readonly program?: {
    /** It says that a view may hide something. */
    readonly hidden: boolean
    /** From now on asks two of it, whose hashes have other orders: where their answers differ, it is their mistake. */
    askTwice(): void
  }
  /** What each action means, in a word or two; for keyboards and lists of moves. */
  readonly actions?: Readonly<Record<string, string>>
  /** What each key of a view means, in a few words, for a bot's author. */
  readonly fields?: Readonly<Record<string, string>>
  /** What kind of question a view asks, in a few words, if there are several: 'a block to doubt'. */
  question?(view: unknown): string
  /** What of a view matters for what follows: positions alike in it for both seats are solved once. */
  essence?(view: unknown): unknown
  /**
   * A position of equal worth to both (to a thousandth), nearer an end: replays evaluate it if nothing is hidden.
   * Undefined: too far from an end.
   */
  reduced?(state: unknown): unknown
  /** All its courses take a moment: replays evaluate them, and a run measures entrants against best answers. */
  readonly small?: boolean
  /** Nothing is hidden: players may see the whole position and, after each turn, everyone's moves. */
  readonly open?: boolean
  /** What matters of a seat here, in a few characters for a list of moves: '2 rounds'. */
  figures?(state: unknown, seat: Seat): string
  /** What a seat may know, in a few short lines for a terminal. Absent: the view's JSON. */
  text?(view: unknown, seat: Seat): string
  /** The whole position, nothing hidden, in short lines for a terminal. */
  board?(state: unknown, seats: ShownSeats): string
  /** The position as SVG or HTML for replays, from these alone, in a frame without scripts, styles and loading. */
  viewer?(state: unknown, seats: ShownSeats): string
  /** A whole match in the notation of the game's contest; names are plain words. Absent: a line a step. */
  transcript?(match: PlayedOut): string
  /** A table as the contest's author published it. */
  published?(table: FinalTable): PublishedTable
  /** Replays a recorded game of the conformance format (a parsed line); what differs, in words. Empty: it agrees. */
  conform?(line: unknown): readonly string[]
}

/** A match that is over, with every position. */
export interface PlayedOut {
  /** By seat. */
  readonly names: readonly string[]
  /** By seat: its starting command, or its name where no command is known. */
  readonly commands: readonly string[]
  readonly ids: readonly number[]
  /** From the first to the last: one more than there are steps. */
  readonly states: readonly unknown[]
  /** By step and seat; null: was not due. */
  readonly moves: readonly (readonly (Move<string> | null)[])[]
  readonly outcome: Outcome
}

/** A table with what is known of its entrants. */
export interface FinalTable {
  /** Headings of `cells`. */
  readonly columns: readonly string[]
  /** From the first to the last. */
  readonly rows: readonly {
    readonly name: string
    readonly points: number
    readonly cells: readonly (number | null)[]
    /** '' where it is not known. */
    readonly language: string
    /** What it is started with; its name where that is not known. */
    readonly command: string
  }[]
}

/** A table for people. */
export interface PublishedTable {
  readonly columns: readonly { readonly head: string; readonly cells: readonly string[]; readonly right?: boolean }[]
  /** A Markdown table; aligned columns below heads; or bare lines, with this between cells. */
  readonly form: 'markdown' | 'columns' | { readonly between: string }
}
