import type { Answer, Fault, Legal, Move, Outcome, Question, BotInput, Seat } from '../core/index.js'

/** What a seat owes an answer to: whether it is ready, or its move. */
export type Due = ReadyDue | MoveDue
export interface ReadyDue {
  readonly asks: 'ready'
  readonly seat: Seat
  readonly input: BotInput | undefined
  /** Milliseconds. */
  readonly limit: number
}
export interface MoveDue extends Question {
  readonly asks: 'move'
  readonly seat: Seat
  readonly legal: (view: unknown) => Legal
}

export interface Update {
  readonly seat: Seat
  readonly when: 'start' | 'update' | 'end'
  readonly input: BotInput
}

export interface LiveStep {
  /** Counted from 0. */
  readonly number: number
  readonly before: unknown
  /** By seat; undefined: was not due. */
  readonly moves: readonly (Move<string> | undefined)[]
  readonly after: unknown
}

/** What an observer of the whole match receives. */
export type FullEvent =
  /** The first event: the position when it began to look. */
  | { readonly kind: 'began'; readonly seats: number; readonly state: unknown }
  | { readonly kind: 'asked'; readonly question: Due }
  /** As each seat answers: before the others of the same step have. */
  | { readonly kind: 'answered'; readonly seat: Seat; readonly answer: Answer }
  | ({ readonly kind: 'moved' } & LiveStep)
  /** After the step in which it happened, which counts from 0. */
  | ({ readonly kind: 'fault'; readonly seat: Seat; readonly step: number } & Fault)
  | { readonly kind: 'ended'; readonly outcome: Outcome }

/**
 * What an observer of one seat receives: what the seat may know (its views), what it was asked and did, and the
 * outcome. It holds nothing of the others: not who they are, not when they are asked, not how many steps they take.
 */
export type SeatEvent =
  /** The first event: what the seat saw when they began to look. */
  | { readonly kind: 'began'; readonly seat: Seat; readonly seats: number; readonly view: unknown }
  /** It owes its answer with this number, from 0 within the match, on what it saw last. */
  | { readonly kind: 'asked'; readonly number: number; readonly limit: number }
  | { readonly kind: 'moved'; readonly move: Extract<Move<string>, string> }
  | ({ readonly kind: 'fault' } & Fault)
  | { readonly kind: 'observed'; readonly view: unknown }
  | { readonly kind: 'ended'; readonly outcome: Outcome }
