import { basename, dirname, join, relative, resolve } from 'node:path'
import {
  isInside,
  namesIn,
  paced,
  readPlain,
  realPath,
  reservedFrom,
  resolveInside,
  TREE_BOUNDS,
  TreeFault,
  walk,
} from '../files/index.js'
import { LEFT_OUT } from './source-files.js'

const SOURCE = /\.(?:cpp|cc|cxx)$/
const HEADER = /\.(?:hpp|hh|hxx|h)$/
const C_FAMILY = /\.(?:c|cpp|cc|cxx|h|hpp|hh|hxx)$/

/** Of a C or C++ file this much is read for what it includes. */
const READ_BYTES = 4 * 1024 ** 2

/** Files of a class at most, with those that its sources name and that are not there. */
export const CLASS_FILES = 1000

/**
 * The files that these C or C++ files include by `#include "…"`, and what those include, with the given ones first. Whatever lies
 * outside `folder` or is not a regular file is left out: the compiler will not find it. Throws a TreeFault where it is too much.
 */
export function includedFiles(files: readonly string[], folder: string): Promise<string[]> {
  const why = `has sources that include more than ${TREE_BOUNDS.entries} files`
  const tooMany = new TreeFault('.', why, 'remove what is not needed')
  const look = new Look(folder, new Set(), TREE_BOUNDS.entries, tooMany)
  const all = new Set(files)
  return paced(
    (function* () {
      for (const file of all) yield* addIncludes(look, file, all)
      return [...all]
    })(),
  )
}

/**
 * A class entry's files: its header, what that includes, the sources that belong to them, and its data: plain files that are
 * called as it is (`Name.txt` beside `Name.hpp`). A header's sources are called as it is; the entry's own may also begin with its
 * class's name, unless they belong to another header. All lie in the class's folder: `folder`, or else the header's. Names that
 * `provided` holds come from elsewhere (the class header that agon ships) and are left out. Throws a TreeFault for too many.
 */
export const classFiles = (
  header: string,
  folder: string | undefined,
  provided: ReadonlySet<string>,
): Promise<string[]> => paced(classLook(header, folder, provided))

/** The same step by step. However the files include each other, each is looked at once. */
export function* classLook(
  header: string,
  folder: string | undefined,
  provided: ReadonlySet<string>,
): Generator<void, string[]> {
  const within = folder ?? dirname(header)
  const why = `is a class of more than ${CLASS_FILES} files`
  const tooMany = new TreeFault(relative(within, header), why, 'put several of them into one')
  const look = new Look(within, provided, CLASS_FILES, tooMany)
  const all = new Set([header])
  const near = folder === undefined ? pathsIn(within) : yield* tree(folder)
  for (const source of ownSources(header, near)) {
    if (look.isPlain(source)) all.add(source)
    yield
  }
  const sources = new Map<string, ReadonlyMap<string, readonly string[]>>()
  for (const file of all) {
    // What a source includes may bring in another header with sources of its own.
    yield* addIncludes(look, file, all)
    if (!HEADER.test(file)) continue
    const beside = dirname(file)
    const here = sources.get(beside) ?? byStem(pathsIn(beside).filter((each) => SOURCE.test(each)))
    sources.set(beside, here)
    for (const source of here.get(stem(file)) ?? []) {
      if (look.isPlain(source)) all.add(source)
      yield
    }
  }
  for (const data of dataOf(header)) {
    if (look.isPlain(data)) all.add(data)
    yield
  }
  return [...all]
}

function* addIncludes(look: Look, file: string, all: Set<string>): Generator<void, void> {
  for (const included of look.includesOf(file)) {
    if (look.isPlain(included)) all.add(included)
    yield
  }
  yield
}

/** Sources that begin with the class's name and belong to no header but its own. */
function ownSources(header: string, near: readonly string[]): string[] {
  const headers = new Set(near.filter((file) => HEADER.test(file)).map(withoutEnding))
  return near.filter(
    (file) => SOURCE.test(file) && basename(file).startsWith(stem(header)) && !headers.has(withoutEnding(file)),
  )
}

/** What a class reads: files beside its header that are called as it is, but for sources. */
function dataOf(header: string): string[] {
  const names = [...new Set([stem(header), className(header)])]
  return pathsIn(dirname(header)).filter(
    (file) => !C_FAMILY.test(file) && names.some((name) => basename(file).startsWith(`${name}.`)),
  )
}

/** Looks at the files of a folder, wherever links lead, at each once. */
class Look {
  /** What a plain file includes; undefined: it is none, or lies elsewhere. */
  private readonly known = new Map<string, readonly string[] | undefined>()
  private readonly root: string
  private readonly isReserved: (path: string) => boolean

  constructor(
    private readonly folder: string,
    private readonly provided: ReadonlySet<string>,
    private readonly most: number,
    /** Thrown where more than that would be looked at. */
    private readonly tooMany: TreeFault,
  ) {
    this.root = resolveInside(folder, folder) ?? folder
    this.isReserved = reservedFrom(folder)
  }

  isPlain(file: string): boolean {
    return this.at(file) !== undefined
  }

  /** The files that it names by `#include "…"`, there or not. */
  includesOf(file: string): readonly string[] {
    return this.at(file) ?? []
  }

  private at(file: string): readonly string[] | undefined {
    if (this.known.has(file)) return this.known.get(file)
    if (this.known.size >= this.most) throw this.tooMany
    const includes = this.read(file)
    this.known.set(file, includes)
    return includes
  }

  private read(file: string): readonly string[] | undefined {
    if (file.length > TREE_BOUNDS.path) return undefined
    const path = resolveInside(this.folder, file)
    if (path === undefined || !isInside(this.root, path) || this.isReserved(path)) return undefined
    const text = readPlain(path, C_FAMILY.test(file) ? READ_BYTES : 0)?.toString('latin1')
    if (text === undefined) return undefined
    const included = new Set<string>()
    for (const [, name = ''] of text.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm))
      if (!this.provided.has(basename(name))) included.add(resolve(dirname(file), name))
    return [...included]
  }
}

export const isSource = (file: string): boolean => SOURCE.test(file)

/**
 * The class of an entry: called as its header where that defines it, by whatever way it inherits the game's; else the one
 * class that inherits it directly.
 */
export function className(header: string): string {
  const text = withoutComments(readPlain(header, READ_BYTES)?.toString('latin1') ?? '')
  const classes = [
    ...text.matchAll(/\b(?:class|struct)\s+(\w+)\s*(?:final\s*)?:\s*(?:public\s+)?(?:::)?Player\b/g),
  ].map(([, name = '']) => name)
  const own = stem(header)
  if (new RegExp(`\\b(?:class|struct)\\s+${own.replace(/\W/g, '\\$&')}\\s*(?:final\\s*)?:`).test(text)) return own
  const [only] = classes
  return only !== undefined && classes.length === 1 ? only : own
}

export const stem = (file: string): string => withoutEnding(basename(file))

const withoutEnding = (file: string): string => file.replace(/\.[^./]*$/, '')

function byStem(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>()
  for (const file of paths) {
    const same = all.get(stem(file))
    if (same === undefined) all.set(stem(file), [file])
    else same.push(file)
  }
  return all
}

const pathsIn = (folder: string): string[] => namesIn(folder).map((name) => join(folder, name))

function* tree(folder: string): Generator<void, string[]> {
  const isReserved = reservedFrom(folder)
  const root = realPath(folder) ?? folder
  const without = (path: string): boolean => isReserved(join(root, path))
  const found: string[] = []
  for (const { kind, path } of walk(folder, {
    bytes: Number.POSITIVE_INFINITY,
    leaveOut: LEFT_OUT,
    without,
    dangling: true,
  })) {
    if (kind === 'file') found.push(join(folder, path))
    yield
  }
  return found.sort()
}

/**
 * A C++ text without its comments; one that never ends is none. It goes forward only: a regular expression that is tried anew from each "/*" to the
 * end of the file takes the square of its length.
 */
export function withoutComments(text: string): string {
  const kept: string[] = []
  let from = 0
  /** No comment of several lines ends behind here. */
  let endless = false
  const opening = /\/[/*]/g
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const { index: at } = found
    const line = found[0] === '//'
    const end = line ? text.indexOf('\n', at) : endless ? -1 : text.indexOf('*/', at + 2)
    if (end < 0 && !line) {
      endless = true
      // Its second half may open a comment of one line.
      opening.lastIndex = at + 1
      continue
    }
    kept.push(text.slice(from, at))
    from = line ? (end < 0 ? text.length : end) : end + 2
    opening.lastIndex = from
  }
  return kept.join('') + text.slice(from)
}
