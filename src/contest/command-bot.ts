import { basename, dirname, extname, join, resolve } from 'node:path'
import { didYouMean, type EntrantSpec, type GameDefinition, UserError } from '../core/index.js'
import { kindOf, namesIn, trustedProgram } from '../files/index.js'
import { type Entry, houseBot, houseBots, readEntryFile, refuseWire, suspect } from './entries.js'
import { HEADER, MODULE, startOf } from './start-file.js'
import { commandWords } from './words.js'

/**
 * A bot as the command line names it: a house bot, a file (module, script, class header, .toml, program), or a command
 * in one text. Paths are relative to the working folder. Throws UserError for what is none of these.
 */
export function commandBot(word: string, definition: GameDefinition, wire?: string): Entry {
  const unknown = refuseWire(definition, wire)
  if (unknown !== undefined) throw new UserError(unknown)
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
  // The wire is asked for all bots of a match, so a class takes one for classes only, and a module none.
  const fits = what.class === undefined || wire === undefined || definition.wires?.[wire]?.shim !== undefined
  const spec = { name: nameOf(word), ...what, wire: what.module === undefined && fits ? wire : undefined }
  return entryOf(word, spec, dirname(file))
}

function byKind(word: string, file: string, definition: GameDefinition): Omit<EntrantSpec, 'name'> {
  if (MODULE.test(word)) return { module: file }
  if (HEADER.test(word)) {
    const hasClasses = Object.values(definition.wires ?? {}).some((each) => each.shim !== undefined)
    if (!hasClasses)
      throw new UserError(`${word}: ${definition.game.id} takes no classes; name a program, a script or a module`)
    return { class: file }
  }
  const start = startOf(file)
  if (start !== undefined) return start
  throw new UserError(
    `${word} cannot be started: make it executable (chmod +x), or give a command such as "python3 ${word}"`,
  )
}

function fromCommand(word: string, definition: GameDefinition, wire: string | undefined): Entry {
  let words: string[]
  try {
    words = commandWords(word)
  } catch (error) {
    throw error instanceof RangeError ? new UserError(`not a command: ${error.message}`) : error
  }
  const [first = ''] = words
  if (words.length < 2 && trustedProgram(first) === undefined) {
    const names = houseBots(definition).map(({ spec }) => spec.name)
    const there = names.length === 0 ? '' : ` (${definition.game.id} has ${names.join(', ')})`
    throw new UserError(
      `no bot ${JSON.stringify(word)}${didYouMean(basename(word), [...names, ...namesIn(dirname(resolve(word)))])}: name a house bot${there}, a file, or a command in quotes`,
    )
  }
  const script = words.find((each, n) => n > 0 && kindOf(resolve(each)) === 'file')
  return entryOf(word, { name: nameOf(script ?? first), command: words, wire }, process.cwd())
}

const entryOf = (word: string, spec: EntrantSpec, base: string): Entry =>
  suspect({ spec, base, house: false, error: (_key, message) => new UserError(`${word}: ${message}`) })

const nameOf = (path: string): string => basename(path).slice(0, 64)
