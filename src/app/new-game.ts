import { UserError, type Wording, command, message, option } from '../core/index.js'
import { games } from '../games/index.js'
import { gameKit } from '../kits/index.js'
import { newFolder, writeFolder } from './new-folder.js'

/** A folder that was made, and what lies in it. */
export interface NewGame {
  readonly folder: string
  /** Paths in it, in order. */
  readonly files: readonly string[]
  /** What to type in it. */
  readonly commands: readonly Wording[]
}

/**
 * Makes the folder `name` in `base` with a game that can be played at once; the name is its id. Throws UserError for a name that no game
 * may have, and for a folder that is there already.
 */
export function newGame(name: string, base: string): NewGame {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new UserError(
      `${JSON.stringify(name)} cannot be a game's id: it is made of lower-case letters and digits, with single dashes between them`,
    )
  if (games.some(({ game }) => game.id === name))
    throw new UserError(`${name} is the id of a game that comes with agon: choose another name`)
  const folder = newFolder(base, name)
  const files = gameKit(name)
  writeFolder(folder, files)
  return {
    folder,
    files: Object.keys(files),
    commands: [
      message`${command('test game ./game.ts')}`,
      message`${command('run contest.toml')} ${option('out', 'results')}`,
      message`${command('match ./game.ts bots/even.ts bots/dice.ts')}`,
    ],
  }
}
