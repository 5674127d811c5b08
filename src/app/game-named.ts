import { type GameDefinition, UserError, didYouMean } from '../core/index.js'
import { games } from '../games/index.js'

/** A game by its name, or by its file, which is run. `next`: the word behind it, in case it is the game. Throws UserError with a guess. */
export async function gameNamed(name: string, next?: string): Promise<GameDefinition> {
  const definition = games.find(({ game }) => game.id === name)
  if (definition !== undefined) return definition
  if (/[./]/.test(name)) {
    // Contests and all that reads them would double what agon adds to the start of verbs that only need a game that comes with agon.
    const { loadGame } = await import('../contest/load-game.js')
    return loadGame(name, process.cwd())
  }
  const ids = games.map(({ game }) => game.id)
  if (next !== undefined && ids.includes(next))
    throw new UserError(`no game "${name}"; ${next} is one, and the game comes first: ${next} ${name}`)
  throw new UserError(
    `no game "${name}"${didYouMean(name, ids)}; there are ${ids.join(', ')}, or give the file of a game`,
  )
}
