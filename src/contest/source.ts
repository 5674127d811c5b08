import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { didYouMean, type EntrantSpec, type UserError } from '../core/index.js'
import { classFiles, includedFiles } from './class-entry.js'
import type { Entry } from './entries.js'
import { quote } from './explain.js'
import { display } from './toml-file.js'
import { commonFolder, isInside, isInstalled, isSystem, readings } from './paths.js'

/** An entrant's source: its folder, or exactly the files that are named. */
export interface Source {
  /** All files lie in this folder; absolute. */
  readonly root: string
  /** What the entrant's relative paths are relative to, the likeliest first. */
  readonly bases: readonly string[]
  /** Absolute paths. */
  readonly files: readonly string[]
  /** Its module or header; absolute. */
  readonly main?: string
}

/** What is nobody's source, wherever it lies. */
const LEFT_OUT = new Set(['.git', '.hg', '.svn', '.agon', '__pycache__'])

/**
 * Finds the source of an entrant. `provided`: names of headers that come from a class wire's shim. Throws the entry's UserError
 * for what is not there, and for a folder that is too much to be meant.
 */
export function findSource(entry: Entry, provided: ReadonlySet<string>): Source {
  const { spec, base } = entry
  const folder = spec.folder === undefined ? undefined : findFolder(entry, spec.folder)
  const bases = folder === undefined ? [base] : [folder, base]
  const key = spec.module !== undefined ? 'module' : 'class'
  const ref = spec[key]
  const main = ref === undefined ? undefined : findMain(entry, key, ref, bases, folder)
  if (folder !== undefined) {
    if (spec.build === undefined) for (const word of spec.command ?? []) refuseOutside(entry, word, bases, folder)
    const files = walk(entry, folder).filter((file) => spec.class === undefined || !provided.has(basename(file)))
    return { root: folder, bases, files, ...(main !== undefined && { main }) }
  }
  const found = new Set<string>()
  if (main !== undefined) {
    if (key === 'module') refuseImports(entry, main)
    for (const file of key === 'module' ? [main] : classFiles(main, undefined, provided)) found.add(file)
  }
  /** What is named lies in these. */
  const folders: string[] = []
  const add = (named: readonly Named[]): void => {
    for (const { path, files } of named) {
      folders.push(dirname(path))
      for (const file of files) found.add(file)
    }
  }
  for (const command of spec.build ?? []) add(named(entry, 'build', command))
  add(named(entry, 'command', spec.command ?? []))
  if (spec.build === undefined) add(javaClass(entry.base, spec.command ?? []))
  const files = spec.build === undefined ? [...found] : includedFiles([...found])
  // A build's relative words, also those that name what it makes, mean the same where the whole base is the root.
  const lieIn = [
    ...folders,
    ...files.map((file) => dirname(file)),
    ...(spec.build === undefined && files.length > 0 ? [] : [base]),
  ]
  return { root: commonFolder(lieIn), bases, files, ...(main !== undefined && { main }) }
}

function findFolder(entry: Entry, folder: string): string {
  const path = resolve(entry.base, folder)
  if (existsSync(path) && statSync(path).isDirectory()) return path
  throw existsSync(path)
    ? entry.error('folder', `${quote(folder)} of ${quote(entry.spec.name)} is a file: folder = "…" names a folder`)
    : missing(entry, 'folder', folder, [entry.base])
}

function findMain(
  entry: Entry,
  key: 'module' | 'class',
  ref: string,
  bases: readonly string[],
  folder: string | undefined,
): string {
  const there = bases
    .flatMap((base) => twins(resolve(base, ref), entry))
    .filter((path) => existsSync(path) && statSync(path).isFile())
  const main = there.find((path) => folder === undefined || isInside(folder, path))
  if (main !== undefined) return main
  throw there.length > 0 ? outside(entry, key, ref) : missing(entry, key, ref, bases)
}

function missing(entry: Entry, key: keyof EntrantSpec, name: string, bases: readonly string[]): UserError {
  const places = bases.map((base) => dirname(resolve(base, name)))
  const beside = places.flatMap((place) => (existsSync(place) ? readdirSync(place) : []))
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

/** Of an entrant with a folder every file that its command names lies in there. */
function refuseOutside(entry: Entry, word: string, bases: readonly string[], folder: string): void {
  if (!isFileName(word) || (isAbsolute(word) && (isSystem(word) || isInstalled(word)))) return
  const there = bases.map((base) => resolve(base, word)).filter((path) => existsSync(path))
  if (there.some((path) => isInside(folder, path))) return
  throw there.length > 0 ? outside(entry, 'command', word) : missing(entry, 'command', word, bases)
}

/** A house bot's module is found as it was compiled, too. */
function twins(path: string, entry: Entry): string[] {
  return entry.house ? [path, path.replace(/\.ts$/, '.js')] : [path]
}

/** A file or folder that a word of a command names, and the files that are meant by it. */
interface Named {
  readonly path: string
  readonly files: readonly string[]
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
      if (own.every((path) => existsSync(path))) return own.flatMap((path) => contents(entry, key, word, path))
    }
    const meant =
      key === 'build'
        ? isSourceName(word) && words[n - 1] !== '-o'
        : entry.spec.build === undefined && (first || isFileName(word))
    if (meant) throw missing(entry, key, word, [entry.base])
    return []
  })
}

/** `java Name`, without a class path, names Name.class and the classes within it. */
function javaClass(base: string, [program = '', ...words]: readonly string[]): Named[] {
  const name = words.find((word) => !word.startsWith('-')) ?? ''
  const pathGiven = words.some((word) => /^(?:-cp|-classpath|--class-path|-jar|-m|--module)\b/.test(word))
  const path = resolve(base, `${name}.class`)
  if (!/^java(?:\.exe)?$/.test(basename(program)) || !/^\w+$/.test(name) || pathGiven || !isProgramFile(path)) return []
  const inner = readdirSync(base).filter((file) => file.startsWith(`${name}$`) && file.endsWith('.class'))
  return [{ path, files: [path, ...inner.map((file) => join(base, file))] }]
}

function contents(entry: Entry, key: 'command' | 'build', word: string, path: string): Named[] {
  if (!statSync(path).isDirectory()) return [{ path, files: [path] }]
  const tooMuch = isInside(path, entry.base) || (entry.file !== undefined && isInside(path, entry.file))
  if (!tooMuch) return [{ path, files: walk(entry, path) }]
  // Where something is built, '.' is the place that it is built in, not a source.
  if (entry.spec.build !== undefined) return []
  throw entry.error(
    key,
    `${quote(word)} of ${quote(entry.spec.name)} is a whole folder with the contest in it: say folder = "…" for its own`,
  )
}

/** All files below a folder, links followed. */
function walk(entry: Entry, folder: string, above: readonly string[] = []): string[] {
  const real = realpathSync(folder)
  if (above.includes(real)) return []
  return readdirSync(folder)
    .filter((name) => !LEFT_OUT.has(name))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat === undefined) throw entry.error('folder', `${path} is a link to nothing: remove it`)
      if (stat.isDirectory()) return walk(entry, path, [...above, real])
      return stat.isFile() ? [path] : []
    })
}

/** Says early that a module needs its folder: what it imports would not be there. */
function refuseImports(entry: Entry, file: string): void {
  if (entry.house) return
  const imports = /^[ \t]*(?:import|export)\b(?!\s+type\b)[^'"`;]*?['"](\.{1,2}\/[^'"]+)['"]/m.exec(
    readFileSync(file, 'utf8'),
  )
  if (imports === null) return
  throw entry.error(
    'module',
    `${quote(entry.spec.module)} imports ${quote(imports[1])}, which is no part of its source: say folder = "…" for both`,
  )
}

const isProgramFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

/** A word that can only be meant as a file. */
const isFileName = (word: string): boolean =>
  !/[\s;&|<>(){}$*'"=]/.test(word) &&
  !word.startsWith('-') &&
  (/^\.{0,2}\//.test(word) || /\.(?:py|pl|rb|sh|js|mjs|cjs|ts|jar|lua|php|awk|tcl|jl|hs|scm|lisp|r|exe)$/i.test(word))
const isSourceName = (word: string): boolean =>
  /^[^\s-][^\s=]*\.(?:c|cc|cpp|cxx|java|rs|go|hs|ml|kt|cs|swift|zig|nim|pas|f90|d|scala)$/i.test(word)
