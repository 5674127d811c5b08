import type { GameDefinition, Options } from '../core/index.js'
import { type MatchEvaluator, matchEvaluator } from '../solve/index.js'
import type { ComputedEvaluation, ComputedMatch } from '../web/document.js'

/** What one match has found, the next one has not to look for: by game and options. */
const evaluators = new WeakMap<GameDefinition, Map<string, MatchEvaluator | undefined>>()

function evaluatorOf(definition: GameDefinition, options: Options): MatchEvaluator | undefined {
  if (definition.small !== true) return undefined
  const own = evaluators.get(definition) ?? new Map<string, MatchEvaluator | undefined>()
  evaluators.set(definition, own)
  const key = JSON.stringify(options)
  if (!own.has(key)) own.set(key, matchEvaluator(definition, options))
  return own.get(key)
}

/**
 * What the positions and moves of a match of a small game are worth, for a page that does not know its rules; in steps, one a position.
 * Undefined: nothing is known of any.
 */
export function* evaluated(
  definition: GameDefinition,
  options: Options,
  states: readonly unknown[],
  moves: ComputedMatch['moves'],
): Generator<undefined, ComputedEvaluation | undefined> {
  const course = evaluatorOf(definition, options)?.course(
    states.map((state, i) => ({ state, moves: moves[i - 1] ?? [] })),
  )
  if (course === undefined) return undefined
  const shares: (number | null)[] = []
  const lost: (readonly (number | null)[])[] = [[]]
  try {
    for (let i = 0; i < states.length; i++) {
      const share = course.share(i, () => true)
      const step = i + 1 < states.length ? course.step(i, () => true) : undefined
      shares.push(typeof share === 'number' ? share : null)
      if (i + 1 < states.length) lost.push(typeof step === 'object' ? step.lost.map((one) => one ?? null) : [])
      yield
    }
  } catch {
    // It is not small after all, or cannot be solved: its replays show the rest.
    return undefined
  }
  return shares.some((share) => share !== null) ? { shares, lost } : undefined
}
