import { isAbsolute, relative, dirname, join, resolve } from 'node:path'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type GameDefinition, type Spell, UserError, command, message, option } from '../../core/index.js'
import { gameFile, gameFolder, houseBots, refuseName } from '../../contest/index.js'
import { namesIn, trustedProgram } from '../../files/index.js'
import { LANGUAGES, type Language, botKit, commandsOf, gameKit, gameLanguage, languageNamed } from '../../kits/index.js'
import { gameNamed } from '../look/games.js'
import { rulesOf } from '../look/rules.js'
import { games } from '../../games/index.js'

interface NewBotWish {
  /** A game's id, or its file, which is run. */
  readonly game: string
  readonly language: string
  readonly name: string
  readonly isClass?: boolean
}

/**
 * Makes the folder `name` in `base` with a legal bot. `lacks`: what this machine needs to build and run it. `spell`:
 * for its README. Throws UserError as `starterKit`, for an unknown game, a name that no entrant may have, and a folder
 * that is there already.
 */
export async function newBot({ game, language, name, isClass }: NewBotWish, base: string, spell?: Spell) {
  const definition = await gameNamed(game, language)
  const unfit = refuseName(name)
  if (unfit !== undefined) throw new UserError(unfit)
  const folder = newFolder(base, name)
  const kit = starterKit(definition, { game: wordFor(definition, folder), language, name, isClass }, spell)
  writeFolder(folder, kit.files)
  const lacks = kit.language.needs.filter((program) => trustedProgram(program) === undefined)
  return { folder, language: kit.language.name, files: Object.keys(kit.files), commands: kit.commands, lacks }
}

/** `game`: as commands name it. Throws UserError for an unknown language, or a class that the game has not. */
export function starterKit(
  definition: GameDefinition,
  { game, language, name, isClass = false }: NewBotWish,
  spell?: Spell,
) {
  const named = languageNamed(language)
  const { language: wanted, files } = isClass ? classOf(definition, named) : { language: named, files: undefined }
  const about = { name, game, opponents: opponentsOf(definition), rules: rulesOf(definition), spell, files }
  return { files: botKit(definition, wanted, about), language: wanted, commands: commandsOf(about) }
}

export const KIT_LANGUAGES: readonly string[] = LANGUAGES.map(({ name }) => name)

/** The beginning of a C++ class: the game's files for it, and the header that these include. */
function classOf(definition: GameDefinition, language: Language) {
  const shim = Object.values(definition.wires ?? {}).find((wire) => wire.shim !== undefined)?.shim
  const place = shim === undefined ? undefined : join(gameFolder(definition), shim)
  const [bot] = place === undefined ? [] : namesIn(join(place, 'starter'))
  if (place === undefined || bot === undefined)
    throw new UserError(message`${definition.game.id} has no class to inherit: leave ${option('class')} out`)
  if (language.name !== 'C++')
    throw new UserError(message`${option('class')} is for C++, not for ${language.name}: name C++, or leave it out`)
  const text = readFileSync(join(place, 'starter', bot), 'utf8')
  const wire = /^#include "(.+)"$/m.exec(text)?.[1] ?? ''
  return {
    language: { ...language, start: { class: bot }, bot, wire },
    files: { [bot]: text, [wire]: readFileSync(join(place, wire), 'utf8') },
  }
}

/** The game in that folder's commands. */
function wordFor(definition: GameDefinition, folder: string): string {
  const file = gameFile(definition)
  if (file === undefined) return definition.game.id
  const path = relative(folder, file)
  return isAbsolute(path) || path.startsWith('.') ? path : `./${path}`
}

/** Weak house bots, enough for a match, that play on any machine. */
function opponentsOf(definition: GameDefinition): readonly string[] {
  const anywhere = houseBots(definition).filter(({ spec }) => spec.module !== undefined || spec.command?.[0] === 'sh')
  const wanted = Math.max(1, definition.game.seats.min - 1)
  // Where there are too few, it plays itself in all seats.
  return anywhere.length < wanted
    ? Array<string>(wanted).fill('bot.toml')
    : anywhere.slice(-wanted).map(({ spec }) => spec.name)
}

/**
 * Makes the folder `name` in `base` with a playable game of that id. Throws UserError for a name that no game may have,
 * an unknown language, and a folder that is there already.
 */
export function newGame(name: string, language: string, base: string) {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new UserError(
      `${JSON.stringify(name)} cannot be a game's id: it is made of lower-case letters and digits, with single dashes between them`,
    )
  if (games.some(({ game }) => game.id === name))
    throw new UserError(`${name} is the id of a game that comes with agon: choose another name`)
  const wanted = gameLanguage(language)
  const folder = newFolder(base, name)
  const files = gameKit(name, wanted)
  const game = `./${wanted.file}`
  writeFolder(folder, files)
  return {
    folder,
    files: Object.keys(files),
    commands: [
      message`${command(`test game ${game}`)}`,
      message`${command('run contest.toml')} ${option('out', 'results')}`,
      message`${command(`match ${[game, ...wanted.bots.map((bot) => `bots/${bot}`)].join(' ')}`)}`,
    ],
  }
}

/** Throws UserError where something is there already. */
function newFolder(base: string, name: string): string {
  const folder = resolve(base, name)
  if (existsSync(folder))
    throw new UserError(`there is already something called ${name} here: choose another name, or remove it`)
  return folder
}

/** Whole, or not at all. `files`: texts by path. */
function writeFolder(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder)
  try {
    for (const [file, text] of Object.entries(files)) {
      const path = join(folder, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
