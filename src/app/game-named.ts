import { type GameDefinition, UserError, didYouMean } from '../core/index.js'
import { games } from '../games/index.js'

/** A game by its name, or by its file, which is run. Throws UserError with a guess. */
export async function gameNamed(name: string): Promise<GameDefinition> {
  const definition = games.find(({ game }) => game.id === name)
  if (definition !== undefined) return definition
  if (/[./]/.test(name)) {
    // Contests and all that reads them would double what agon adds to the start of verbs that only need a game that comes with agon.
    const { loadGame } = await import('../contest/load-game.js')
    return loadGame(name, process.cwd())
  }
  const ids = games.map(({ game }) => game.id)
  throw new UserError(
    `no game "${name}"${didYouMean(name, ids)}; there are ${ids.join(', ')}, or give the file of a game`,
  )
}
