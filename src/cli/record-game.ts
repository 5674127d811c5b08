import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GameKit, UserError } from '../core/index.js'
import { loadGame } from '../contest/index.js'
import { games } from '../games/index.js'

/** The game of an archive folder, where its contest was played with a game from a file that is still there. */
export async function archivedGame(folder: string): Promise<GameKit | undefined> {
  const contest = join(folder, 'contest.json')
  if (!existsSync(contest)) return undefined
  const { gameFile } = JSON.parse(readFileSync(contest, 'utf8')) as { gameFile?: string }
  return gameFile === undefined || !existsSync(gameFile) ? undefined : loadGame(gameFile, folder)
}

/** The game that a record names: one that comes with agon, one of a file that is given, or that of the archive it lies in. */
export async function recordGame(id: string, folder: string, file: string | undefined): Promise<GameKit> {
  const kit =
    games.find(({ game }) => game.id === id) ??
    (file === undefined ? await archivedGame(folder) : await loadGame(file, process.cwd()))
  if (kit?.game.id === id) return kit
  throw new UserError(`the game "${id}" does not come with agon; name its file with --game FILE`)
}
