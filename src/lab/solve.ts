import { type GameDefinition, type Options, UserError } from '../core/index.js'
import { solveOpen } from './open.js'
import { solveHidden } from './sequence.js'
import type { Solution } from './solution.js'

/**
 * Finds an equilibrium of a small game of two whose gains are the other's losses: by backward induction where the game says that nothing is
 * hidden (`open`), else by linear programming. Throws UserError for a game that it cannot solve.
 */
export async function solveGame(definition: GameDefinition, options: Options): Promise<Solution> {
  const { game } = definition
  if (game.seats.min > 2 || game.seats.max < 2)
    throw new UserError(`${game.id} cannot be solved: it is not a game of two`)
  const why = game.refuse?.(options, 2)
  if (why !== undefined) throw new UserError(why)
  return definition.open ? solveOpen(definition, options) : solveHidden(definition, options)
}
