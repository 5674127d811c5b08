import {
  type AnyGame,
  type Fault,
  FAULT_KINDS,
  type Legal,
  type Move,
  type Moves,
  type Seat,
  below,
  drawAction,
} from '../core/index.js'

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

/** The value after a way through JSON. */
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
