import {
  type AnyGame,
  type Fault,
  FAULT_KINDS,
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

/** A random move for each seat that is due: a legal action, or (`faults` of 100) a fault of any kind. The text decides which. */
export function randomMoves(game: AnyGame, state: unknown, seats: number, text: string, faults: number): Moves<string> {
  const due: readonly Seat[] = game.toMove(state)
  return Array.from({ length: seats }, (_, seat): Move<string> | undefined => {
    if (!due.includes(seat)) return undefined
    if (faults > 0 && below(100, `${text}/${seat}/fault`) < faults) return randomFault(`${text}/${seat}/kind`)
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
