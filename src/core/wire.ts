import type { Trouble } from './faults.js'
import type { Fault, Outcome, Seat } from './game.js'
import type { Legal } from './legal.js'

/** The numbers the tournament gave to the seats of a match, as the historic wires show them. */
export interface Me {
  readonly seat: Seat
  /** By seat. */
  readonly ids: readonly number[]
  /** How many entrants the tournament has: ids are in [0, field). */
  readonly field: number
}

/** A question of a match, beside what it is about. */
export interface Asked {
  /** From 0; rises by one from question to question that the seat is asked. */
  readonly n: number
  readonly clock: Clock
}

/** What an answer may take, in milliseconds: `turn` at most, and with a bank what is `left`. */
export interface Clock {
  readonly turn: number
  readonly left?: number
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

/** What stands for an answer that is too long, or for all that a bot printed beside it. */
export const flooded = (why: string): Required<Pick<BotOutput, 'trouble' | 'why'>> => ({ trouble: 'flood', why })

export const MEMORIES = ['turn', 'match', 'series', 'tournament'] as const
/** How long a bot may remember. */
export type Memory = (typeof MEMORIES)[number]
/** How long a bot may remember where its contest does not say. */
export const USUAL_MEMORY: Memory = 'series'
/** The shorter of two. */
export const lesserMemory = (a: Memory, b: Memory): Memory => (MEMORIES.indexOf(a) < MEMORIES.indexOf(b) ? a : b)

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
  /** What a process per turn may keep on disk: so many files (absent: any number) named after itself, and so many bytes in all. */
  readonly state?: { readonly folder: string; readonly bytes: number; readonly files?: number }
  /** The name of the game file (with `BotInput.file`), as the program sees it. */
  readonly file?: string
  /** Nothing that it sends depends on the ids or the size of the field: its matches stand whichever bots enter the contest later. */
  readonly anonymous?: boolean
  /** Class entries: the folder, inside the game's own, whose main() makes a class a program of this wire. */
  readonly shim?: string
  /** What the source (main file first) does not keep of the form that the contest asks: warnings, no faults. Takes time in proportion to it. */
  conventions?(files: readonly SourceText[]): readonly Convention[]
  readonly ready?: {
    readonly at: 'admission' | 'match'
    readonly input?: BotInput
    /** The limit's name in `limits`. */
    readonly within: string
    /** What is expected, for a person: 'print ok'. */
    readonly expects: string
    /** On a process that stays it is asked of line after line: those before the expected one are passed over. */
    ok(output: BotOutput): boolean
  }
  /**
   * A process that stays may load before its first answer: it runs on although it is not asked, and for that answer has the limit `within`, if
   * that is longer than its turn. A line that is `ok` says that it has loaded; it is no answer, and the turn begins with it.
   */
  readonly loads?: { readonly within: string; ok(line: string): boolean }
  /** At match start; no answer is awaited. `limits`: those of the clock, as the contest says them, with the wire's own. */
  start?(view: View, me: Me, limits?: Readonly<Record<string, number | string>>): BotInput
  /** On a process that stays: sent before each question. Lines up to the one that is `ok` answer what came before: not kept, in the question's time. */
  readonly sync?: { readonly input: BotInput; ok(line: string): boolean }
  /** The question. `legal` gives the legal actions, which are worked out once; `asked`: what the wire may tell of the question. */
  ask(view: View, me: Me, legal?: () => Legal, asked?: Asked): BotInput
  /** On a process that stays: the number of the question that a line answers, if the line says it. An answer to an earlier one is passed over. */
  numberOf?(line: string): number | undefined
  /**
   * Syntax only, pure; not called where there is trouble, unless `salvage`. Undefined: the line of a process that stays is no answer yet, such
   * as a banner or a thought, and the next one is read.
   */
  read(output: BotOutput, view: View, me: Me): Action | Fault | undefined
  /** What a bot said beside its action, of any length. Absent: this wire has no place for it. */
  said?(output: BotOutput): string | undefined
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
