import type { Legal } from './legal.js'
import type { BotOutput, BotInput } from './wire.js'

export interface Question {
  readonly input: BotInput
  /** What the seat may know, deeply frozen; on the wire `module` the referee's own, of which a bot in this process is lent a copy (`lentView`). */
  readonly view: unknown
  /** Counted from 0 within the match. */
  readonly number: number
  /** Milliseconds. */
  readonly limit: number
  /** The legal actions of a view, for bots that want them. Those of this view are worked out once: the list must not be written into. */
  readonly legal?: (view: unknown) => Legal
  /** Whether a line of a process that stays is no answer yet, asked line by line. Absent: each is one. */
  readonly skips?: (line: string) => boolean
}

/** What came back, and how long it took. */
export interface Answer {
  readonly output: BotOutput
  readonly wallUs: number
  /** Absent where it is not known. */
  readonly cpuUs?: number
  /** Wall time less what the bot waited for a core because of others: what its limit counts. Absent where it is not known. */
  readonly chargedUs?: number
  /** What of that its seat's bank pays for; absent: all. What a process takes to load is no thinking. */
  readonly thoughtUs?: number
}

/** A figure that a bot printed of itself, with the number of the question that it was asked last before. */
export type PrintedFigure = readonly [question: number, name: string, value: number]

/** A seated bot, of whatever kind. What a bot does wrong is trouble in its output; a rejection is agon's own failure, and voids the match. */
export interface Player {
  /** A match begins: what must live is started, what was wiped is fresh. `key` is the match's. */
  begin(key: string): Promise<void> | void
  /** Waits for the answer a wire expects before the first question. */
  ready(input: BotInput | undefined, limit: number): Promise<Answer>
  /** Sends what needs no answer. */
  send(input: BotInput): Promise<void> | void
  /** What answers at once, such as a function that computes, need not promise it: a match of such players waits for nothing. */
  ask(question: Question): Promise<Answer> | Answer
  /** Ends the bot for the rest of the match. */
  dismiss(): void
  /** The match is over; what may live on, lives on. */
  end(): Promise<void> | void
  /** What it has printed of itself in this match, in order. Absent: that is not known. */
  figures?(): readonly PrintedFigure[]
  /** Lines that it printed in this match and that answered no question, as far as they were seen. Absent: it prints no lines. */
  surplusLines?(): number
}
