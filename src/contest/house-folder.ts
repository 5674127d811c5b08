import { dirname, join } from 'node:path'
import type { GameDefinition } from '../core/index.js'
import { kindOf, realPath } from '../files/index.js'
import { gameFolder } from './load-game.js'
import type { TomlFile } from './toml-file.js'

/*
 * What lies beside a game's house.toml is trusted, and runs in agon's own process. Where entrants lie beside the game, a stranger whose folder
 * is called `bots` would have written that file, too.
 */

/** Where the bots that ship with a game are listed. */
export const houseFile = (definition: GameDefinition): string => join(gameFolder(definition), 'bots', 'house.toml')

/** Throws UserError for an entrant's file in the folder of the game's house bots. */
export function refuseAmongHouse(file: TomlFile, definition: GameDefinition): void {
  const trusted = houseFile(definition)
  if (kindOf(trusted) === undefined || realPath(dirname(file.path)) !== realPath(dirname(trusted))) return
  throw file.error(
    [],
    'it lies beside the house.toml of the game, whose bots are trusted: put the entrant into another folder',
  )
}
