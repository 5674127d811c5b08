import type { Move } from '../core/index.js'

/** What a step of a match was worth, as it is between players who play the rest as well as can be. */
export interface EvaluatedStep {
  /** The share of the match that seat 0 can expect before the step: 1 is a win, ½ a draw or even chances. */
  readonly share: number
  /** By seat: how much of its share the move gives away to who plays an equilibrium; undefined: it was not due. */
  readonly lost: readonly (number | undefined)[]
}

/** A position of a match, with the moves by seat that led to it. */
export interface PlayedStep {
  readonly state: unknown
  readonly moves: readonly (Move<string> | null | undefined)[]
}

/** What the positions and steps of a match are worth; undefined: it is not known. 'later': `goesOn` said no meanwhile. */
export interface EvaluatedCourse {
  share(position: number, goesOn: () => boolean): number | undefined | 'later'
  /** A step from a position that is not over. */
  step(position: number, goesOn: () => boolean): EvaluatedStep | undefined | 'later'
}

/** Evaluates matches of a game. It works in slices, and keeps what it has found from one match to the next. */
export interface MatchEvaluator {
  course(steps: readonly PlayedStep[]): EvaluatedCourse
}
