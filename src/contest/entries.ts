import { dirname, resolve, join } from 'node:path'
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
import { distrust, distrustAround, kindOf, realPath } from '../files/index.js'
import { quote } from './explain.js'
import { Mistakes } from './mistakes.js'
import { refuseName } from './names.js'
import { type EntrantDocument, houseSchema, ownSchema } from './schema.js'
import { TomlFile } from './toml-file.js'
import type { TomlPath } from './toml-lines.js'
import { commandWords } from './words.js'
import { gameFolder } from './load-game.js'

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
  /** It plays on its author's machine: by what the site knows its connection. */
  readonly remote?: string
  /** A mistake in its table, at one of its keys. */
  error(key: keyof EntrantSpec | undefined, message: string): UserError
}

const KINDS = ['command', 'module', 'class', 'house'] as const

/** The entrant of a file of its own, which a stranger wrote. `most`: what the contest has its bots remember. */
export function readEntryFile(path: string, definition: GameDefinition, most = USUAL_MEMORY): Entry {
  const file = TomlFile.readEntrant(path)
  refuseAmongHouse(file, definition)
  const entry = { ...readEntry(file, [], file.as(ownSchema), definition), own: true }
  refuseMemory(entry, most)
  return suspect(entry)
}

/** Throws the UserError of an entrant whose own file asks for more memory than the contest gives. */
export function refuseMemory(entry: Entry, most: Memory): void {
  const { name, memory } = entry.spec
  if (memory === undefined || lesserMemory(memory, most) === memory) return
  throw entry.error(
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

/** The bots that ship with a game: bots/house.toml in its folder. None where there is no such file. */
export function houseBots(definition: GameDefinition): readonly Entry[] {
  const known = houses.get(definition)
  if (known !== undefined) return known
  const path = houseFile(definition)
  if (kindOf(path) === undefined) return []
  const file = TomlFile.read(path)
  const bots = file
    .as(houseSchema)
    .entrants.map((document, n) => ({ ...readEntry(file, ['entrants', n], document, definition), house: true }))
  houses.set(definition, bots)
  return bots
}
/** The file of a game is read once: a contest may name each of its bots a thousand times. */
const houses = new WeakMap<GameDefinition, readonly Entry[]>()

/** The game's house bot of this name, whatever its case. */
export function houseBot(definition: GameDefinition, name: string): Entry | undefined {
  const bots = houseBots(definition)
  return (
    bots.find(({ spec }) => spec.name === name) ??
    bots.find(({ spec }) => spec.name.toLowerCase() === name.toLowerCase())
  )
}

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
  checkKeys(error, document, definition, mistakes)
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
  if (!mistakes.none) throw mistakes.all()
  const spec: EntrantSpec = { ...rest, name, command: words, build: build === undefined ? undefined : built }
  return { spec, base: dirname(from.path), file: from.path, house: false, error }
}

/** Refuses a wire that the game does not have, and keys that mean nothing beside others. */
function checkKeys(
  error: Entry['error'],
  document: EntrantDocument,
  definition: GameDefinition,
  mistakes: Mistakes,
): void {
  const { wire, module, build, with: given } = document
  const unknown = refuseWire(definition, wire)
  if (unknown !== undefined) mistakes.add(error('wire', unknown))
  if (module !== undefined && build !== undefined)
    mistakes.add(error('build', 'a module is loaded as it is: leave build out'))
  if (module === undefined && given !== undefined)
    mistakes.add(error('with', 'with has parameters of a module: leave it out, and put them into the command'))
}

/** Why a game has no such wire; undefined: it has, or none is named. */
export function refuseWire(definition: GameDefinition, wire: string | undefined): string | undefined {
  const known = Object.keys(wiresOf(definition, definition.game.options))
  if (wire === undefined || known.includes(wire)) return undefined
  return `unknown wire ${quote(wire)}${didYouMean(wire, known)}; ${definition.game.id} has ${known.join(', ')}`
}

export function wordsOf(error: Entry['error'], key: 'command' | 'build', text: string): string[] {
  try {
    const words = commandWords(text)
    if (words.length > 0) return words
  } catch (problem) {
    if (problem instanceof RangeError) throw error(key, `${key}: ${problem.message}`)
    throw problem
  }
  throw error(key, `${key} = ${quote(text)} has no words`)
}

/** `build` as a list of commands: one text, the words of one, or several of these. */
export function commands(
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
  for (const key of ['wire', 'build', 'folder', 'language', 'author', 'country'] as const) {
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
    spec: {
      ...bot.spec,
      name: name ?? bot.spec.name,
      house: bot.spec.name,
      memory: memory ?? bot.spec.memory,
      synopsis: synopsis ?? bot.spec.synopsis,
      labels: labels ?? bot.spec.labels,
      with: given ?? bot.spec.with,
    },
    error: (key, message) =>
      document[key as keyof EntrantDocument] === undefined && key !== undefined
        ? bot.error(key, message)
        : error(key, message),
  }
}

/* What is beside a game's house.toml runs in agon's process; entrants there could have a folder `bots`. */

const houseFile = (definition: GameDefinition): string => join(gameFolder(definition), 'bots', 'house.toml')

/** Throws UserError for an entrant's file in the folder of the game's house bots. */
function refuseAmongHouse(file: TomlFile, definition: GameDefinition): void {
  const trusted = houseFile(definition)
  if (kindOf(trusted) === undefined || realPath(dirname(file.path)) !== realPath(dirname(trusted))) return
  throw file.error(
    [],
    'it lies beside the house.toml of the game, whose bots are trusted: put the entrant into another folder',
  )
}

/** The same person, however the name is spaced and capitalised. */
const personOf = (author: string): string => author.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

/** Refuses persons with more entrants than `most`; house bots and entrants without an author do not count. */
export function checkAuthors(entries: readonly Entry[], most: number, mistakes: Mistakes): void {
  const byPerson = new Map<string, Entry[]>()
  for (const entry of entries) {
    const { author } = entry.spec
    if (author === undefined || entry.house) continue
    const own = byPerson.get(personOf(author)) ?? []
    own.push(entry)
    byPerson.set(personOf(author), own)
  }
  for (const own of byPerson.values()) {
    const extra = own[most]
    if (extra === undefined) continue
    const names = own.map(({ spec }) => quote(spec.name)).join(', ')
    const many = `${quote(extra.spec.author)} has ${own.length} entrants (${names})`
    const remedy = `leave ${own.length - most} of them out`
    mistakes.add(extra.error('author', `${many}, and entries_per_author allows ${most}: ${remedy}`))
  }
}
