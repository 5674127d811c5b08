import { useEffect, useState } from 'react'
import type { GameDefinition, Options } from '../../core/index.js'
import { type EvaluatedCourse, type MatchEvaluator, matchEvaluator } from '../../lab/evaluator.js'
import type { ComputedEvaluation } from '../document.js'
import type { Film, Frame } from './frames.js'

/** How good a move was. Bounds are lichess's, in shares of the match: https://lichess.org/page/accuracy. */
export const MARKS = ['best', 'inaccuracy', 'mistake', 'blunder'] as const
export type MoveMark = (typeof MARKS)[number]
const AT_LEAST: readonly (readonly [MoveMark, number])[] = [
  ['blunder', 0.15],
  ['mistake', 0.1],
  ['inaccuracy', 0.05],
]
/** A move that gives away less is a best one: evaluations are as exact as that. */
const NOTHING = 0.005

export const SIGNS: Readonly<Record<MoveMark, string>> = { best: '✓', inaccuracy: '?!', mistake: '?', blunder: '??' }

/** The mark of a move that gave away that share of the match; undefined: it was neither best nor bad, or nothing is known. */
export function markOf(lost: number | null | undefined): MoveMark | undefined {
  if (lost === null || lost === undefined) return undefined
  if (lost < NOTHING) return 'best'
  return AT_LEAST.find(([, least]) => lost >= least)?.[0]
}

/** What the positions and moves of a match are worth, between players who play the rest as well as can be. */
export type Evaluation = ComputedEvaluation

/** What a seat may see of it where something is hidden: its own moves, which are judged by what it knew; what positions are worth tells the rest. */
export const ofSeat = ({ lost }: Evaluation, as: number): Evaluation => ({
  shares: [],
  lost: lost.map((step) => step.map((share, seat) => (seat === as ? share : null))),
})

/** By game and options: what one match has found, the next one has not to look for. */
const evaluators = new Map<string, MatchEvaluator | undefined>()

function evaluatorOf(definition: GameDefinition, options: Options): MatchEvaluator | undefined {
  const key = JSON.stringify([definition.game.id, options])
  if (!evaluators.has(key)) evaluators.set(key, matchEvaluator(definition, options))
  return evaluators.get(key)
}

/** Milliseconds that the page does nothing else; and positions of the first slice at least. */
const SLICE_MS = 12
const LEAST = 300

/** The evaluation of a match, once it has been worked out; undefined: not yet, or never, where the game has no solution. */
export function useEvaluation(
  definition: GameDefinition | undefined,
  options: Options,
  film: Film,
): Evaluation | undefined {
  const [found, setFound] = useState<{ readonly film: Film; readonly evaluation: Evaluation }>()
  useEffect(() => {
    const evaluator = definition && evaluatorOf(definition, options)
    if (evaluator === undefined || film.frames.length === 0) return undefined
    const work = new Work(evaluator, film.frames)
    let timer: number | undefined
    const go = (): void => {
      if (!work.slice()) timer = window.setTimeout(go, 0)
      else if (work.shares.some((share) => share !== null)) setFound({ film, evaluation: work })
    }
    timer = window.setTimeout(go, 0)
    return () => window.clearTimeout(timer)
  }, [definition, options, film])
  // Of a match that grows, what is known of it so far is shown until more is.
  return found !== undefined && (found.film === film || film.live === true) ? found.evaluation : undefined
}

/** All positions of a match, the last first: its end is nearest. */
export class Work implements Evaluation {
  readonly shares: (number | null)[] = []
  readonly lost: (readonly (number | null)[])[] = []
  private readonly course: EvaluatedCourse
  private at: number
  private least = LEAST

  constructor(evaluator: MatchEvaluator, frames: readonly Frame[]) {
    this.course = evaluator.course(frames)
    this.at = frames.length - 1
  }

  /** Works for a moment. Whether all is done. */
  slice(): boolean {
    const until = performance.now() + SLICE_MS
    let left = this.least
    // What is begun anew in each slice grows with the length of a game, so each slice does more.
    this.least *= 1.5
    const goesOn = (): boolean => left-- > 0 || performance.now() < until
    for (; this.at >= 0; this.at--) {
      const share = this.course.share(this.at, goesOn)
      const step = this.at > 0 ? this.course.step(this.at - 1, goesOn) : undefined
      if (share === 'later' || step === 'later') return false
      this.shares[this.at] = share ?? null
      this.lost[this.at] = step?.lost.map((own) => own ?? null) ?? []
    }
    return true
  }
}
