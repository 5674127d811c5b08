import type { Legal } from './legal.js'
import type { BotOutput, BotInput } from './wire.js'

export interface Question {
  readonly input: BotInput
  /**
   * What the seat may know, deeply frozen; on wire `module` the referee's own: bots here are lent a copy (`lentView`).
   */
  readonly view: unknown
  /** Counted from 0 within the match. */
  readonly number: number
  /** Milliseconds. */
  readonly limit: number
  /** A view's legal actions, for bots that want them; this view's are worked out once: do not write into the list. */
  readonly legal?: (view: unknown) => Legal
  /** Whether a line of a process that stays is no answer, asked line by line. Absent: each is one. */
  readonly skips?: (line: string) => boolean
}

/** What came back, and how long it took. */
export interface Answer {
  readonly output: BotOutput
  readonly wallUs: number
  /** Absent where it is not known. */
  readonly cpuUs?: number
  /** Wall time less waits for a core because of others: what its limit counts. Absent: unknown. */
  readonly chargedUs?: number
  /** The part that its seat's bank pays; absent: all. Loading a process is no thinking. */
  readonly thoughtUs?: number
}

/** A figure that a bot printed, with the number of the question asked last. */
export type PrintedFigure = readonly [question: number, name: string, value: number]

/** A seated bot. Its wrongs are trouble in its output; a rejection is agon's failure, and voids the match. */
export interface Player {
  /** A match begins: what must live starts, what was wiped is fresh. `key`: the match's. */
  begin(key: string): Promise<void> | void
  /** Waits for the answer that a wire expects before any question. */
  ready(input: BotInput | undefined, limit: number): Promise<Answer>
  /** Sends what needs no answer. */
  send(input: BotInput): Promise<void> | void
  /** What answers at once, as a function, need not promise: matches of such players wait for nothing. */
  ask(question: Question): Promise<Answer> | Answer
  /** Ends the bot for the rest of the match. */
  dismiss(): void
  /** The match is over; what may live on, lives on. */
  end(): Promise<void> | void
  /** What it printed of itself in this match, in order. Absent: unknown. */
  figures?(): readonly PrintedFigure[]
  /** Lines printed in this match that answered no question, as far as seen. Absent: it prints none. */
  surplusLines?(): number
}
