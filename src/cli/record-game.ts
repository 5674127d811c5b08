import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GameKit, UserError } from '../core/index.js'
import { loadGame } from '../contest/index.js'
import { games } from '../games/index.js'

/**
 * The game that a record names: one that comes with agon, that of a file which was given, or that of the archive the record lies
 * in. Throws UserError where there is none of these.
 */
export async function recordGame(id: string, folder: string, file: string | undefined): Promise<GameKit> {
  const own = file ?? archivedFile(folder)
  const kit = games.find(({ game }) => game.id === id) ?? (own && (await loadGame(own, process.cwd())))
  if (kit && kit.game.id === id) return kit
  const other = kit ? `, and ${own} is the game "${kit.game.id}"` : ''
  throw new UserError(`the game "${id}" does not come with agon${other}; name its file with --game FILE`)
}

/** The file of the game that an archive's contest was played with, where it is still there. */
function archivedFile(folder: string): string | undefined {
  const contest = join(folder, 'contest.json')
  if (!existsSync(contest)) return undefined
  try {
    const { gameFile } = JSON.parse(readFileSync(contest, 'utf8')) as { gameFile?: string }
    return gameFile !== undefined && existsSync(gameFile) ? gameFile : undefined
  } catch {
    // Not what agon wrote: then it tells nothing.
    return undefined
  }
}
