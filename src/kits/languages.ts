import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError, didYouMean } from '../core/index.js'

/** A language that a bot can be begun in. */
export interface Language {
  readonly name: string
  /** Its folder among the templates. */
  readonly folder: string
  readonly aliases: readonly string[]
  /** Programs that build and start its bots. */
  readonly needs: readonly string[]
  /** How the bot is started: the keys of its bot.toml. */
  readonly start:
    | { readonly command: readonly string[]; readonly build?: readonly string[] }
    /** agon itself calls the function: there is no wire. */
    | { readonly module: string }
    /** A header with a class, which agon makes a program. */
    | { readonly class: string }
  /** Where the bot decides, and what reads and writes for it. */
  readonly bot: string
  readonly wire: string
  /** How to print something that is no answer. */
  readonly debug: string
  /** It asks a language model, told the rules. Absent: it decides itself. */
  readonly asksModel?: true
}

/** What JavaScript and TypeScript print with; apart, as agon's own code must not print so. */
const CONSOLE = 'console'

const TEMPLATE_LANGUAGES: readonly Omit<Language, 'folder' | 'needs'>[] = [
  {
    name: 'Python',
    aliases: ['py', 'python3'],
    start: { command: ['python3', 'bot.py'] },
    bot: 'bot.py',
    wire: 'agon.py',
    debug: 'print(…, file=sys.stderr)',
  },
  {
    name: 'JavaScript',
    aliases: ['js', 'node', 'mjs'],
    start: { command: ['node', 'bot.mjs'] },
    bot: 'bot.mjs',
    wire: 'agon.mjs',
    debug: `${CONSOLE}.error(…)`,
  },
  {
    name: 'TypeScript',
    aliases: ['ts'],
    start: { module: 'bot.ts' },
    bot: 'bot.ts',
    wire: 'view.ts',
    debug: `${CONSOLE}.error(…)`,
  },
  {
    name: 'C++',
    aliases: ['cpp', 'cxx', 'cc'],
    start: { command: ['./bot'], build: ['c++', '-std=c++17', '-O2', '-pthread', '-o', 'bot', 'bot.cpp'] },
    bot: 'bot.cpp',
    wire: 'agon.hpp',
    debug: 'std::cerr',
  },
  {
    name: 'C',
    aliases: [],
    start: { command: ['./bot'], build: ['cc', '-std=c99', '-O2', '-o', 'bot', 'bot.c', '-lm'] },
    bot: 'bot.c',
    wire: 'agon.h',
    debug: 'fprintf(stderr, …)',
  },
  {
    name: 'Java',
    aliases: [],
    start: {
      command: ['java', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', '.', 'Bot'],
      build: ['javac', '-d', '.', 'Bot.java', 'Agon.java'],
    },
    bot: 'Bot.java',
    wire: 'Agon.java',
    debug: 'System.err',
  },
  {
    name: 'Rust',
    aliases: ['rs'],
    start: { command: ['./bot'], build: ['rustc', '-O', '--edition', '2021', '-o', 'bot', 'bot.rs'] },
    bot: 'bot.rs',
    wire: 'agon.rs',
    debug: 'eprintln!(…)',
  },
  {
    name: 'Go',
    aliases: ['golang'],
    start: { command: ['./bot'], build: ['go', 'build', '-o', 'bot', 'bot.go', 'agon.go'] },
    bot: 'bot.go',
    wire: 'agon.go',
    debug: 'println(…)',
  },
  {
    name: 'Perl',
    aliases: ['pl'],
    start: { command: ['perl', 'bot.pl'] },
    bot: 'bot.pl',
    wire: 'Agon.pm',
    debug: 'warn …',
  },
  {
    name: 'Ruby',
    aliases: ['rb'],
    start: { command: ['ruby', 'bot.rb'] },
    bot: 'bot.rb',
    wire: 'agon.rb',
    debug: 'warn …',
  },
  {
    name: 'shell',
    aliases: ['sh', 'bash', 'dash'],
    start: { command: ['sh', 'bot.sh'] },
    bot: 'bot.sh',
    wire: 'agon.sh',
    debug: 'echo … >&2',
  },
  {
    name: 'LLM',
    aliases: ['gpt', 'model'],
    start: { command: ['python3', 'bot.py'] },
    bot: 'bot.py',
    wire: 'bot.py',
    debug: 'print(…, file=sys.stderr)',
    asksModel: true,
  },
]

export const LANGUAGES: readonly Language[] = TEMPLATE_LANGUAGES.map((language) => {
  const programs = 'command' in language.start ? [language.start.build?.[0], language.start.command[0]] : []
  return {
    ...language,
    folder: language.name.toLowerCase().replaceAll('+', 'p'),
    // What was built is started by its path.
    needs: programs.flatMap((program = './') => (program.startsWith('./') ? [] : [program])),
  }
})

/** A word's language, in any case. Throws UserError with a guess. */
export function languageNamed(word: string): Language {
  const names = LANGUAGES.map(({ name }) => name)
  const guess = didYouMean(word, [...names, ...LANGUAGES.flatMap(({ aliases }) => aliases)])
  return named(LANGUAGES, word, `no language ${JSON.stringify(word)}${guess}; there are ${names.join(', ')}`)
}

function named<One extends Pick<Language, 'name' | 'aliases'>>(
  languages: readonly One[],
  word: string,
  unknown: string,
) {
  const lower = word.toLowerCase()
  const found = languages.find(({ name, aliases }) => name.toLowerCase() === lower || aliases.includes(lower))
  if (found === undefined) throw new UserError(unknown)
  return found
}

/** The package itself: what a new game's tests import from. */
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
/** The folder of the templates that travel with the package. */
export const TEMPLATES = join(PACKAGE, 'templates')

/** Cards of the game that the templates are. */
const CARDS = 5

export interface GameLanguage {
  readonly name: string
  readonly aliases: readonly string[]
  /** Templates' folders, and a bot template file that the game also needs, by its path in the game's folder. */
  readonly folders: readonly string[]
  readonly also?: Readonly<Record<string, string>>
  /** Its own file, which commands name. */
  readonly file: string
  readonly bots: readonly [even: string, dice: string]
  /** Of a program: the file for its lines, how it prints, and how its bots are entered. */
  readonly lines?: string
  readonly debug?: string
  readonly entrant?: (bot: string) => string
}

const module = { bots: ['even.mjs', 'dice.mjs'], entrant: (bot: string) => `module = "bots/${bot}"` } as const

const GAME_LANGUAGES: readonly GameLanguage[] = [
  { name: 'TypeScript', aliases: ['ts'], folders: ['game'], file: 'game.ts', bots: ['even.ts', 'dice.ts'] },
  {
    name: 'Python',
    aliases: ['py', 'python3'],
    folders: ['game-program', 'game-python'],
    file: 'game.py',
    bots: ['even.py', 'dice.py'],
    lines: 'agon_game.py',
    debug: 'print(…)',
    entrant: (bot) => `command = ["python3", "bots/${bot}"]`,
  },
  {
    name: 'Java',
    aliases: ['jdk'],
    folders: ['game-program', 'game-java'],
    also: { 'Agon.java': 'java/Agon.java' },
    file: 'Game.java',
    ...module,
    lines: 'AgonGame.java',
    debug: 'System.err.println(…)',
  },
  {
    name: 'C++',
    aliases: ['cpp', 'cxx', 'cc'],
    folders: ['game-program', 'game-cpp'],
    also: { 'agon.hpp': 'cpp/agon.hpp' },
    file: 'game.cpp',
    ...module,
    lines: 'agon_game.hpp',
    debug: 'std::cerr << …',
  },
]

/** A language by name, in any case, or a word for it. Throws UserError with all there are. */
export function gameLanguage(word: string): GameLanguage {
  const names = GAME_LANGUAGES.map(({ name }) => name)
  return named(
    GAME_LANGUAGES,
    word,
    `no template of a game in ${JSON.stringify(word)}${didYouMean(word, names)}; there are ${names.join(', ')}, and docs/new-game.md has the lines that any other speaks`,
  )
}

/**
 * A new game's files by path: rules, two bots, a board, a contest; in TypeScript also a viewer and tests. `name`: its
 * id.
 */
export function gameKit(name: string, language: GameLanguage): Readonly<Record<string, string>> {
  const { file: own, bots, lines = '', debug = '', entrant = () => '', also: extra = {} } = language
  const words = name.replaceAll('-', ' ')
  // A path may hold what a JSON text writes otherwise.
  const home = JSON.stringify(`file:${PACKAGE.replace(/[/\\]$/, '')}`).slice(1, -1)
  const title = words.charAt(0).toUpperCase() + words.slice(1)
  const fill = {
    __NAME__: [name],
    __TITLE__: [title],
    __CARDS__: [String(CARDS)],
    __PACKAGE__: [home],
    __LANGUAGE__: [language.name],
    __FILE__: [own],
    __LINES__: [lines],
    __DEBUG__: [`\`${debug}\``],
    __BOT_EVEN__: [bots[0]],
    __BOT_DICE__: [bots[1]],
    __EVEN__: [entrant(bots[0])],
    __DICE__: [entrant(bots[1])],
  }
  const found = language.folders.flatMap((folder) => filesIn(join(TEMPLATES, folder)))
  const also = Object.entries(extra).map(([path, file]) => [path, join(TEMPLATES, 'bots', file)] as const)
  // Bots of the language take the place of those that any has.
  const needed = [...found, ...also].filter(
    ([path]) => !path.endsWith('.mjs') || bots.some((bot) => path.endsWith(bot)),
  )
  return Object.fromEntries(
    needed
      .map(([path, file]) => [path, filled(readFileSync(file, 'utf8'), fill)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** A template with placeholders filled; several lines, or none, repeat what surrounds it on its line. */
export function filled(template: string, fill: Readonly<Record<string, readonly string[]>>): string {
  let lines: readonly string[] = template.split('\n')
  for (const [name, texts] of Object.entries(fill))
    lines = lines.flatMap((line) =>
      line.includes(name) ? texts.map((text) => line.replaceAll(name, () => text)) : line,
    )
  return lines.join('\n')
}

function filesIn(folder: string): (readonly [path: string, file: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(folder.length + 1), file] as const)
}
