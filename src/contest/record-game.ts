import { type GameKit, UserError } from '../core/index.js'
import { loadGame } from './load-game.js'
import { games } from '../games/index.js'

/**
 * The game of a record or a run: one that comes with agon, or that of the file which the user named. `played`: the file that
 * the record's archive or run tells of; it is named in the error, and never run. Throws UserError where there is none.
 */
export async function recordGame(id: string, file: string | undefined, played?: string): Promise<GameKit> {
  const kit = games.find(({ game }) => game.id === id) ?? (file && (await loadGame(file, process.cwd())))
  if (kit && kit.game.id === id) return kit
  const other = kit ? `, and ${file} is the game "${kit.game.id}"` : ''
  const was = played === undefined ? 'FILE' : played
  const known = played === undefined ? '' : ' if you trust that file'
  throw new UserError(
    `the game "${id}" does not come with agon${other}; it is code: name its file with --game ${was}${known}`,
  )
}
