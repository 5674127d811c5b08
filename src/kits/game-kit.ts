import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError, didYouMean } from '../core/index.js'

/** The package itself: what a new game's tests import from. */
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const TEMPLATES = join(PACKAGE, 'templates')

/** Cards of the game that the templates are. */
const CARDS = 5

/** What a game may be written in. */
export interface GameLanguage {
  readonly name: string
  readonly aliases: readonly string[]
  /** Folders of the templates, and files of bots' templates that the game also needs, by their paths in its folder. */
  readonly folders: readonly string[]
  readonly also: Readonly<Record<string, string>>
  /** Its own file, which commands name, and that of the lines, which is none of TypeScript's. */
  readonly file: string
  readonly fill: Readonly<Record<string, string>>
  /** Its two bots. */
  readonly bots: readonly string[]
}

const program = (
  language: Omit<GameLanguage, 'fill'>,
  lines: string,
  debug: string,
  entrant: string,
): GameLanguage => ({
  ...language,
  fill: {
    __LANGUAGE__: language.name,
    __FILE__: language.file,
    __LINES__: lines,
    __DEBUG__: `\`${debug}\``,
    __BOT_EVEN__: language.bots[0] ?? '',
    __BOT_DICE__: language.bots[1] ?? '',
    __EVEN__: entrant.replaceAll('BOT', language.bots[0] ?? ''),
    __DICE__: entrant.replaceAll('BOT', language.bots[1] ?? ''),
  },
})

const MODULES = ['even.mjs', 'dice.mjs']
const MODULE = 'module = "bots/BOT"'

const LANGUAGES: readonly GameLanguage[] = [
  {
    name: 'TypeScript',
    aliases: ['ts'],
    folders: ['game'],
    also: {},
    file: 'game.ts',
    fill: {},
    bots: ['even.ts', 'dice.ts'],
  },
  program(
    {
      name: 'Python',
      aliases: ['py', 'python3'],
      folders: ['game-program', 'game-python'],
      also: {},
      file: 'game.py',
      bots: ['even.py', 'dice.py'],
    },
    'agon_game.py',
    'print(…)',
    'command = ["python3", "bots/BOT"]',
  ),
  program(
    {
      name: 'Java',
      aliases: ['jdk'],
      folders: ['game-program', 'game-java'],
      also: { 'Agon.java': 'java/Agon.java' },
      file: 'Game.java',
      bots: MODULES,
    },
    'AgonGame.java',
    'System.err.println(…)',
    MODULE,
  ),
  program(
    {
      name: 'C++',
      aliases: ['cpp', 'cxx', 'cc'],
      folders: ['game-program', 'game-cpp'],
      also: { 'agon.hpp': 'cpp/agon.hpp' },
      file: 'game.cpp',
      bots: MODULES,
    },
    'agon_game.hpp',
    'std::cerr << …',
    MODULE,
  ),
]

/** The language of this name, in any case, or of a word for it. Throws UserError with those that there are. */
export function gameLanguage(word: string): GameLanguage {
  const lower = word.toLowerCase()
  const found = LANGUAGES.find(({ name, aliases }) => name.toLowerCase() === lower || aliases.includes(lower))
  if (found !== undefined) return found
  const names = LANGUAGES.map(({ name }) => name)
  throw new UserError(
    `no template of a game in ${JSON.stringify(word)}${didYouMean(word, names)}; there are ${names.join(', ')}, and docs/new-game.md has the lines that any other speaks`,
  )
}

/** The files of a new game by their paths: rules, two bots, a board, a contest; in TypeScript also a viewer and tests. `name` is its id. */
export function gameKit(name: string, language: GameLanguage): Readonly<Record<string, string>> {
  const words = name.replaceAll('-', ' ')
  // A path may hold what a JSON text writes otherwise.
  const home = JSON.stringify(`file:${PACKAGE.replace(/[/\\]$/, '')}`).slice(1, -1)
  const title = words.charAt(0).toUpperCase() + words.slice(1)
  const fill = { ...language.fill, __NAME__: name, __TITLE__: title, __CARDS__: String(CARDS), __PACKAGE__: home }
  const found = language.folders.flatMap((folder) => filesIn(join(TEMPLATES, folder)))
  const also = Object.entries(language.also).map(([path, file]) => [path, join(TEMPLATES, 'bots', file)] as const)
  // Bots of the language take the place of those that any has.
  const needed = [...found, ...also].filter(
    ([path]) => !path.endsWith('.mjs') || language.bots.some((bot) => path.endsWith(bot)),
  )
  return Object.fromEntries(
    needed
      .map(([path, file]) => [path, filledIn(readFileSync(file, 'utf8'), fill)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const filledIn = (text: string, fill: Readonly<Record<string, string>>): string =>
  Object.entries(fill).reduce((all, [key, value]) => all.replaceAll(key, () => value), text)

function filesIn(folder: string): (readonly [path: string, file: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(folder.length + 1), file] as const)
}
