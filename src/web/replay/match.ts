import { useMemo } from 'react'
import type { GameDefinition, MatchRecord } from '../../core/index.js'
import { leftOf } from '../../match/clocks.js'
import type { PackedMatch } from '../document.js'
import { definitionOf, seatNames, viewerOf } from '../games.js'
import { useShared } from '../shared.js'
import type { AnyViewer, SeatInfo, Tally } from '../../games/viewer-kit/index.js'
import { type Evaluation, ofSeat, sentEvaluation, useEvaluation } from './evaluation.js'
import { type EventAt, blundersOf, eventsOf } from './events.js'
import { type FigureScene, numbersOf, talliesOf, printedTallies } from './figures.js'
import { type Film, filmOf } from './frames.js'
import { type Shown, type Words, shownMoves, wordsOf } from './seen.js'

/** A match that is replayed, as far as the reader may see it. */
export interface OpenMatch {
  readonly record: MatchRecord
  /** undefined: the page does not know the game's rules. */
  readonly definition: GameDefinition | undefined
  /** undefined: the position is shown as text. */
  readonly viewer: AnyViewer | undefined
  readonly film: Film
  /** By position and seat, the milliseconds that were left; undefined: the match has no bank. */
  readonly left: readonly (readonly number[])[] | undefined
  readonly names: readonly string[]
  /** The limit is in milliseconds. */
  readonly seats: readonly (SeatInfo & { readonly wire: string; readonly limit: number })[]
  /** The seat whose knowledge is shown; undefined: everything is. */
  readonly as: number | undefined
  readonly events: readonly EventAt[]
  /** Moves by turn from 1, and seat. */
  readonly rows: readonly (readonly Shown[])[]
  readonly words: Words
  /** What the viewer draws, by turn; without one the figures by seat, and empty where the game has none. */
  readonly scenes: readonly unknown[]
  /** What can be graphed of the scenes. */
  readonly tallies: readonly Tally<unknown>[]
  /** Absent where the game has no solution, or it is not found yet. */
  readonly evaluation: Evaluation | undefined
}

/** Opens a match for the seat that the address asks for. */
export function useMatch(packed: PackedMatch): OpenMatch {
  const { report, place } = useShared()
  const { record } = packed
  const definition = packed.positions ? undefined : definitionOf(record.game)
  const viewer = definition && viewerOf(record.game)
  const film = useMemo(() => filmOf(definition, packed), [definition, packed])
  const left = useMemo(() => leftOf(record), [record])
  const names = useMemo(() => seatNames(record), [record])
  const seats = useMemo(
    () =>
      record.seats.map(({ entrant, wire }, seat) => ({
        seat,
        name: names[seat] ?? '',
        wire,
        limit: report.document.entrants.find(({ name }) => name === entrant)?.limit ?? 1000,
      })),
    [record, names, report],
  )
  const as = definition && place.as !== undefined && place.as < seats.length ? place.as : undefined
  const sent = useMemo(() => sentEvaluation(packed), [packed])
  const whole = useEvaluation(definition, record.options, film) ?? sent
  const evaluation = useMemo(
    () => (as === undefined || definition?.open ? whole : ofSeat(whole, as)),
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
  const rows = useMemo(() => shownMoves(film, viewer, as), [film, viewer, as])
  const words = useMemo(() => wordsOf(definition, viewer, names), [definition, viewer, names])
  const figured = useMemo(() => figuresOf(packed), [packed])
  const scenes = useMemo(
    () => (viewer ? scenesOf(film, definition, viewer, as) : figured),
    [film, definition, viewer, as, figured],
  )
  const printed = useMemo(() => printedTallies(record, as), [record, as])
  const tallies = useMemo(
    () => [...(viewer?.tallies ?? talliesOf(figured)), ...(evaluation ? [chances(evaluation)] : []), ...printed],
    [viewer, figured, printed, evaluation],
  )
  return { record, definition, viewer, film, left, names, seats, as, events, rows, words, scenes, tallies, evaluation }
}

/** The evaluation as a line in the graph. */
const chances = ({ shares }: Evaluation): Tally<unknown> => ({
  name: 'chances, %',
  of: (_scene, seat, turn) => {
    const share = shares[turn]
    return share === undefined ? null : 100 * (seat === 0 ? share : 1 - share)
  },
})

const figuresOf = ({ positions }: PackedMatch): readonly FigureScene[] =>
  positions?.figures?.map((texts) => texts.map(numbersOf)) ?? positions?.boards.map(() => []) ?? []

function scenesOf(
  film: Film,
  definition: GameDefinition | undefined,
  viewer: AnyViewer | undefined,
  as: number | undefined,
): readonly unknown[] {
  if (!viewer || !definition) return []
  return film.frames.map(({ state }) =>
    as === undefined ? viewer.scene(state) : viewer.seen(definition.game.view(state, as), as),
  )
}
