import { dirname, join, resolve, sep } from 'node:path'
import { type GameDefinition, USUAL_MEMORY, type UserError } from '../core/index.js'
import { isInside, realPath, namesIn, reservedFrom, statOf } from '../files/index.js'
import { type Entry, readEntry, readEntryFile, suspect } from './entries.js'
import { quote } from './explain.js'
import type { Mistakes } from './mistakes.js'
import { lookOf } from './names.js'
import type { ContestDocument } from './schema.js'
import type { TomlFile } from './toml-file.js'

type NamedEntrants = Pick<ContestDocument, 'entrants' | 'house' | 'memory'>

/**
 * A contest's house bots, and the entrants of its tables or a pattern's files, in order (files by path). What is wrong
 * goes into `mistakes`. `entered`: bots entered for it, if a site hosts it: it names only house bots then.
 */
export function readEntries(
  from: TomlFile,
  document: NamedEntrants,
  definition: GameDefinition,
  { mistakes, entered }: { readonly mistakes: Mistakes; readonly entered?: readonly Entry[] },
): Entry[] {
  const { entrants = [], house = [], memory = USUAL_MEMORY } = document
  const unfit = entered && mistakeForSite(from, document)
  if (unfit !== undefined) {
    mistakes.add(unfit)
    return []
  }
  const base = dirname(from.path)
  const reads = [
    ...house.map((name, n) => () => readEntry(from, ['house', n], { house: name }, definition)),
    ...(typeof entrants === 'string'
      ? matching(entrants, base).map((path) => () => {
          refuseLinked(from, base, path)
          return readEntryFile(path, definition, memory)
        })
      : entrants.map((entrant, n) => () => suspect(readEntry(from, ['entrants', n], entrant, definition)))),
    ...(entered ?? []).map((entry) => () => entry),
  ]
  // An author may write the rest of the file first: this is reported only where nothing else is wrong.
  if (reads.length === 0 && entered === undefined && mistakes.none) {
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

/** House bots of a contest on a site: its schedule grows with their square, and all others wait for its making. */
const HOUSE = 200

/** What a site does not take of the entrants in a contest file; undefined: it takes them. */
function mistakeForSite(from: TomlFile, { entrants = [], house = [] }: NamedEntrants): UserError | undefined {
  if (typeof entrants === 'string')
    return from.error(['entrants'], 'a site reads no files of its host: name house bots, and enter the others')
  if (entrants.length + house.length > HOUSE)
    return from.error(['entrants'], `a contest of a site has ${HOUSE} house bots at most`)
  const stranger = entrants.findIndex((document) => document.house === undefined)
  const why = 'this contest is hosted by a site: name house bots here, and enter the others'
  return stranger < 0 ? undefined : from.error(['entrants', stranger], why)
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

/**
 * The files below `base` that a pattern with * and ** names, by path. An entry's folder is its author's: ** passes no
 * link, as a few that lead up would repeat the same folders without end.
 */
export function matching(pattern: string, base: string): string[] {
  const named = pattern.split('/').filter((part) => part !== '' && part !== '.')
  // Two of them say no more than one, and would take every folder's every parent.
  const parts = named.filter((part, i) => part !== '**' || named[i - 1] !== '**')
  const start = pattern.startsWith('/') ? '/' : base
  const walk = (folder: string, rest: readonly string[]): string[] => {
    const [part, ...after] = rest
    if (part === undefined) return [folder]
    if (part === '**')
      return [
        ...walk(folder, after),
        ...children(folder, /^[^.]/, base)
          .filter((child) => statOf(child)?.isSymbolicLink() === false)
          .flatMap((child) => walk(child, rest)),
      ]
    if (!part.includes('*')) return isListed(folder, part) ? walk(join(folder, part), after) : []
    const like = new RegExp(`^${part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')}$`)
    return children(folder, part.startsWith('.') ? like : new RegExp(`^(?!\\.)${like.source.slice(1)}`), base).flatMap(
      (child) => walk(child, after),
    )
  }
  return [...new Set(walk(resolve(start), parts))].sort((a, b) => (a < b ? -1 : 1))
}

/** What agon keeps of earlier runs holds copies of entries, and is passed over. */
function children(folder: string, like: RegExp, base: string): string[] {
  const isReserved = reservedFrom(base)
  return namesIn(folder)
    .filter((name) => like.test(name))
    .map((name) => `${folder}${folder.endsWith(sep) ? '' : sep}${name}`)
    .filter((path) => !isReserved(realPath(path) ?? path))
}

/** Whether there is such a name, whatever it leads to: what is wrong with it is reported when it is read. */
const isListed = (folder: string, name: string): boolean => name === '..' || namesIn(folder).includes(name)
