import type { GameDefinition, Moves, Options } from '../core/index.js'
import type { EvaluatedCourse, EvaluatedStep, MatchEvaluator, PlayedStep } from './evaluated.js'
import { HiddenEvaluator } from './hidden-evaluator.js'
import { Induction } from './open.js'

/** What evaluates matches of a game with those options; undefined: its matches cannot be evaluated. */
export function matchEvaluator(definition: GameDefinition, options: Options): MatchEvaluator | undefined {
  const { game, open, small, scoring } = definition
  if (game.seats.min > 2 || game.seats.max < 2) return undefined
  if (open !== true) return small === true ? new HiddenEvaluator(definition, options) : undefined
  const isSmall = small === true || definition.reduced !== undefined
  return isSmall && scoring?.by !== 'score' ? new OpenEvaluator(definition) : undefined
}

/** Positions that are looked at for one game at most: some seconds. */
const MOST = 60_000

/** A game, or a position of it, is too large to be evaluated. */
class TooLarge extends Error {}
/** The time of a slice is up. */
class Pause extends Error {}

/** Evaluates positions and moves of a game of two that hides nothing and is won or lost. */
class OpenEvaluator implements MatchEvaluator {
  private readonly induction: Induction
  private goesOn: () => boolean = () => true

  constructor(private readonly definition: GameDefinition) {
    const onNew = (): void => {
      if (this.induction.positions >= MOST) throw new TooLarge()
      if (!this.goesOn()) throw new Pause()
    }
    this.induction = new Induction(definition, { onNew }, (state) => this.smaller(state))
  }

  course(steps: readonly PlayedStep[]): EvaluatedCourse {
    return {
      share: (i, goesOn) => this.within(goesOn, () => shareOf(this.induction.worthOf(steps[i]?.state).value)),
      step: (i, goesOn) => this.within(goesOn, () => this.step(steps[i]?.state, steps[i + 1]?.moves ?? [])),
    }
  }

  private step(state: unknown, moves: PlayedStep['moves']): EvaluatedStep {
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
  }

  private smaller(state: unknown): unknown {
    const { definition } = this
    const small = definition.reduced ? definition.reduced(state) : state
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
