import { createContext, useContext, useMemo } from 'react'
import { type GameDefinition, type MatchRecord, type Move, isFault, lookUp, visible } from '../../core/index.js'
import { games } from '../../games/index.js'
import type { AnyViewer, Tally } from '../../games/viewer-kit/index.js'
import type { EvaluatedMatch } from '../../lab/evaluator.js'
import { leftOf } from '../../match/clocks.js'
import type { PackedMatch } from '../document.js'
import { type Shared, useShared } from '../shared.js'
import { type Film, blundersOf, eventsOf, filmOf, ofSeat, useEvaluation } from './film.js'
import type { Playback } from './playback.js'

const modules = import.meta.glob<{ default: AnyViewer }>('../../games/*/viewer.tsx', { eager: true })
const viewers = new Map(Object.values(modules).map(({ default: viewer }) => [viewer.game, viewer]))

export const definitionOf = (id: string): GameDefinition | undefined => games.find(({ game }) => game.id === id)
export const viewerOf = (id: string): AnyViewer | undefined => viewers.get(id)

/** Numbered where an entrant plays against itself. */
export const seatNames = ({ seats }: MatchRecord): readonly string[] =>
  seats.map(({ entrant }, seat) => {
    const isAlone = seats.filter((other) => other.entrant === entrant).length === 1
    return isAlone ? visible(entrant) : `${visible(entrant)} (seat ${seat})`
  })

export type OpenMatch = ReturnType<typeof useMatch>

export interface ReplayNow extends OpenMatch {
  readonly playback: Playback
  readonly turn: number
  /** The match's last position is shown. */
  readonly over: boolean
}
const Context = createContext<ReplayNow | undefined>(undefined)
export const ReplayProvider = Context.Provider

export function useReplay(): ReplayNow {
  const now = useContext(Context)
  if (!now) throw new Error('outside a replay')
  return now
}

type OpenedMatch = ReturnType<typeof opened>

export function useMatch(packed: PackedMatch) {
  const { report, place } = useShared()
  const match = useMemo(() => opened(packed, report), [packed, report])
  /** The seat whose knowledge is shown; undefined: everything is. */
  const as = match.definition && place.as !== undefined && place.as < match.seats.length ? place.as : undefined
  const { definition, record, film } = match
  const found = useEvaluation(definition, record.options, film.frames, film.live)
  const evaluation = found ?? packed.positions?.evaluation
  const seen = useMemo(() => seenBy(match, as, evaluation), [match, as, evaluation])
  return { ...match, ...seen, as }
}

/** Milliseconds, where the page does not know an answer's limit. */
const USUAL_LIMIT = 1000

function opened(packed: PackedMatch, report: Shared['report']) {
  const { record, positions } = packed
  /** undefined: the page does not know the game's rules. */
  const definition = positions ? undefined : definitionOf(record.game)
  /** Undefined: the position as text. */
  const viewer = definition && viewerOf(record.game)
  const names = seatNames(record)
  const limitOf = (name: string) => report?.document.entrants.find((one) => one.name === name)?.limit ?? USUAL_LIMIT
  return {
    record,
    definition,
    viewer,
    film: filmOf(definition, packed),
    names,
    seats: record.seats.map(({ entrant, wire }, seat) => ({
      seat,
      name: names[seat] ?? '',
      wire,
      /** In milliseconds. */
      limit: limitOf(entrant),
    })),
    /** By position and seat, milliseconds left; undefined: no bank. */
    left: leftOf(record),
    words: wordsOf(definition, viewer, names),
    /** By position, the numbers that a game of its own says of each seat. */
    figured: positions?.figures?.map((texts) => texts.map(numbersOf)) ?? positions?.boards.map(() => []) ?? [],
  }
}

/** What a seat may see of a match; undefined: everything is shown. */
function seenBy(match: OpenedMatch, as: number | undefined, whole: EvaluatedMatch | undefined) {
  const { record, definition, viewer, film, names, figured } = match
  const evaluation = as === undefined || definition?.open ? whole : whole && ofSeat(whole, as)
  return {
    /** Absent: no solution, or not yet. */
    evaluation,
    events: [...eventsOf(film, viewer, names, record.outcome), ...blundersOf(evaluation, names)].filter(
      // Whether a player lied is hidden from the others.
      ({ kind, seat }) => as === undefined || kind !== 'bluff' || seat === as,
    ),
    /** Moves by turn from 1, and seat. */
    rows: shownMoves(film, viewer, as),
    /** What the viewer draws, by turn; without one the figures by seat. */
    scenes: definition && viewer ? scenesOf(film, definition, viewer, as) : figured,
    tallies: [
      ...(viewer?.tallies ?? talliesOf(figured)),
      ...(evaluation ? [chances(evaluation)] : []),
      ...printedTallies(record, as),
    ],
  }
}

const scenesOf = (film: Film, { game }: GameDefinition, viewer: AnyViewer, as: number | undefined) =>
  film.frames.map(({ state }) => (as === undefined ? viewer.scene(state) : viewer.seen(game.view(state, as), as)))

/** Null: not due; 'hidden': not for this seat to know. */
export type Shown = { readonly action: string } | Exclude<Move<string>, string> | 'hidden' | null

export const wordsOf = (
  definition: GameDefinition | undefined,
  viewer: AnyViewer | undefined,
  names: readonly string[],
) => ({
  word: (action: string): string => viewer?.word?.(action, names) ?? definition?.actions?.[action] ?? action,
  sign: (action: string): string => viewer?.sign?.(action, names) ?? action,
})

/** By turn and seat, all or what one seat saw: its own, if the game does not say which are open. */
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

export const chances = ({ shares }: EvaluatedMatch): Tally<unknown> => ({
  name: 'chances, %',
  of: (_scene, seat, turn) => {
    const share = shares[turn] ?? null
    return share === null ? null : 100 * (seat === 0 ? share : 1 - share)
  },
})

type Numbers = Readonly<Record<string, number>>

/** '2 rounds, life 7' has 2 rounds and a life of 7. A number without a word: a 'figure'. */
function numbersOf(text: string): Numbers {
  const parts = text.split(/[,;|·/]|\s{2,}/).flatMap((part) => {
    const [number] = /[-−]?\d+(?:\.\d+)?/.exec(part) ?? []
    if (number === undefined) return []
    const words = part.replace(number, ' ').match(/[\p{L}-]+/gu) ?? ['figure']
    return [[words.join(' '), Number(number.replace('−', '-'))] as const]
  })
  return Object.fromEntries(parts)
}

/** Most figures for a graph, of a game's and of those that bots printed. */
const MOST = 6
const MOST_PRINTED = 8

/** By seat; a word is graphed if two positions or more have it. */
function talliesOf(scenes: readonly (readonly Numbers[])[]): readonly Tally<unknown>[] {
  const said = scenes.flatMap((scene) => [...new Set(scene.flatMap((numbers) => Object.keys(numbers)))])
  const words = [...new Set(said.filter((word, i) => said.indexOf(word) < i))]
  return words.slice(0, MOST).map((name) => ({
    name,
    of: (scene, seat) => lookUp((scene as readonly Numbers[])[seat] ?? {}, name) ?? null,
  }))
}

/** Of all bots, or of the seat `as`. A figure holds until its bot prints the next. */
export function printedTallies(
  { figures = [], seats, steps }: Pick<MatchRecord, 'figures' | 'seats' | 'steps'>,
  as: number | undefined,
): readonly Tally<unknown>[] {
  const shown = figures.filter(([, seat]) => as === undefined || seat === as)
  const names = [...new Set(shown.map(([, , name]) => name))].slice(0, MOST_PRINTED)
  return names.map((name) => {
    const rows = seats.map((_, seat) => {
      const at = new Map(
        shown.flatMap(([step, who, what, value]) => (who === seat && what === name ? [[step, value]] : [])),
      )
      const row: (number | null)[] = [null]
      for (const step of steps.keys()) row.push(at.get(step) ?? row[step] ?? null)
      return row
    })
    return { name: `printed ${name}`, of: (_scene, seat, turn) => rows[seat]?.[turn] ?? null }
  })
}
