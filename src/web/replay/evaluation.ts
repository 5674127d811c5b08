import { useEffect, useState } from 'react'
import type { GameDefinition, Options } from '../../core/index.js'
import { type EvaluatedMatch, type PlayedStep, evaluating } from '../../lab/evaluator.js'
import { matchEvaluator } from '../../lab/evaluator.js'

/** How good a move was. Bounds are lichess's, in shares of the match: https://lichess.org/page/accuracy. */
export const MARKS = ['best', 'inaccuracy', 'mistake', 'blunder'] as const
type MoveMark = (typeof MARKS)[number]

export const SIGNS: Readonly<Record<MoveMark, string>> = { best: '✓', inaccuracy: '?!', mistake: '?', blunder: '??' }

/** The mark of a move that gave away that share of the match; undefined: it was neither best nor bad, or nothing is known. */
export function markOf(lost: number | null | undefined): MoveMark | undefined {
  if (lost === null || lost === undefined) return undefined
  if (lost >= 0.15) return 'blunder'
  if (lost >= 0.1) return 'mistake'
  if (lost >= 0.05) return 'inaccuracy'
  // Evaluations are as exact as that.
  return lost < 0.005 ? 'best' : undefined
}

/** What a seat may see of it where something is hidden: its own moves, which are judged by what it knew; what positions are worth tells the rest. */
export const ofSeat = ({ lost }: EvaluatedMatch, as: number): EvaluatedMatch => ({
  shares: [],
  lost: lost.map((step) => step.map((share, seat) => (seat === as ? share : null))),
})

/** Milliseconds that the page does nothing else; and positions of the first slice at least. */
const SLICE_MS = 12
const LEAST = 300

/** The evaluation of a match, once it has been worked out; undefined: not yet, or never, where the game has no solution. `live`: it grows. */
export function useEvaluation(
  definition: GameDefinition | undefined,
  options: Options,
  frames: readonly PlayedStep[],
  live = false,
): EvaluatedMatch | undefined {
  const [found, setFound] = useState<{ readonly frames: typeof frames; readonly evaluation?: EvaluatedMatch }>()
  useEffect(() => {
    const evaluator = definition && matchEvaluator(definition, options)
    if (evaluator === undefined) return undefined
    let [until, least, left] = [0, LEAST, LEAST]
    const work = evaluating(evaluator.course(frames), frames.length, () => left-- > 0 || performance.now() < until)
    const slice = (): void => {
      until = performance.now() + SLICE_MS
      left = least
      let step = work.next()
      while (!step.done && step.value && performance.now() < until) step = work.next()
      if (step.done) return setFound({ frames, evaluation: step.value })
      // What is begun anew in each slice grows with the length of a game, so each slice does more.
      if (!step.value) least *= 1.5
      timer = window.setTimeout(slice, 0)
    }
    let timer = window.setTimeout(slice, 0)
    return () => window.clearTimeout(timer)
  }, [definition, options, frames])
  // Of a match that grows, what is known of it so far is shown until more is.
  return found?.frames === frames || live ? found?.evaluation : undefined
}
