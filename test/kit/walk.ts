import type { GameDefinition, Move, Moves, Options } from '../../src/core/index.js'
import { isFault, newLuck } from '../../src/core/index.js'
import { randomMoves } from '../../src/kits/index.js'

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
export function transcript(
  definition: GameDefinition,
  { seed, seats, options = definition.game.options, actions = [] }: Playing,
): string {
  const { game } = definition
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
    const random = randomMoves(game, state, { seats, text: `${seed}/${step}` })
    const moves = random.map((move, seat) => (due.includes(seat) ? (actions[step]?.[seat] ?? move) : undefined))
    moves.forEach((move, seat) => move !== undefined && out.push(`  seat ${seat} plays ${moveText(move)}`))
    state = game.play(state, moves)
  }
}

const moveText = (move: Move<string>): string => (isFault(move) ? `a fault ${factory(move)}` : JSON.stringify(move))

/** JSON with the keys of every object in alphabetical order. */
function factory(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
