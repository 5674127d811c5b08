import { basename, dirname, extname, join, resolve } from 'node:path'
import { didYouMean, type EntrantSpec, type GameDefinition, UserError, lookUp, wiresOf } from '../core/index.js'
import { isExecutable, kindOf, namesIn, readPlain, trustedProgram } from '../files/index.js'
import { type Entry, houseBot, houseBots, readEntryFile, suspect } from './entries.js'
import { shellSign, splitCommand } from './words.js'

/** What starts a file of this kind. */
const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  '.py': ['python3'],
  '.pl': ['perl'],
  '.sh': ['sh'],
  '.rb': ['ruby'],
  '.jar': ['java', '-jar'],
}
/** C++ with threads, which some systems have in a library of their own. */
const CPP = ['c++', '-std=c++17', '-O2', '-pthread']
/** What makes a program of a file of this kind. */
const COMPILERS: Readonly<Record<string, readonly string[]>> = {
  '.c': ['cc', '-O2', '-pthread'],
  '.cc': CPP,
  '.cpp': CPP,
  '.cxx': CPP,
  '.go': ['go', 'build'],
  '.rs': ['rustc', '-O', '--edition', '2021'],
}
/** Libraries that a file of this kind may use: they stand behind it. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = { '.c': ['-lm'] }
/** Of a Java file so much is read for the package that it declares. */
const HEAD_BYTES = 64 * 1024
const MODULE = /\.(?:ts|js|mjs|cjs)$/
const HEADER = /\.(?:hpp|h)$/

/**
 * A bot as the command line names it: a house bot, a file (a module, a script, a class's header, an entry's .toml, a program),
 * or a command in one text. Paths are relative to the working folder. Its name is the house bot's or the file's. Throws a
 * UserError for what is none of these.
 */
export function commandBot(word: string, definition: GameDefinition, wire?: string): Entry {
  checkWire(definition, wire)
  const house = houseBot(definition, word)
  if (house !== undefined) return house
  const file = resolve(word)
  const kind = kindOf(file)
  if (kind === undefined) return fromCommand(word, definition, wire)
  if (kind === 'folder') {
    const inside = join(file, 'bot.toml')
    if (namesIn(file).includes('bot.toml')) return readEntryFile(inside, definition)
    throw new UserError(`${word} is a folder without a bot.toml: name the bot's file in it, or a command`)
  }
  if (extname(word) === '.toml') return readEntryFile(file, definition)
  const what = byKind(word, file, definition)
  return entryOf(
    word,
    nameOf(word),
    what.module === undefined ? wireFor(definition, wire, what.class !== undefined) : undefined,
    what,
    dirname(file),
  )
}

function byKind(word: string, file: string, definition: GameDefinition): Omit<EntrantSpec, 'name'> {
  const kind = extname(word)
  if (MODULE.test(word)) return { module: file }
  if (HEADER.test(word)) {
    const hasClasses = Object.values(definition.wires ?? {}).some((each) => each.shim !== undefined)
    if (!hasClasses)
      throw new UserError(`${word}: ${definition.game.id} takes no classes; name a program, a script or a module`)
    return { class: file }
  }
  const interpreter = lookUp(INTERPRETERS, kind)
  if (interpreter !== undefined) return { command: [...interpreter, file] }
  if (kind === '.java') {
    return {
      command: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', '.', javaClass(file)],
      build: [['javac', '-d', '.', file]],
    }
  }
  const compiler = lookUp(COMPILERS, kind)
  if (compiler !== undefined) {
    const program = basename(word, kind)
    return {
      command: [`./${program}`],
      build: [[...compiler, '-o', program, file, ...(lookUp(LIBRARIES, kind) ?? [])]],
    }
  }
  if (isExecutable(file)) return { command: [file] }
  throw new UserError(
    `${word} cannot be started: make it executable (chmod +x), or give a command such as "python3 ${word}"`,
  )
}

/** The class that a Java file is named after, with its package: 'bots.Heron'. */
function javaClass(file: string): string {
  const text = readPlain(file, HEAD_BYTES)?.toString('utf8') ?? ''
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '')
  const [, within] = /^\s*package\s+([\w.]+)\s*;/.exec(code) ?? []
  const name = basename(file, '.java')
  return within === undefined ? name : `${within}.${name}`
}

function fromCommand(word: string, definition: GameDefinition, wire: string | undefined): Entry {
  let words: string[]
  try {
    const sign = shellSign(word)
    if (sign !== undefined)
      throw new RangeError(
        `${JSON.stringify(sign)} in ${JSON.stringify(word)} is for a shell, and there is no shell: leave it out, or quote it`,
      )
    words = splitCommand(word)
  } catch (error) {
    throw error instanceof RangeError ? new UserError(`not a command: ${error.message}`) : error
  }
  const [first = ''] = words
  if (words.length < 2 && trustedProgram(first) === undefined) {
    const names = houseBots(definition).map(({ spec }) => spec.name)
    const there = names.length === 0 ? '' : ` (${definition.game.id} has ${names.join(', ')})`
    throw new UserError(
      `no bot ${JSON.stringify(word)}${didYouMean(basename(word), [...names, ...beside(word)])}: name a house bot${there}, a file, or a command in quotes`,
    )
  }
  const script = words.find((each, n) => n > 0 && kindOf(resolve(each)) === 'file')
  return entryOf(word, nameOf(script ?? first), wireFor(definition, wire, false), { command: words }, process.cwd())
}

/** What lies where a file is not. */
function beside(word: string): string[] {
  const folder = dirname(resolve(word))
  return namesIn(folder)
}

function entryOf(
  word: string,
  name: string,
  wire: string | undefined,
  what: Omit<EntrantSpec, 'name'>,
  base: string,
): Entry {
  const spec = { name, ...what, wire }
  return suspect({ spec, base, house: false, error: (_key, message) => new UserError(`${word}: ${message}`) })
}

/** The wire that was asked for; it is asked for all bots of a match, so a class takes one for classes only. */
function wireFor(definition: GameDefinition, wire: string | undefined, isClass: boolean): string | undefined {
  return isClass && wire !== undefined && definition.wires?.[wire]?.shim === undefined ? undefined : wire
}

function checkWire(definition: GameDefinition, wire: string | undefined): void {
  const known = Object.keys(wiresOf(definition, definition.game.options))
  if (wire !== undefined && !known.includes(wire)) {
    throw new UserError(
      `unknown wire ${JSON.stringify(wire)}${didYouMean(wire, known)}; ${definition.game.id} has ${known.join(', ')}`,
    )
  }
}

const nameOf = (path: string): string => basename(path).slice(0, 64)
