import type { GameDefinition, Move, Moves } from '../core/index.js'
import { Induction } from './open.js'

/** What a step of a match was worth, as it is between players who play the rest as well as can be. */
export interface EvaluatedStep {
  /** The share of the match that seat 0 can expect before the step: 1 is a win, ½ a draw or even chances. */
  readonly share: number
  /** By seat: how much of its share the move gives away to who plays an equilibrium; undefined: it was not due. */
  readonly lost: readonly (number | undefined)[]
}

/** Positions that are looked at for one game at most: some seconds. */
const MOST = 60_000

/** A game, or a position of it, is too large to be evaluated. */
class TooLarge extends Error {}
/** The time of a slice is up. */
class Pause extends Error {}

/**
 * Evaluates positions and moves of a game of two that hides nothing and is won or lost. It works in slices, and keeps what it has found
 * from one match of the game to the next.
 */
export class Evaluator {
  private readonly induction: Induction
  private goesOn: () => boolean = () => true

  /** Undefined for a game that cannot be evaluated. */
  static of(definition: GameDefinition): Evaluator | undefined {
    const { game, open, scoring } = definition
    const isOfTwo = game.seats.min <= 2 && game.seats.max >= 2
    return open === true && isOfTwo && scoring?.by !== 'score' && 'reduced' in definition
      ? new Evaluator(definition, (state) => definition.reduced?.(state))
      : undefined
  }

  private constructor(
    private readonly definition: GameDefinition,
    private readonly reduced: (state: unknown) => unknown,
  ) {
    const onNew = (): void => {
      if (this.induction.positions >= MOST) throw new TooLarge()
      if (!this.goesOn()) throw new Pause()
    }
    this.induction = new Induction(definition, { onNew }, (state) => this.smaller(state))
  }

  /** The share of seat 0 in a position; undefined: it is too large. 'later': `goesOn` said no meanwhile. */
  share(state: unknown, goesOn: () => boolean): number | undefined | 'later' {
    return this.within(goesOn, () => shareOf(this.induction.worthOf(state).value))
  }

  /** A step from a position that is not over. As `share`. */
  step(
    state: unknown,
    moves: readonly (Move<string> | null | undefined)[],
    goesOn: () => boolean,
  ): EvaluatedStep | undefined | 'later' {
    return this.within(goesOn, () => {
      const { induction } = this
      const at = this.smaller(state)
      const { value } = induction.worthOf(at)
      const { legal, solved } = induction.choice(at)
      const due = this.definition.game.toMove(at)
      const lost = [0, 1].map((seat) => {
        const move = moves[seat]
        if (!due.includes(seat) || move === null || move === undefined) return undefined
        // Against the other's equilibrium.
        const weights = seat === 0 ? solved.columns : solved.rows
        const gained = (legal[1 - seat] ?? []).reduce((sum, other, i) => {
          const p = weights[i] ?? 0
          if (p === 0) return sum
          const both = (seat === 0 ? [move, other] : [other, move]) as Moves<string>
          return sum + p * induction.after(at, both).value
        }, 0)
        return Math.max(0, (seat === 0 ? value - gained : gained - value) / 2)
      })
      return { share: shareOf(value), lost }
    })
  }

  private smaller(state: unknown): unknown {
    const small = this.reduced(state)
    if (small === undefined) throw new TooLarge()
    return small
  }

  private within<T>(goesOn: () => boolean, work: () => T): T | undefined | 'later' {
    this.goesOn = goesOn
    try {
      return work()
    } catch (error) {
      if (error instanceof Pause) return 'later'
      if (error instanceof TooLarge) return undefined
      throw error
    }
  }
}

/** 1, 0 and −1 as 1, ½ and 0. */
const shareOf = (value: number): number => Math.min(1, Math.max(0, (1 + value) / 2))
