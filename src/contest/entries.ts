import { dirname, resolve } from 'node:path'
import {
  didYouMean,
  type EntrantSpec,
  type GameDefinition,
  lesserMemory,
  type Memory,
  USUAL_MEMORY,
  type UserError,
  wiresOf,
} from '../core/index.js'
import { distrust, distrustAround, isInside, kindOf, realPath } from '../files/index.js'
import { quote } from './explain.js'
import { houseFile, refuseAmongHouse } from './house-folder.js'
import { Mistakes } from './mistakes.js'
import { lookOf, refuseName } from './names.js'
import { matching } from './pattern.js'
import { type ContestDocument, type EntrantDocument, houseSchema, ownSchema } from './schema.js'
import { TomlFile } from './toml-file.js'
import type { TomlPath } from './toml-lines.js'
import { shellSign, splitCommand } from './words.js'

/** A build has this many commands at most. */
const BUILD_COMMANDS = 16

/** An entrant and where it was written down. */
export interface Entry {
  readonly spec: EntrantSpec
  /** What its paths are relative to; absolute. */
  readonly base: string
  /** The file that names it, absolute; a folder that holds this file is no entrant's source. */
  readonly file?: string
  /** Ships with the game: trusted. */
  readonly house: boolean
  /** Its file is the entrant's own, not the host's: what it names lies in that file's folder. */
  readonly own?: boolean
  /** A mistake in its table, at one of its keys. */
  error(key: keyof EntrantSpec | undefined, message: string): UserError
}

const KINDS = ['command', 'module', 'class', 'house'] as const

/** Stands for a table that is no entrant's, so that those behind it keep their numbers. */
export const GAP: EntrantDocument = { name: '\0' }
const isGap = ({ name }: EntrantDocument): boolean => name === GAP.name

/**
 * The house bots of a contest, and the entrants of its tables or of the files that a pattern names, in order; a pattern's files by their
 * paths. What is wrong goes into `mistakes`.
 */
export function readEntries(
  from: TomlFile,
  { entrants = [], house = [], memory = USUAL_MEMORY }: Pick<ContestDocument, 'entrants' | 'house' | 'memory'>,
  definition: GameDefinition,
  mistakes: Mistakes,
): Entry[] {
  const base = dirname(from.path)
  const reads = [
    ...houseReads(from, house, definition),
    ...(typeof entrants === 'string'
      ? matching(entrants, base).map((path) => () => {
          refuseLinked(from, base, path)
          return readEntryFile(path, definition, memory)
        })
      : entrants.map(
          (document, n) => () =>
            isGap(document) ? [] : suspect(readEntry(from, ['entrants', n], document, definition)),
        )),
  ]
  // An author may write the rest of the file first: this is reported only where nothing else is wrong.
  if (reads.length === 0 && mistakes.none) {
    const none = typeof entrants === 'string' ? `no file matches ${quote(entrants)} here` : 'there are no entrants'
    mistakes.add(
      from.error(
        ['entrants'],
        `${none}: give a table [[entrants]] for each, or a pattern such as "entries/*/bot.toml"`,
      ),
    )
  }
  const entries = reads.flatMap((read) => mistakes.try(read) ?? [])
  refuseTwins(entries, mistakes)
  return entries
}

/** The house bots that a contest names in a row; each is read when its function is called. */
const houseReads = (from: TomlFile, house: readonly string[], definition: GameDefinition): readonly (() => Entry)[] =>
  house.map((name, n) => () => readEntry(from, ['house', n], { house: name }, definition))

function refuseTwins(entries: readonly Entry[], mistakes: Mistakes): void {
  const seen = new Map<string, Entry>()
  for (const entry of entries) {
    const { name } = entry.spec
    const other = seen.get(lookOf(name))
    if (other === undefined) seen.set(lookOf(name), entry)
    else {
      const where = other.error('name', '').message.replace(/: $/, '')
      const what =
        other.spec.name === name
          ? `two entrants are called ${quote(name)}, the other at ${where}`
          : `${quote(name)} looks like the name of another entrant, at ${where}`
      mistakes.add(entry.error('name', `${what}: give each its own name`))
    }
  }
}

/** The entrants of a contest that a site hosts: its house bots, in order, and those that were entered. */
export function readHosted(
  from: TomlFile,
  { entrants = [], house = [] }: Pick<ContestDocument, 'entrants' | 'house'>,
  definition: GameDefinition,
  entered: readonly Entry[],
): Entry[] {
  if (typeof entrants === 'string')
    throw from.error(['entrants'], 'a site reads no files of its host: name house bots, and enter the others')
  const tables = entrants.flatMap((document, n) => {
    if (isGap(document)) return []
    if (document.house === undefined)
      throw from.error(['entrants', n], 'this contest is hosted by a site: name house bots here, and enter the others')
    return readEntry(from, ['entrants', n], document, definition)
  })
  const all = [...houseReads(from, house, definition).map((read) => read()), ...tables, ...entered]
  const mistakes = new Mistakes()
  refuseTwins(all, mistakes)
  mistakes.refuse()
  return all
}

/**
 * The entrant of a file of its own, which a stranger wrote: the keys of [[entrants]] at its top that are not the host's alone. `most`: what the
 * contest has its bots remember.
 */
export function readEntryFile(path: string, definition: GameDefinition, most = USUAL_MEMORY): Entry {
  const file = TomlFile.readEntrant(path)
  refuseAmongHouse(file, definition)
  const entry = { ...readEntry(file, [], file.as(ownSchema), definition), own: true }
  refuseMemory(entry, most)
  return suspect(entry)
}

/** Throws the UserError of an entrant whose own file asks for more memory than the contest gives. */
export function refuseMemory({ spec: { name, memory }, error }: Entry, most: Memory): void {
  if (memory === undefined || lesserMemory(memory, most) === memory) return
  throw error(
    'memory',
    `${quote(name)} may remember for a ${most} at most, as the contest says: leave memory = ${quote(memory)} out, or ask for less`,
  )
}

/** From now on the host starts nothing that lies where the entry does. */
export function suspect(entry: Entry): Entry {
  if (entry.house) return entry
  if (entry.spec.folder !== undefined) distrust(resolve(entry.base, entry.spec.folder))
  distrustAround(entry.base)
  return entry
}

/** A pattern's files lie below the contest's folder: a link among them could name any file of the host. */
function refuseLinked(from: TomlFile, base: string, path: string): void {
  const [real, top] = [realPath(dirname(path)), realPath(base)]
  if (!isInside(base, path) || real === undefined || top === undefined || isInside(top, real)) return
  throw from.error(
    ['entrants'],
    `${quote(path)} is reached by a link that leads elsewhere: put the folder itself there`,
  )
}

/** The bots that ship with a game: bots/house.toml in its folder. None where there is no such file. */
export function houseBots(definition: GameDefinition): readonly Entry[] {
  const path = houseFile(definition)
  if (kindOf(path) === undefined) return []
  const file = TomlFile.read(path)
  return file
    .as(houseSchema)
    .entrants.map((document, n) => ({ ...readEntry(file, ['entrants', n], document, definition), house: true }))
}

/** The game's house bot of this name, whatever its case. */
export function houseBot(definition: GameDefinition, name: string): Entry | undefined {
  const bots = houseBots(definition)
  return (
    bots.find(({ spec }) => spec.name === name) ??
    bots.find(({ spec }) => spec.name.toLowerCase() === name.toLowerCase())
  )
}

/** The entrant of a table that stands at a place of a file. */
export function readEntry(
  from: Pick<TomlFile, 'path' | 'error'>,
  place: TomlPath,
  document: EntrantDocument,
  definition: GameDefinition,
): Entry {
  const error: Entry['error'] = (key, message) => from.error(key === undefined ? place : [...place, key], message)
  const name = document.name ?? document.house
  if (name === undefined) throw error('name', 'an entrant has no name: add name = "…"')
  const unfit = refuseName(name)
  if (unfit !== undefined) throw error('name', unfit)
  const given = KINDS.filter((kind) => document[kind] !== undefined)
  if (given.length !== 1) {
    const what =
      given.length === 0
        ? `${quote(name)} has none of command, module, class and house`
        : `${quote(name)} has ${given.join(' and ')}`
    throw error(given[1], `${what}: give exactly one of them`)
  }
  if (document.house !== undefined) return house(error, { ...document, house: document.house }, definition)
  const mistakes = new Mistakes()
  mistakes.try(() => checkKeys(error, document, definition))
  const { command, build, ...rest } = document
  const built =
    build === undefined ? [] : (mistakes.try(() => commands(build, (text) => wordsOf(error, 'build', text))) ?? [])
  if (built.length > BUILD_COMMANDS)
    mistakes.add(
      error(
        'build',
        `${quote(name)} is built with ${built.length} commands, and ${BUILD_COMMANDS} is the most: put them into a script`,
      ),
    )
  const words = typeof command === 'string' ? mistakes.try(() => wordsOf(error, 'command', command)) : command
  mistakes.refuse()
  const spec = {
    ...rest,
    name,
    command: words,
    build: build === undefined ? undefined : built,
  }
  return { spec: defined(spec), base: dirname(from.path), file: from.path, house: false, error }
}

/** Refuses a wire that the game does not have, and keys that mean nothing beside others. */
function checkKeys(error: Entry['error'], document: EntrantDocument, definition: GameDefinition): void {
  const { wire, module, build, with: given } = document
  const mistakes = new Mistakes()
  const known = Object.keys(wiresOf(definition, definition.game.options))
  if (wire !== undefined && !known.includes(wire))
    mistakes.add(
      error(
        'wire',
        `unknown wire ${quote(wire)}${didYouMean(wire, known)}; ${definition.game.id} has ${known.join(', ')}`,
      ),
    )
  if (module !== undefined && build !== undefined)
    mistakes.add(error('build', 'a module is loaded as it is: leave build out'))
  if (module === undefined && given !== undefined)
    mistakes.add(error('with', 'with has parameters of a module: leave it out, and put them into the command'))
  mistakes.refuse()
}

/** The words of a command that is given as one text. */
function wordsOf(error: Entry['error'], key: 'command' | 'build', text: string): string[] {
  try {
    const sign = shellSign(text)
    if (sign !== undefined)
      throw new RangeError(`${quote(sign)} is for a shell, and there is no shell: leave it out, or quote it`)
    const words = splitCommand(text)
    if (words.length > 0) return words
  } catch (problem) {
    if (problem instanceof RangeError) throw error(key, `${key}: ${problem.message}`)
    throw problem
  }
  throw error(key, `${key} = ${quote(text)} has no words`)
}

/** `build` as a list of commands: one text, the words of one, or several of these. */
function commands(
  build: string | readonly string[] | readonly (readonly string[])[],
  split: (text: string) => string[],
): string[][] {
  if (typeof build === 'string') return [split(build)]
  const many = build.filter((part) => typeof part !== 'string')
  return many.length > 0 ? many.map((part) => [...part]) : [build.filter((part) => typeof part === 'string')]
}

/** An entrant that is one of the game's own bots, under a name of the contest's. */
function house(
  error: Entry['error'],
  document: EntrantDocument & { readonly house: string },
  definition: GameDefinition,
): Entry {
  for (const key of ['wire', 'build', 'folder', 'language', 'author'] as const) {
    if (document[key] !== undefined)
      throw error(key, `${quote(document.house)} is a house bot, which brings its own ${key}: leave ${key} out`)
  }
  const bot = houseBot(definition, document.house)
  if (bot === undefined) {
    const names = houseBots(definition).map(({ spec }) => spec.name)
    const there =
      names.length === 0 ? `${definition.game.id} has none` : `${definition.game.id} has ${names.join(', ')}`
    throw error('house', `unknown house bot ${quote(document.house)}${didYouMean(document.house, names)}; ${there}`)
  }
  const { name, memory, synopsis, labels, with: given } = document
  if (given !== undefined && bot.spec.module === undefined)
    throw error('with', `${quote(document.house)} is a program, and with has parameters of a module: leave it out`)
  return {
    ...bot,
    spec: defined({
      ...bot.spec,
      name: name ?? bot.spec.name,
      house: bot.spec.name,
      memory: memory ?? bot.spec.memory,
      synopsis: synopsis ?? bot.spec.synopsis,
      labels: labels ?? bot.spec.labels,
      with: given ?? bot.spec.with,
    }),
    error: (key, message) =>
      document[key as keyof EntrantDocument] === undefined && key !== undefined
        ? bot.error(key, message)
        : error(key, message),
  }
}

/** Without the keys that are undefined: they would not be absent. */
function defined(spec: { [K in keyof EntrantSpec]?: EntrantSpec[K] | undefined }): EntrantSpec {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)) as unknown as EntrantSpec
}
