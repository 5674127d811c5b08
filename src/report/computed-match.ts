import type { GameDefinition, MatchRecord } from '../core/index.js'
import { walk } from '../match/index.js'
import type { ComputedMatch } from '../web/document.js'

/** Characters of pictures that a match may have: a report holds thousands of matches, and is one file. */
const MOST = 4_000_000

/** The positions of a match as text, figures and pictures, for a page that does not know the rules. */
export function computedMatch(definition: GameDefinition, record: MatchRecord): ComputedMatch {
  const states: unknown[] = [definition.game.setup(record.seats.length, record.options, record.luck)]
  const moves: ComputedMatch['moves'][number][] = []
  try {
    for (const step of walk(definition, record)) {
      states.push(step.after)
      moves.push(step.moves.map((move) => move ?? null))
    }
  } catch {
    // As far as it goes.
  }
  return computedPart(definition, record.seats.length, states, moves)
}

/** The same of some positions that were reached, and the moves among them. */
export function computedPart(
  definition: GameDefinition,
  seats: number,
  states: readonly unknown[],
  moves: ComputedMatch['moves'],
): ComputedMatch {
  const all = Array.from({ length: seats }, (_, seat) => seat)
  const board = (state: unknown): string => definition.board?.(state) ?? JSON.stringify(state, undefined, 2)
  const figures = (state: unknown): string[] => all.map((seat) => definition.figures?.(state, seat) ?? '')
  const pictures = picturesOf(definition, states)
  return {
    boards: states.map(board),
    moves,
    ...(definition.figures && { figures: states.map(figures) }),
    ...(pictures && { pictures }),
  }
}
function picturesOf(definition: GameDefinition, states: readonly unknown[]): readonly string[] | undefined {
  if (definition.viewer === undefined) return undefined
  let size = 0
  const pictures: string[] = []
  for (const state of states) {
    const picture: unknown = definition.viewer(state)
    if (typeof picture !== 'string') return undefined
    size += picture.length
    if (size > MOST) return undefined
    pictures.push(picture)
  }
  return pictures
}
