import type { AnyGame, Fault, GameKit, Move, Moves, Options } from '../../src/core/index.js'
import { FAULT_KINDS, below, isFault, newLuck } from '../../src/core/index.js'

/** The value with everything in it frozen, so that to write into it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !frozen.has(value)) {
    frozen.add(value)
    Object.values(value).forEach(deepFreeze)
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
  const due = game.toMove(state)
  return Array.from({ length: seats }, (_, seat): Move<string> | undefined => {
    if (!due.includes(seat)) return undefined
    const number = below(100, `${text}/${seat}/fault`)
    if (number < faults) return randomFault(`${text}/${seat}/kind`)
    const legal = game.legal(game.view(state, seat))
    return legal[below(Math.max(1, legal.length), `${text}/${seat}`)]
  })
}

function randomFault(text: string): Fault {
  const fault = FAULT_KINDS[below(FAULT_KINDS.length, text)] ?? 'silent'
  return below(2, `${text}/why`) === 0 ? { fault } : { fault, why: 'because', said: 'what?' }
}

/** One game to be written down. */
export interface Playing {
  readonly seed: string
  readonly seats: number
  readonly options?: Options
  /** The moves of the first steps, by seat (what stands for a seat that is not due is left out). From there on, and where
   *  nothing stands for a seat that is due, random legal ones. */
  readonly actions?: readonly Moves<string>[]
}

/**
 * A game as text: every seat's view, then the moves, step by step, then the outcome and the views it leaves. For golden files
 * (`toMatchFileSnapshot`): a leak of hidden things shows up in a diff.
 */
export function transcript(kit: GameKit, { seed, seats, options = kit.game.options, actions = [] }: Playing): string {
  const { game } = kit
  const out = [
    `${game.id} ${game.version}, seed ${JSON.stringify(seed)}, ${seats} seats`,
    `options ${factory(options)}`,
  ]
  let state = game.setup(seats, options, newLuck(seed))
  const views = (): void => {
    for (let seat = 0; seat < seats; seat++) out.push(`  seat ${seat} sees ${factory(game.view(state, seat))}`)
  }
  for (let step = 0; ; step++) {
    out.push('', `step ${step}`)
    views()
    const outcome = game.outcome(state)
    if (outcome) return [...out, '', `outcome ${factory(outcome)}`, ''].join('\n')
    if (step === 20_000) throw new Error('the game does not end')
    const due = game.toMove(state)
    const random = randomMoves(game, state, seats, `${seed}/${step}`, 0)
    const moves = random.map((move, seat) => (due.includes(seat) ? (actions[step]?.[seat] ?? move) : undefined))
    moves.forEach((move, seat) => move !== undefined && out.push(`  seat ${seat} plays ${said(move)}`))
    state = game.play(state, moves)
  }
}

const said = (move: Move<string>): string => (isFault(move) ? `a fault ${factory(move)}` : JSON.stringify(move))

/** JSON with the keys of every object in alphabetical order. */
function factory(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
