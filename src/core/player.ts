import type { Heard, Say } from './wire.js'

/** One question to a bot. */
export interface Question {
  readonly say: Say
  /** What the seat may know; in-process bots are given this itself. Deeply frozen. */
  readonly view: unknown
  /** Counted from 0 within the match. */
  readonly number: number
  /** Milliseconds. */
  readonly limit: number
}

/** What came back, and how long it took. */
export interface Answer {
  readonly heard: Heard
  readonly wallUs: number
  /** Absent where nobody can tell. */
  readonly cpuUs?: number
  /** Wall time less what the bot waited for a core because of others: what its limit counts. Absent where nobody can tell. */
  readonly chargedUs?: number
}

/**
 * A seated bot, whatever it is made of: a process a turn, a process that stays, a function, a person. It never rejects for what
 * a bot does, which is trouble in what was heard; it rejects when agon itself fails, and then the match is void.
 */
export interface Player {
  /** A match begins: what must live is started, what was wiped is fresh. `key` is the match's. */
  begin(key: string): Promise<void>
  /** Waits for the answer a wire expects before the first question. */
  ready(say: Say | undefined, limit: number): Promise<Answer>
  /** Says something that asks for no answer. */
  tell(say: Say): Promise<void> | void
  ask(question: Question): Promise<Answer>
  /** Ends the bot for the rest of the match. */
  dismiss(): void
  /** The match is over; what may live on, lives on. */
  end(): Promise<void>
}
