import type { Answer, Fault, Legal, Move, Outcome, Question, BotInput, Seat } from '../core/index.js'

/** What a seat owes: whether it is ready, or its move. */
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
  /** By seat; undefined: not due. */
  readonly moves: readonly (Move<string> | undefined)[]
  readonly after: unknown
}

/** What an observer of the whole match receives. */
export type FullEvent =
  /** First: the position when observation began. */
  | { readonly kind: 'began'; readonly seats: number; readonly state: unknown }
  | { readonly kind: 'asked'; readonly question: Due }
  /** As each seat answers, before the others of the step have. */
  | { readonly kind: 'answered'; readonly seat: Seat; readonly answer: Answer }
  | ({ readonly kind: 'moved' } & LiveStep)
  /** After the step in which it happened, counted from 0. */
  | ({ readonly kind: 'fault'; readonly seat: Seat; readonly step: number } & Fault)
  | { readonly kind: 'ended'; readonly outcome: Outcome }

/**
 * What an observer of one seat receives: its views, questions and actions, and the outcome. Nothing of the others: not
 * who they are, when they are asked, or how many steps they take.
 */
export type SeatEvent =
  /** First: what the seat saw when observation began. */
  | { readonly kind: 'began'; readonly seat: Seat; readonly seats: number; readonly view: unknown }
  /** It owes this answer, counted from 0 within the match, on what it saw last. */
  | { readonly kind: 'asked'; readonly number: number; readonly limit: number }
  | { readonly kind: 'moved'; readonly move: Extract<Move<string>, string> }
  | ({ readonly kind: 'fault' } & Fault)
  | { readonly kind: 'observed'; readonly view: unknown }
  | { readonly kind: 'ended'; readonly outcome: Outcome }
