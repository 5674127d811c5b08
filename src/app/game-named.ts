import { type GameKit, UserError, didYouMean } from '../core/index.js'
import { loadGame } from '../contest/index.js'
import { games } from '../games/index.js'

/** A game by its name, or by its file, which is run. Throws UserError with a guess. */
export async function gameNamed(name: string): Promise<GameKit> {
  const kit = games.find(({ game }) => game.id === name)
  if (kit !== undefined) return kit
  if (/[./]/.test(name)) return loadGame(name, process.cwd())
  const ids = games.map(({ game }) => game.id)
  throw new UserError(
    `no game "${name}"${didYouMean(name, ids)}; there are ${ids.join(', ')}, or give the file of a game`,
  )
}
