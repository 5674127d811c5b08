import { type GameDefinition, type Move, isFault } from '../../core/index.js'
import type { AnyViewer } from '../../games/viewer-kit/index.js'
import type { Film } from './frames.js'

/** A move as the reader may see it: null was not due, 'hidden' is not for this seat to know. */
export type Shown = { readonly action: string } | Exclude<Move<string>, string> | 'hidden' | null

/** How actions are shown in words and in signs. */
export interface Words {
  readonly word: (action: string) => string
  readonly sign: (action: string) => string
}
export function wordsOf(
  definition: GameDefinition | undefined,
  viewer: AnyViewer | undefined,
  names: readonly string[],
): Words {
  const word = (action: string) => viewer?.word?.(action, names) ?? definition?.actions?.[action] ?? action
  return { word, sign: (action) => viewer?.sign?.(action, names) ?? action }
}

/**
 * The moves of a match by turn and seat, everything or what one seat saw. Where a game does not say which of its moves are open, a
 * seat is shown its own alone.
 */
export function shownMoves(
  film: Film,
  viewer: AnyViewer | undefined,
  as: number | undefined,
): readonly (readonly Shown[])[] {
  return film.frames.slice(1).map(({ moves }, i) =>
    moves.map((move, seat): Shown => {
      if (move === null || isFault(move)) return move
      if (as === undefined || as === seat) return { action: move }
      if (!viewer) return 'hidden'
      const open = viewer.open ? viewer.open(film.frames[i]?.state, move) : move
      return open === null ? 'hidden' : { action: open }
    }),
  )
}
