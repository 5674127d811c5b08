import { basename, dirname, join, relative, resolve } from 'node:path'
import {
  isInside,
  kindOf,
  namesIn,
  pause,
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

/** So much is read of a C or C++ file for its includes. */
const READ_BYTES = 4 * 1024 ** 2

/** Files of a class at most, with absent ones that its sources name. */
export const CLASS_FILES = 1000

/**
 * The files that these C or C++ files include by `#include "…"`, and so on, the given ones first. What lies outside
 * `folder` or is no regular file is left out: the compiler will not find it. Throws TreeFault where it is too much.
 */
export async function includedFiles(files: readonly string[], folder: string): Promise<string[]> {
  const why = `has sources that include more than ${TREE_BOUNDS.entries} files`
  const look = lookIn(folder, new Set(), TREE_BOUNDS.entries, new TreeFault('.', why, 'remove what is not needed'))
  const all = new Set(files)
  for (const file of all) await addPlain(look(file) ?? [], all, look)
  return [...all]
}

/**
 * A class entry's files: its header, what that includes, their sources, and its data: plain files of its name
 * (`Name.txt` beside `Name.hpp`). A header's sources have its name; the entry's own may also begin with its class's
 * name, unless they are another header's. All lie in `folder`, or else the header's. Names in `provided` come from
 * elsewhere (agon's class header) and are left out. Throws TreeFault for too many.
 */
export async function classFiles(
  header: string,
  folder: string | undefined,
  provided: ReadonlySet<string>,
): Promise<string[]> {
  const within = folder ?? dirname(header)
  const why = `is a class of more than ${CLASS_FILES} files`
  const tooMany = new TreeFault(relative(within, header), why, 'put several of them into one')
  const look = lookIn(within, provided, CLASS_FILES, tooMany)
  const all = new Set([header])
  const near = folder === undefined ? pathsIn(within) : await tree(folder)
  await addPlain(ownSources(header, near), all, look)
  for (const file of all) {
    // What a source includes may bring another header with its own sources.
    await addPlain(look(file) ?? [], all, look)
    if (HEADER.test(file)) await addPlain(sourcesOf(file), all, look)
  }
  await addPlain(dataOf(header), all, look)
  return [...all]
}

async function addPlain(files: readonly string[], all: Set<string>, look: Look): Promise<void> {
  for (const file of files) {
    if (look(file) !== undefined) all.add(file)
    await pause()
  }
}

/** Those of their header's name beside it. */
const sourcesOf = (header: string): string[] =>
  ['.cpp', '.cc', '.cxx'].map((ending) => withoutEnding(header) + ending).filter((file) => kindOf(file) !== undefined)

/** Sources that begin with the class's name and belong to no other header. */
function ownSources(header: string, near: readonly string[]): string[] {
  const headers = new Set(near.filter((file) => HEADER.test(file)).map(withoutEnding))
  return near.filter(
    (file) => SOURCE.test(file) && basename(file).startsWith(stem(header)) && !headers.has(withoutEnding(file)),
  )
}

/** What a class reads: files of its header's name beside it, but sources. */
function dataOf(header: string): string[] {
  const names = [...new Set([stem(header), className(header)])]
  return pathsIn(dirname(header)).filter(
    (file) => !C_FAMILY.test(file) && names.some((name) => basename(file).startsWith(`${name}.`)),
  )
}

/** The files that a file includes by `#include "…"`, there or not; undefined: no plain file of the folder. */
type Look = (file: string) => readonly string[] | undefined

/** Looks at a folder's files, wherever links lead, each once; throws `tooMany` where it would be more than `most`. */
function lookIn(folder: string, provided: ReadonlySet<string>, most: number, tooMany: TreeFault): Look {
  const root = resolveInside(folder, folder) ?? folder
  const isReserved = reservedFrom(folder)
  const known = new Map<string, readonly string[] | undefined>()
  const read: Look = (file) => {
    if (file.length > TREE_BOUNDS.path) return undefined
    const path = resolveInside(folder, file)
    if (path === undefined || !isInside(root, path) || isReserved(path)) return undefined
    const text = readPlain(path, C_FAMILY.test(file) ? READ_BYTES : 0)?.toString('latin1')
    if (text === undefined) return undefined
    const named = [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm)].map(([, name = '']) => name)
    const own = named.filter((name) => !provided.has(basename(name)))
    return [...new Set(own.map((name) => resolve(dirname(file), name)))]
  }
  return (file) => {
    if (!known.has(file)) {
      if (known.size >= most) throw tooMany
      known.set(file, read(file))
    }
    return known.get(file)
  }
}

export const isSource = (file: string): boolean => SOURCE.test(file)

/** An entry's class: named as its header if defined there, however it inherits; else the one direct heir. */
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

const pathsIn = (folder: string): string[] => namesIn(folder).map((name) => join(folder, name))

async function tree(folder: string): Promise<string[]> {
  const isReserved = reservedFrom(folder)
  const root = realPath(folder) ?? folder
  const without = (path: string): boolean => isReserved(join(root, path))
  const found: string[] = []
  for (const { kind, path } of walk(folder, { bytes: Infinity, leaveOut: LEFT_OUT, without, dangling: true })) {
    if (kind === 'file') found.push(join(folder, path))
    await pause()
  }
  return found.sort()
}

/** A C++ text without comments. An endless one reaches the text's end, so this is one pass. */
export const withoutComments = (text: string): string => text.replace(/\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g, '')
