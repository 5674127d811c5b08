import {
  type GameDefinition,
  type Options,
  type Seat,
  below,
  type AnyGame,
  type Fault,
  FAULT_KINDS,
  type Legal,
  type Move,
  type Moves,
  drawAction,
} from '../core/index.js'

/** What one random game is: all of it follows from its seed. */
export interface Case {
  readonly seed: string
  readonly seats: number
  readonly options: Options
  /** How many of 100 moves are faults. */
  readonly faults: number
}

/** More seats than these bring little new: beside them the most that there may be are tried. */
const MOST_SEATS = 6
const FAULTS = [0, 0, 0, 2, 20, 100]

/** The random game of a seed; `options`: those to choose from; `wished`: how many seats it has, where that is not drawn. */
export function caseOf({ game }: GameDefinition, seed: string, options: readonly Options[], wished?: number): Case {
  const { min, max } = game.seats
  const draw = <T>(items: readonly T[], what: string): T => items[below(items.length, `${seed}/${what}`)] as T
  const counts = Array.from({ length: Math.max(1, Math.min(max, MOST_SEATS) - min + 1) }, (_, i) => min + i)
  const seats = wished ?? draw(max > MOST_SEATS && max > min ? [...counts, max] : counts, 'seats')
  const fit = options.filter((one) => game.refuse?.(one, seats) === undefined)
  return { seed, seats, options: draw(fit.length > 0 ? fit : options, 'options'), faults: draw(FAULTS, 'faults') }
}

/** What a game of a file is held to, by name. */
export const CHECKS = {
  introduction: 'introduces itself, with options that survive JSON',
  throws: 'throws nowhere',
  turns: 'asks seats that are there exactly until there is an outcome, and comes to an end',
  legal: 'gives each seat that is due legal actions, which it accepts',
  outcome: 'places every seat, with scores and tallies that are numbers',
  pure: 'is pure: the same input gives the same output, and the input stays',
  data: 'survives JSON: states, views and outcomes come back equal, and the play goes on alike',
  leaks: 'shows no seat what it cannot know',
  text: 'shows itself as text without control characters',
  wires: 'sends and reads everything on each of its wires',
} as const
export type Check = keyof typeof CHECKS

/** What a game does not keep, and the smallest random game that shows it. */
export interface Finding {
  readonly check: Check
  /** One line, for the game's author: 'legal() gives seat 0 nothing, and it is due'. */
  readonly what: string
  /** The random game; absent: no game is needed to see it. */
  readonly of?: Case
  /** Steps before it shows, and what was played in them, in a few words. */
  readonly step: number
  readonly moves: string
}

export const everyone = (seats: number): Seat[] => Array.from({ length: seats }, (_, seat) => seat)

/** The value with everything in it frozen, so that to write into it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !frozen.has(value)) {
    frozen.add(value)
    // A list of everything in a long list takes many times as long as to go through it.
    if (Array.isArray(value)) for (const part of value) deepFreeze(part)
    else Object.values(value).forEach(deepFreeze)
    Object.freeze(value)
  }
  return value
}
const frozen = new WeakSet()

export function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Gives the action of a seat that sees this; what is drawn is drawn by the text. */
export type Act = (view: unknown, legal: Legal, text: string) => string

/**
 * A move for each seat that is due: a random legal action, or (`how` of 100) a fault of any kind, or what is done where `how` says that.
 * The text decides which.
 */
export function randomMoves(
  game: AnyGame,
  state: unknown,
  seats: number,
  text: string,
  how: number | Act,
): Moves<string> {
  const due: readonly Seat[] = game.toMove(state)
  return Array.from({ length: seats }, (_, seat): Move<string> | undefined => {
    if (!due.includes(seat)) return undefined
    if (typeof how === 'function') {
      const view = game.view(state, seat)
      return how(view, game.legal(view), `${text}/${seat}`)
    }
    if (how > 0 && below(100, `${text}/${seat}/fault`) < how) return randomFault(`${text}/${seat}/kind`)
    let draws = 0
    return drawAction(game.legal(game.view(state, seat)), (n) =>
      below(n, `${text}/${seat}${draws++ === 0 ? '' : `/${draws}`}`),
    )
  })
}

function randomFault(text: string): Fault {
  const fault = FAULT_KINDS[below(FAULT_KINDS.length, text)] ?? 'silent'
  return below(2, `${text}/why`) === 0 ? { fault } : { fault, why: 'because', said: 'what?' }
}
