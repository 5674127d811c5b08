import { useMemo } from 'react'
import { type GameDefinition, type Move, isFault } from '../../core/index.js'
import type { AnyViewer, Tally } from '../../games/viewer-kit/index.js'
import { leftOf } from '../../match/clocks.js'
import type { PackedMatch } from '../document.js'
import { definitionOf, seatNames, viewerOf } from '../games.js'
import { useShared } from '../shared.js'
import { type Evaluation, ofSeat, useEvaluation } from './evaluation.js'
import { blundersOf, eventsOf } from './events.js'
import { numbersOf, printedTallies, talliesOf } from './figures.js'
import { type Film, filmOf } from './frames.js'

/** A match that is replayed, as far as the reader may see it. */
export type OpenMatch = ReturnType<typeof useMatch>

/** Milliseconds that an answer may take, where the page does not know it. */
const USUAL_LIMIT = 1000

/** Opens a match for the seat that the address asks for. */
export function useMatch(packed: PackedMatch) {
  const { report, place } = useShared()
  const { record, positions } = packed
  /** undefined: the page does not know the game's rules. */
  const definition = positions ? undefined : definitionOf(record.game)
  /** undefined: the position is shown as text. */
  const viewer = definition && viewerOf(record.game)
  const film = useMemo(() => filmOf(definition, packed), [definition, packed])
  const names = useMemo(() => seatNames(record), [record])
  const seats = useMemo(
    () =>
      record.seats.map(({ entrant, wire }, seat) => {
        const limit = report?.document.entrants.find(({ name }) => name === entrant)?.limit ?? USUAL_LIMIT
        return { seat, name: names[seat] ?? '', wire, limit }
      }),
    [record, names, report],
  )
  /** The seat whose knowledge is shown; undefined: everything is. */
  const as = definition && place.as !== undefined && place.as < seats.length ? place.as : undefined
  const whole = useEvaluation(definition, record.options, film) ?? positions?.evaluation
  /** Absent where the game has no solution, or it is not found yet. */
  const evaluation = useMemo(
    () => (as === undefined || definition?.open ? whole : whole && ofSeat(whole, as)),
    [whole, as, definition],
  )
  const events = useMemo(
    () =>
      [...eventsOf(film, viewer, names, record.outcome), ...blundersOf(evaluation, names)].filter(
        // Whether a player lied is hidden from the others.
        ({ kind, seat }) => as === undefined || kind !== 'bluff' || seat === as,
      ),
    [film, viewer, names, record, as, evaluation],
  )
  const figured = useMemo(
    () => positions?.figures?.map((texts) => texts.map(numbersOf)) ?? positions?.boards.map(() => []) ?? [],
    [positions],
  )
  return {
    record,
    definition,
    viewer,
    film,
    /** By position and seat, the milliseconds that were left; undefined: the match has no bank. */
    left: useMemo(() => leftOf(record), [record]),
    names,
    /** With the limit in milliseconds. */
    seats,
    as,
    events,
    /** Moves by turn from 1, and seat. */
    rows: useMemo(() => shownMoves(film, viewer, as), [film, viewer, as]),
    words: useMemo(() => wordsOf(definition, viewer, names), [definition, viewer, names]),
    /** What the viewer draws, by turn; without one the figures by seat, and empty where the game has none. */
    scenes: useMemo(
      () => (definition && viewer ? scenesOf(film, definition, viewer, as) : figured),
      [film, definition, viewer, as, figured],
    ),
    tallies: useMemo(
      () => [
        ...(viewer?.tallies ?? talliesOf(figured)),
        ...(evaluation ? [chances(evaluation)] : []),
        ...printedTallies(record, as),
      ],
      [viewer, figured, record, as, evaluation],
    ),
    evaluation,
  }
}

export const chances = ({ shares }: Evaluation): Tally<unknown> => ({
  name: 'chances, %',
  of: (_scene, seat, turn) => {
    const share = shares[turn] ?? null
    return share === null ? null : 100 * (seat === 0 ? share : 1 - share)
  },
})

const scenesOf = (film: Film, { game }: GameDefinition, viewer: AnyViewer, as: number | undefined) =>
  film.frames.map(({ state }) => (as === undefined ? viewer.scene(state) : viewer.seen(game.view(state, as), as)))

/** A move as the reader may see it: null was not due, 'hidden' is not for this seat to know. */
export type Shown = { readonly action: string } | Exclude<Move<string>, string> | 'hidden' | null

/** How actions are shown in words and in signs. */
export type Words = ReturnType<typeof wordsOf>
export const wordsOf = (
  definition: GameDefinition | undefined,
  viewer: AnyViewer | undefined,
  names: readonly string[],
) => ({
  word: (action: string): string => viewer?.word?.(action, names) ?? definition?.actions?.[action] ?? action,
  sign: (action: string): string => viewer?.sign?.(action, names) ?? action,
})

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
