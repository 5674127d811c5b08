import { basename, dirname, join, resolve } from 'node:path'
import { isInside, namesIn, readPlain, realPath, reservedFrom, resolveInside, walk } from '../files/index.js'
import { LEFT_OUT } from './left-out.js'
import { withoutComments } from './source-text.js'

const SOURCE = /\.(?:cpp|cc|cxx)$/
const HEADER = /\.(?:hpp|hh|hxx|h)$/
const C_FAMILY = /\.(?:c|cpp|cc|cxx|h|hpp|hh|hxx)$/

/** Of a C or C++ file this much is read for what it includes. */
const READ_BYTES = 4 * 1024 ** 2

/**
 * The files that these C or C++ files include by `#include "…"`, and what those include, with the given ones first. Names that
 * `provided` holds come from elsewhere (the class header that agon ships) and are left out, and so is whatever lies outside
 * `folder` or is not a regular file: the compiler will not find it.
 */
export function includedFiles(
  files: readonly string[],
  folder: string,
  provided: ReadonlySet<string> = new Set(),
): string[] {
  const all = new Set<string>()
  const visit = (file: string): void => {
    if (all.has(file)) return
    const text = C_FAMILY.test(file) ? textOf(folder, file) : ''
    if (text === undefined) return
    all.add(file)
    for (const [, name = ''] of text.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm)) {
      const included = resolve(dirname(file), name)
      if (!provided.has(basename(name)) && isPlain(folder, included)) visit(included)
    }
  }
  for (const file of files) visit(file)
  return [...all]
}

/** The text of a file that lies in the folder, wherever links lead. */
function textOf(folder: string, file: string): string | undefined {
  const path = resolveInside(folder, file)
  return path === undefined || !isInside(resolveInside(folder, folder) ?? folder, path)
    ? undefined
    : readPlain(path, READ_BYTES)?.toString('latin1')
}

const isPlain = (folder: string, file: string): boolean => {
  const path = resolveInside(folder, file)
  return (
    path !== undefined &&
    isInside(resolveInside(folder, folder) ?? folder, path) &&
    !reservedFrom(folder)(path) &&
    readPlain(path, 0) !== undefined
  )
}

/**
 * A class entry's files: its header, what that includes, the sources that belong to them, and its data: plain files that are
 * called as it is (`Name.txt` beside `Name.hpp`). A header's sources are called as it is; the entry's own may also begin with its
 * class's name, unless they belong to another header. All lie in the class's folder: `folder`, or else the header's.
 */
export function classFiles(header: string, folder: string | undefined, provided: ReadonlySet<string>): string[] {
  const name = stem(header)
  const within = folder ?? dirname(header)
  const near = folder === undefined ? siblings(within, within) : tree(folder)
  const ownerOf = (source: string): string | undefined =>
    near.find((file) => HEADER.test(file) && stem(file) === stem(source) && dirname(file) === dirname(source))
  const own = near.filter((file) => SOURCE.test(file) && basename(file).startsWith(name))
  let files = includedFiles([header], within, provided)
  // What a source includes may bring in another header with sources of its own.
  for (;;) {
    const sources = files
      .filter((file) => HEADER.test(file))
      .flatMap((file) =>
        siblings(within, dirname(file)).filter((each) => SOURCE.test(each) && stem(each) === stem(file)),
      )
    const orphans = own.filter((source) => {
      const owner = ownerOf(source)
      return owner === undefined || files.includes(owner)
    })
    const more = includedFiles([...files, ...sources, ...orphans], within, provided)
    if (more.length === files.length) return [...more, ...dataOf(header, within)]
    files = more
  }
}

/** What a class reads: plain files beside its header that are called as it is, but for sources. */
function dataOf(header: string, within: string): string[] {
  const names = new Set([stem(header), className(header)])
  return siblings(within, dirname(header)).filter(
    (file) => !C_FAMILY.test(file) && [...names].some((name) => basename(file).startsWith(`${name}.`)),
  )
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

export const stem = (file: string): string => basename(file).replace(/\.[^.]*$/, '')

/** The plain files of a folder within the class's. */
function siblings(within: string, folder: string): string[] {
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((file) => isPlain(within, file))
}

/** The plain files below a folder. */
function tree(folder: string): string[] {
  const isReserved = reservedFrom(folder)
  const root = realPath(folder) ?? folder
  const without = (path: string): boolean => isReserved(join(root, path))
  return [...walk(folder, { bytes: Number.POSITIVE_INFINITY, leaveOut: LEFT_OUT, without, dangling: true })]
    .flatMap(({ kind, path }) => (kind === 'file' ? [join(folder, path)] : []))
    .sort()
}
