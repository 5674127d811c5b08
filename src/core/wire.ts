import type { ScoringSpec } from './contest.js'
import type { AnyGame, Fault, Move, Outcome, Seat } from './game.js'

/** The numbers the tournament gave to the seats of a match, as the historic wires show them. */
export interface Me {
  readonly seat: Seat
  /** By seat. */
  readonly ids: readonly number[]
  /** How many entrants the tournament has: ids are in [0, field). */
  readonly field: number
}

/** What a program is sent. Only the parts that its transport knows are used. */
export interface BotInput {
  /** Arguments added to the command (transport 'turn'). */
  readonly argv?: readonly string[]
  /** Lines without their newline, for standard input. */
  readonly lines?: readonly string[]
  /** Contents of the game file, written afresh before the call (transport 'turn'); the file's path is the first argument. */
  readonly file?: string
}

export const TROUBLES = ['timeout', 'crash', 'flood', 'killed'] as const
export type Trouble = (typeof TROUBLES)[number]

/** Everything one answer consisted of; bytes as latin1. */
export interface BotOutput {
  /** Transport 'turn': all of standard output. Transport 'lines': one line without its newline. */
  readonly out?: string
  /** Transport 'turn': the exit code, where it is not 0. */
  readonly exit?: number
  /** Transport 'turn' with a game file: its contents after the call. */
  readonly file?: string
  /** crash: a signal, or no start, or (transport 'lines') an end before the answer. An exit code is the wire's to read. */
  readonly trouble?: Trouble
  /** For a person, beside trouble: 'signal SIGSEGV', 'ended with exit code 3'. */
  readonly why?: string
}

export const MEMORIES = ['turn', 'match', 'series', 'tournament'] as const
/** How long a bot may remember. */
export type Memory = (typeof MEMORIES)[number]

/** One protocol: how a game's view is sent to a program and its answer read. Pure: no wire starts or reads anything itself. */
export interface Wire<View, Action extends string> {
  /** A process a question, lines on a process that stays, or a function in this process. */
  readonly transport: 'turn' | 'lines' | 'module'
  /** One line for people: what the protocol is. */
  readonly summary: string
  /** The longest that a bot on it may remember. Absent: 'turn' for a process a question, 'tournament' for the others. */
  readonly memory?: Memory
  /** Milliseconds by name; 'turn' is every question's. */
  readonly limits?: Readonly<Record<string, number>>
  /** What was printed when the time ran out counts: `read` is called although there is trouble. */
  readonly salvage?: boolean
  /**
   * What a process per turn may keep on disk: files named after itself in this folder, up to that many bytes, and up to so many files
   * (absent: any number).
   */
  readonly state?: { readonly folder: string; readonly bytes: number; readonly files?: number }
  /** The name of the game file (with `BotInput.file`), as the program sees it. */
  readonly file?: string
  /** Nothing that it sends depends on the ids or the size of the field: its matches stand whoever else enters the contest. */
  readonly anonymous?: boolean
  /** Class entries: the folder, inside the game's own, whose main() makes a class a program of this wire. */
  readonly shim?: string
  /**
   * What the contest's text asks of the form of an entry's source and these files do not keep: warnings for whoever writes it, no faults.
   * Its main file is the first. The texts are a stranger's: the time that this takes grows no faster than they do.
   */
  conventions?(files: readonly SourceText[]): readonly Convention[]
  readonly ready?: {
    readonly at: 'admission' | 'match'
    readonly input?: BotInput
    /** The limit's name in `limits`. */
    readonly within: string
    /** What is expected, for a person: 'print ok'. */
    readonly expects: string
    ok(output: BotOutput): boolean
  }
  /** At match start; no answer is awaited. */
  start?(view: View, me: Me): BotInput
  /** The question. */
  ask(view: View, me: Me): BotInput
  /** Syntax only, pure; not called where there is trouble, unless `salvage`. */
  read(output: BotOutput, view: View, me: Me): Action | Fault
  /** After every play, to every seat. */
  update?(view: View, me: Me): BotInput | undefined
  /** Closing calls; whatever comes back is ignored. */
  end?(view: View, outcome: Outcome, me: Me): BotInput
}
export type AnyWire = Wire<unknown, string>

/** A file of an entry's source, by the name that its author knows. */
export interface SourceText {
  readonly file: string
  readonly text: string
}

/** What the contest's text asks of an entry's form and is not kept. `line`: from 1. */
export interface Convention {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** A game with everything that belongs to it; the default export of a game's folder or file. */
export interface GameDefinition {
  readonly game: AnyGame
  readonly title: string
  /** One sentence. */
  readonly summary: string
  /** The historic wires by name; `jsonl` and `module` follow from the game and are added to them. */
  readonly wires?: Readonly<Record<string, AnyWire>>
  /** The wire of a command that names none; without it `jsonl`. */
  readonly wire?: string
  /** What a match is worth where the contest does not say; without it 1, ½ and 0, and nothing decides between equal points. */
  readonly scoring?: Partial<ScoringSpec>
  /** What each action means, in a word or two; for people at the keyboard and for lists of moves. */
  readonly actions?: Readonly<Record<string, string>>
  /** What each key of a view means, in a few words; for whoever writes a bot. */
  readonly fields?: Readonly<Record<string, string>>
  /** What kind of question a view asks, in a few words, where there are several: 'a block to doubt'. */
  question?(view: unknown): string
  /**
   * What of a view matters for what follows, as plain data: positions that are alike in it for both seats are played alike. A game that is
   * solved by backward induction has fewer positions with it.
   */
  essence?(view: unknown): unknown
  /**
   * A position that is worth the same to both as this one, but for a thousandth, and of which there are fewer: with less behind it, or an
   * end that is nearer. Replays evaluate positions by it where nothing is hidden. Undefined: this one is too far from its end.
   */
  reduced?(state: unknown): unknown
  /**
   * All its courses together are gone through in a moment: replays evaluate its positions, also where something is hidden, and a run measures
   * its entrants against their best answers.
   */
  readonly small?: boolean
  /** Nothing is hidden: a player may see the whole position and, once a turn is over, everyone's moves. */
  readonly open?: boolean
  /** What matters of a seat in this position, in a few characters for a list of moves: '2 rounds'. */
  figures?(state: unknown, seat: Seat): string
  /** What a seat may know, as a few short lines for a terminal. Without it the view's JSON. */
  text?(view: unknown, seat: Seat): string
  /** The whole position, nothing hidden, as a few short lines for a terminal. */
  board?(state: unknown): string
  /**
   * The whole position as a picture for replays: a text of SVG or HTML, from the state alone. It is shown in a frame of its own, in which no
   * script and no style sheet counts, and nothing is loaded.
   */
  viewer?(state: unknown): string
  /** A whole match in the notation of the game's own contest. Names are plain words. Without it a line a step. */
  transcript?(match: PlayedOut): string
  /** A table as the contest's author published it. */
  published?(table: FinalTable): PublishedTable
  /** Replays one recorded game of the conformance format (an already parsed line); what differs, in words. Empty: it agrees. */
  conform?(line: unknown): readonly string[]
}

/** A match that is over, with every position. */
export interface PlayedOut {
  /** By seat. */
  readonly names: readonly string[]
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
  /** A table in Markdown; aligned columns below their heads; or bare lines, with this between their cells. */
  readonly form: 'markdown' | 'columns' | { readonly between: string }
}

/** @deprecated It is called GameDefinition now. */
export type GameKit = GameDefinition
/** @deprecated It is called BotInput now. */
export type Say = BotInput
/** @deprecated It is called BotOutput now. */
export type Heard = BotOutput
