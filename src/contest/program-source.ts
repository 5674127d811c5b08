import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { UserError, messageOf } from '../core/index.js'
import {
  envShebang,
  findProgram,
  isExecutable,
  isOwn,
  kindOf,
  openCache,
  readPlain,
  sha256,
  userCaches,
  walk,
} from '../files/index.js'
import { commands, wordsOf } from './entries.js'
import { filesOf, placeOf } from './game-files.js'
import { contestSchema } from './schema.js'
import { startOf } from './start-file.js'
import { display, TomlFile } from './toml-file.js'
import { joinCommand } from './words.js'

/*
 * Where a game program comes from: a file, or a contest file's commands. Its files are copied into a folder of the user's cache, named by a
 * hash of all that makes it, and built there once: a run that goes on starts the program it began with.
 */

interface Commands {
  readonly command: readonly string[]
  readonly build: readonly (readonly string[])[]
}

const onlyGame = contestSchema.pick({ game: true }).loose()

/** What a contest file says of its game; the rest of the file may be wrong. Throws UserError. */
export function gameOfContest(file: string) {
  return TomlFile.read(file).as(onlyGame).game
}

function commandsOf(file: string): Commands {
  const table = file.endsWith('.toml') ? gameOfContest(file) : ''
  if (typeof table === 'string') {
    const start = startOf(file)
    const here = (words: readonly string[]) => words.map((word) => (word === file ? `./${basename(file)}` : word))
    if (start !== undefined) return { command: here(start.command), build: (start.build ?? []).map(here) }
    throw new UserError(
      `${display(file)} is no game that can be started: give a .ts, .js or .py file, make it executable (chmod +x), or write [game] command into the contest file`,
    )
  }
  const error = (key = '', why: string): UserError => TomlFile.read(file).error(['game', key], why)
  const { command, build } = table
  return {
    command: typeof command === 'string' ? wordsOf(error, 'command', command) : command,
    build: build === undefined ? [] : commands(build, (text) => wordsOf(error, 'build', text)),
  }
}

/** The files that the commands of a game in a contest file name; none of any other file. */
export function namedFiles(file: string): string[] {
  if (!file.endsWith('.toml') || typeof gameOfContest(file) === 'string') return []
  const { command, build } = commandsOf(file)
  const paths = [...command, ...build.flat()].map((word) => join(dirname(file), word))
  return [...new Set(paths)].flatMap((path) => {
    const kind = path === dirname(file) ? undefined : kindOf(path)
    if (kind !== 'folder') return kind === 'file' ? [path] : []
    return [...walk(path, { bytes: Infinity })].flatMap((found) =>
      found.kind === 'file' ? [join(path, found.path)] : [],
    )
  })
}

/** What a contest file says of its game, as text: nothing else of the file makes it another game. */
export function commandsText(file: string): string {
  return JSON.stringify(gameOfContest(file))
}

export interface ReadyProgram {
  /** Words that lie in the folder are relative to it; the first is a path. */
  readonly argv: readonly string[]
  readonly folder: string
}

/** Bytes of a file at most. */
const MOST = 1024 ** 3
/** What a build may take, in ms. */
const BUILD_MS = 120_000

/** Copies a game's files to where they start, and builds them. Throws UserError, with the file and the end of the output. */
export async function readyProgram(file: string): Promise<ReadyProgram> {
  const { command, build } = commandsOf(file)
  const files = filesOf(file.endsWith('.toml') ? namedFiles(file) : [file], file)
  const hash = sha256(
    JSON.stringify([
      build,
      process.arch,
      files.map((path) => [placeOf(path, file), sha256(readPlain(path, MOST) ?? ''), isExecutable(path)]),
    ]),
  )
  const cache = userCaches()
    .map((folder) => (openCache(folder) ? join(folder, 'games') : ''))
    .find((folder) => folder !== '' && openCache(folder))
  if (cache === undefined) throw new UserError(`there is no folder to start ${display(file)} in: set TMPDIR to one`)
  const folder = join(cache, hash)
  if (!isOwn(folder, 'folder')) await place(file, files, build, folder)
  return { argv: await argvOf(file, command, folder), folder }
}

async function place(file: string, files: readonly string[], build: Commands['build'], folder: string): Promise<void> {
  const aside = mkdtempSync(`${folder}.`)
  try {
    for (const path of files) {
      const to = join(aside, placeOf(path, file))
      mkdirSync(dirname(to), { recursive: true })
      copyFileSync(path, to)
      chmodSync(to, statSync(path).mode & 0o755)
    }
    for (const words of build) {
      const [first = '', ...rest] = words
      const program = first.includes('/') ? first : await findProgram(first)
      if (program === undefined)
        throw new UserError(`${display(file)}: this machine has no ${first}, which builds the game`)
      run(file, [program, ...rest], words, aside)
    }
    renameSync(aside, folder)
  } catch (error) {
    // Another process may have been quicker.
    if (!isOwn(folder, 'folder')) throw error
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** The host names a game's build, as it names the game: it runs like a house bot's. */
function run(file: string, [program = '', ...words]: readonly string[], shown: readonly string[], cwd: string): void {
  try {
    execFileSync(program, words, {
      cwd,
      timeout: BUILD_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 ** 2,
    })
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    const why = said === '' ? messageOf(error) : said.replaceAll(cwd, '.').slice(0, 600)
    throw new UserError(`${display(file)}: its build failed: ${joinCommand(shown)}: ${why.replace(/\s*\n\s*/g, ' | ')}`)
  }
}

async function argvOf(file: string, command: readonly string[], folder: string): Promise<string[]> {
  const [first = '', ...rest] = command
  const own = join(folder, first)
  if (!first.includes('/')) {
    const program = await findProgram(first)
    if (program !== undefined) return [program, ...rest]
  }
  if (!existsSync(own)) throw new UserError(`${display(file)}: there is no program ${first}, which starts the game`)
  const [word, ...options] = envShebang(own) ?? []
  const interpreter = word === undefined ? undefined : await findProgram(word)
  const path = `./${relative(folder, own)}`
  return interpreter === undefined ? [path, ...rest] : [interpreter, ...options, path, ...rest]
}
