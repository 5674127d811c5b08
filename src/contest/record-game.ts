import { type GameDefinition, UserError, message, option } from '../core/index.js'
import { loadGame } from './load-game.js'
import { games } from '../games/index.js'

/**
 * The game of a record or a run: one that comes with agon, or that of the file which the user named. `played`: the file that
 * the record's archive or run names; it is named in the error, and never run. Throws UserError where there is none.
 */
export async function recordGame(id: string, file: string | undefined, played?: string): Promise<GameDefinition> {
  const definition = games.find(({ game }) => game.id === id) ?? (file && (await loadGame(file, process.cwd())))
  if (definition && definition.game.id === id) return definition
  const other = definition ? `, and ${file} is the game "${definition.game.id}"` : ''
  const was = played === undefined ? 'FILE' : played
  const known = played === undefined ? '' : ' if you trust that file'
  throw new UserError(
    message`the game "${id}" does not come with agon${other}; it is code: name its file with ${option('game', was)}${known}`,
  )
}
