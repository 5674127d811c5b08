import { dirname, join, posix } from 'node:path'
import type { GameDefinition } from '../core/index.js'
import { kindOf, realPath } from '../files/index.js'
import { quote } from './explain.js'
import { gameFolder } from './load-game.js'
import { matching } from './pattern.js'
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

/**
 * For a pattern of entrants, a function that throws UserError for a file, at `path`, that names one of the game's house bots, where the pattern takes in
 * their folder: a folder of that name needs no file of an entrant in it. The folders are looked through once, when it is first called.
 */
export function refuseOwnHouse(from: TomlFile, pattern: string, definition: GameDefinition): (path: string) => void {
  let takesIn: boolean | undefined
  return (path) => {
    const folder = realPath(dirname(houseFile(definition)))
    takesIn ??= matching(posix.dirname(pattern), dirname(from.path)).some((one) => realPath(one) === folder)
    if (!takesIn) return
    throw from.error(
      ['entrants'],
      `${quote(pattern)} takes in the folder of the game's house bots, so any entrant could have written those that ${quote(path)} names: put the entrants below a folder of their own, such as "entries/*/bot.toml"`,
    )
  }
}
