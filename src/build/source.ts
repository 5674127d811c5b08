import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { didYouMean, type EntrantSpec, type UserError } from '../core/index.js'
import { isInside, kindOf, namesIn, pause, readPlain } from '../files/index.js'
import { classFiles, includedFiles, isSource } from './class-entry.js'
import type { Entry } from '../contest/entries.js'
import { quote } from '../contest/explain.js'
import { display } from '../contest/toml-file.js'
import { isFileName } from '../contest/words.js'
import { commonFolder, isInstalled, isPublic, isSystem, readings } from './paths.js'
import { asUserError, isOwn, listFolder, type SourceEntry, placeOf } from './source-files.js'

/** An entrant's source: its folder, or exactly the files named. */
export interface Source {
  /** All files lie in this folder; absolute. */
  readonly root: string
  /** What its relative paths are relative to, the likeliest first. */
  readonly bases: readonly string[]
  readonly files: readonly SourceEntry[]
  /** Its module or header; absolute. */
  readonly main?: string
  /** Of a class: what is compiled with its header, below the root. */
  readonly sources?: readonly string[]
}

/**
 * Finds an entrant's source, of at most so many bytes. `provided`: headers from a class wire's shim. Throws the entry's
 * UserError for what is absent, what agon never accepts, and a folder too large to be meant.
 */
export async function findSource(entry: Entry, provided: ReadonlySet<string>, bytes: number): Promise<Source> {
  const { spec, base } = entry
  refusePrograms(entry)
  const folder = spec.folder === undefined ? undefined : findFolder(entry, spec.folder)
  const bases = basesOf(entry)
  const key = spec.module !== undefined ? 'module' : 'class'
  const ref = spec[key]
  const main = ref === undefined ? undefined : findMain(entry, key, ref)
  const ofClass =
    key === 'class' && main !== undefined
      ? await asUserError(entry, folder ?? dirname(main), () => classFiles(main, folder, provided))
      : undefined
  if (folder !== undefined) {
    if (spec.build === undefined) for (const word of spec.command ?? []) refuseOutside(entry, word, folder)
    const all = await listFolder(entry, folder, bytes)
    const files = all.filter(({ path }) => spec.class === undefined || !provided.has(basename(path)))
    return { root: folder, bases, files, main, sources: sourcesOf(ofClass, folder) }
  }
  const found = new Map<string, SourceEntry>()
  const addFiles = async (paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      if (!found.has(path)) found.set(path, placeOf(entry, path))
      await pause()
    }
  }
  if (main !== undefined) {
    if (key === 'module') refuseImports(entry, main)
    await addFiles(ofClass ?? [main])
  }
  const folders: string[] = []
  const add = async (named: readonly Named[]): Promise<void> => {
    for (const { path, files } of named) {
      folders.push(dirname(path))
      if (files !== undefined) await addFiles(files)
      else for (const place of await listFolder(entry, path, bytes)) found.set(place.path, place)
    }
  }
  for (const command of spec.build ?? []) await add(named(entry, 'build', command))
  await add(named(entry, 'command', spec.command ?? []))
  if (spec.build === undefined) await add(javaClass(entry.base, spec.command ?? []))
  if (spec.build !== undefined && found.size > 0) {
    const given = [...found.keys()]
    // All an entry includes is its own: nothing beside what it names is looked into.
    const within = commonFolder([...folders, ...given.map((file) => dirname(file))])
    await addFiles(await asUserError(entry, within, () => includedFiles(given, within)))
  }
  const files = [...found.values()]
  // A build's relative words, also for what it makes, mean the same where the whole base is the root.
  const lieIn = [
    ...folders,
    ...files.map(({ path }) => dirname(path)),
    ...(spec.build === undefined && files.length > 0 ? [] : [base]),
  ]
  const root = commonFolder(lieIn)
  return { root, bases, files, main, sources: sourcesOf(ofClass, root) }
}

/** What is compiled of a class's files, below its source's root. */
const sourcesOf = (files: readonly string[] | undefined, root: string): string[] | undefined =>
  files?.filter(isSource).map((file) => relative(root, file))

function findFolder(entry: Entry, folder: string): string {
  const path = resolve(entry.base, folder)
  if (!isOwn(entry, path)) throw beyond(entry, 'folder', folder)
  const kind = kindOf(path)
  if (kind === 'folder') return path
  throw kind !== undefined
    ? entry.error('folder', `${quote(folder)} of ${quote(entry.spec.name)} is a file: folder = "…" names a folder`)
    : missing(entry, 'folder', folder, [entry.base])
}

/** Of the machine's programs a stranger's file names those in PATH: of others the sandbox shows more than the program. */
function refusePrograms(entry: Entry): void {
  if (!entry.own) return
  const { command = [], build = [] } = entry.spec
  const programsOf = (words: readonly string[]): readonly string[] => words.slice(0, words[0]?.endsWith('/env') ? 2 : 1)
  const refuse = (key: 'command' | 'build', word: string): void => {
    if (isAbsolute(word) && !isPublic(word) && !isOwn(entry, word)) throw beyond(entry, key, word)
  }
  for (const word of programsOf(command)) refuse('command', word)
  for (const each of build) for (const word of programsOf(each)) refuse('build', word)
}

function beyond(entry: Entry, key: keyof EntrantSpec, name: string): UserError {
  return entry.error(
    key,
    `${quote(name)} of ${quote(entry.spec.name)} lies outside the folder of this file: an entry names only what is its own`,
  )
}

/** What an entrant's relative paths are relative to, the likeliest first. */
const basesOf = ({ spec, base }: Entry): readonly string[] =>
  spec.folder === undefined ? [base] : [resolve(base, spec.folder), base]

function findMain(entry: Entry, key: 'module' | 'class', ref: string): string {
  const { folder } = entry.spec
  const meant = basesOf(entry).flatMap((base) => twins(resolve(base, ref), entry))
  if (!meant.some((path) => isOwn(entry, path))) throw beyond(entry, key, ref)
  const there = meant.filter((path) => kindOf(path) === 'file')
  const isWithin = (path: string): boolean => folder === undefined || isInside(resolve(entry.base, folder), path)
  const main = there.find((path) => isWithin(path) && isOwn(entry, path))
  if (main !== undefined) return main
  throw there.length > 0 ? outside(entry, key, ref) : missing(entry, key, ref)
}

function missing(entry: Entry, key: keyof EntrantSpec, name: string, bases = basesOf(entry)): UserError {
  const places = bases.map((base) => dirname(resolve(base, name)))
  const beside = places.flatMap((place) => (isOwn(entry, place) ? namesIn(place) : []))
  const guess = didYouMean(basename(name), beside)
  const there = [...new Set(places)].map(display).join(' or in ')
  return entry.error(
    key,
    `${quote(name)} of ${quote(entry.spec.name)} is not there${guess}: it was looked for in ${there}`,
  )
}

function outside(entry: Entry, key: keyof EntrantSpec, name: string): UserError {
  const { name: entrant, folder } = entry.spec
  return entry.error(
    key,
    `${quote(name)} of ${quote(entrant)} lies outside its folder ${quote(folder)}: move it there, or leave folder out`,
  )
}

/** Of an entrant with a folder all files that its command names lie there. */
function refuseOutside(entry: Entry, word: string, folder: string): void {
  if (!isFileName(word) || (isAbsolute(word) && (isSystem(word) || isInstalled(word)))) return
  const there = basesOf(entry)
    .map((base) => resolve(base, word))
    .filter((path) => kindOf(path) !== undefined)
  if (there.some((path) => isInside(folder, path))) return
  throw there.length > 0 ? outside(entry, 'command', word) : missing(entry, 'command', word)
}

/** A house bot's module is found as it was compiled, too. */
function twins(path: string, entry: Entry): string[] {
  return entry.house ? [path, path.replace(/\.ts$/, '.js')] : [path]
}

/** A file or folder that a command's word names, and the files meant. */
interface Named {
  readonly path: string
  /** Absent: it is a folder, and all in it is meant. */
  readonly files?: readonly string[]
}

function named(entry: Entry, key: 'command' | 'build', words: readonly string[]): Named[] {
  return words.flatMap((word, n) => {
    const first = n === 0
    if (first && (!word.includes('/') || (isAbsolute(word) && isInstalled(word)))) {
      const here = resolve(entry.base, word)
      return !word.includes('/') && isProgramFile(here) ? [{ path: here, files: [here] }] : []
    }
    for (const { paths } of readings(word)) {
      const own = paths.filter((path) => !(isAbsolute(path) && isSystem(path))).map((path) => resolve(entry.base, path))
      const there = own.length > 0 && own.every((path) => kindOf(path) !== undefined)
      if (there && !own.every((path) => isOwn(entry, path))) throw beyond(entry, key, word)
      if (there || own.length === 0) return own.flatMap((path) => contents(entry, key, word, path))
    }
    const meant =
      key === 'build'
        ? isSourceName(word) && words[n - 1] !== '-o'
        : entry.spec.build === undefined && (first || isFileName(word))
    if (meant) throw missing(entry, key, word)
    return []
  })
}

/** `java Name`, without class path, names Name.class and the classes within. */
function javaClass(base: string, [program = '', ...words]: readonly string[]): Named[] {
  const name = words.find((word) => !word.startsWith('-')) ?? ''
  const pathGiven = words.some((word) => /^(?:-cp|-classpath|--class-path|-jar|-m|--module)\b/.test(word))
  const path = resolve(base, `${name}.class`)
  if (!/^java(?:\.exe)?$/.test(basename(program)) || !/^\w+$/.test(name) || pathGiven || !isProgramFile(path)) return []
  const inner = namesIn(base).filter((file) => file.startsWith(`${name}$`) && file.endsWith('.class'))
  return [{ path, files: [path, ...inner.map((file) => join(base, file))] }]
}

function contents(entry: Entry, key: 'command' | 'build', word: string, path: string): Named[] {
  if (kindOf(path) !== 'folder') return [{ path, files: [path] }]
  const tooMuch = isInside(path, entry.base) || (entry.file !== undefined && isInside(path, entry.file))
  if (!tooMuch) return [{ path }]
  // Where something is built, '.' is the place of the build, not a source.
  if (entry.spec.build !== undefined) return []
  throw entry.error(
    key,
    entry.file === undefined
      ? `${quote(word)} is the whole folder that you are in: name its files, or describe it in a bot.toml with folder = "."`
      : `${quote(word)} of ${quote(entry.spec.name)} is a whole folder with the contest in it: give folder = "…" for its own`,
  )
}

/** Of a module this much is read for what it imports. */
const READ_BYTES = 256 * 1024

/** Reports early that a module needs its folder: what it imports would not be there. */
function refuseImports(entry: Entry, file: string): void {
  if (entry.house) return
  const imports = relativeImport(readPlain(file, READ_BYTES)?.toString('utf8') ?? '')
  if (imports === undefined) return
  throw entry.error(
    'module',
    `${quote(entry.spec.module)} imports ${quote(imports)}, which is no part of its source: ${
      entry.file === undefined ? 'describe both in a bot.toml with folder = "."' : 'give folder = "…" for both'
    }`,
  )
}

const isProgramFile = (path: string): boolean => kindOf(path) === 'file'

const isSourceName = (word: string): boolean =>
  /^[^\s-][^\s=]*\.(?:c|cc|cpp|cxx|java|rs|go|hs|ml|kt|cs|swift|zig|nim|pas|f90|d|scala)$/i.test(word)

/**
 * What the first import or export of a file beside a module names, such as './other.js'. Bounded, as a stranger wrote
 * the text.
 */
export const relativeImport = (text: string): string | undefined =>
  /^[ \t]*(?:import|export)\b(?!\s+type\b)[^'"`;]{0,1000}?['"](\.{1,2}\/[^'"\n]{1,400})['"]/m.exec(text)?.[1]
