import { isAbsolute, relative } from 'node:path'
import { type GameDefinition, type Spell, UserError, type Wording } from '../core/index.js'
import { gameFile, houseBots, refuseName } from '../contest/index.js'
import { trustedProgram } from '../files/index.js'
import { type Language, botKit, commandsOf, languageNamed } from '../kits/index.js'
import { gameNamed } from './game-named.js'
import { newFolder, writeFolder } from './new-folder.js'
import { rulesOf } from './rules.js'

/** A folder that was made, and what lies in it. */
export interface NewBot {
  readonly folder: string
  readonly language: string
  /** Names, in order. */
  readonly files: readonly string[]
  /** What to type in it. */
  readonly commands: readonly Wording[]
  /** What this machine lacks to build and to run it. */
  readonly lacks: readonly string[]
}

/**
 * Makes the folder `name` in `base` with a bot that plays legally. `game`: a game's id, or its file, which is run. Throws UserError
 * for an unknown game or language, a name that no entrant may have, and a folder that is there already. `spell`: for its README.
 */
export async function newBot(
  game: string,
  language: string,
  name: string,
  base: string,
  spell?: Spell,
): Promise<NewBot> {
  const definition = await gameNamed(game, language)
  const wanted = languageNamed(language)
  const unfit = refuseName(name)
  if (unfit !== undefined) throw new UserError(unfit)
  const folder = newFolder(base, name)
  const rules = rulesOf(definition)
  const about = {
    name,
    game: wordFor(definition, folder),
    opponents: opponentsOf(definition),
    rules,
    spell,
  }
  const files = botKit(definition, wanted, about)
  writeFolder(folder, files)
  const { name: written } = wanted
  return { folder, language: written, files: Object.keys(files), commands: commandsOf(about), lacks: lacking(wanted) }
}

/** How a command in that folder names the game. */
function wordFor(definition: GameDefinition, folder: string): string {
  const file = gameFile(definition)
  if (file === undefined) return definition.game.id
  const path = relative(folder, file)
  return isAbsolute(path) || path.startsWith('.') ? path : `./${path}`
}

/** House bots enough for a match, from the end of the list, where the weak ones stand; such as play on any machine. */
function opponentsOf(definition: GameDefinition): readonly string[] {
  const anywhere = houseBots(definition).filter(({ spec }) => spec.module !== undefined || spec.command?.[0] === 'sh')
  const wanted = Math.max(1, definition.game.seats.min - 1)
  // Where there are too few, it plays itself in all seats.
  return anywhere.length < wanted
    ? Array<string>(wanted).fill('bot.toml')
    : anywhere.slice(-wanted).map(({ spec }) => spec.name)
}

const lacking = ({ needs }: Language): readonly string[] =>
  needs.filter((program) => trustedProgram(program) === undefined)
