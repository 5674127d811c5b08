import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

const SOURCE = /\.(?:cpp|cc|cxx)$/
const HEADER = /\.(?:hpp|hh|hxx|h)$/
const C_FAMILY = /\.(?:c|cpp|cc|cxx|h|hpp|hh|hxx)$/

/**
 * The files that these C or C++ files include by `#include "…"`, and what those include, with the given ones first. Names that
 * `provided` holds come from elsewhere (the class header that agon ships) and are left out.
 */
export function includedFiles(files: readonly string[], provided: ReadonlySet<string> = new Set()): string[] {
  const all = new Set<string>()
  const visit = (file: string): void => {
    if (all.has(file)) return
    all.add(file)
    if (!C_FAMILY.test(file)) return
    for (const [, name = ''] of readFileSync(file, 'latin1').matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm)) {
      const included = resolve(dirname(file), name)
      if (!provided.has(basename(name)) && existsSync(included)) visit(included)
    }
  }
  for (const file of files) visit(file)
  return [...all]
}

/**
 * A class entry's files: its header, what that includes, and the sources that belong to them. A header's sources are called as
 * it is; the entry's own may also begin with its class's name, unless they belong to another header.
 */
export function classFiles(header: string, folder: string | undefined, provided: ReadonlySet<string>): string[] {
  const name = stem(header)
  const near = folder === undefined ? siblings(dirname(header)) : tree(folder)
  const ownerOf = (source: string): string | undefined =>
    near.find((file) => HEADER.test(file) && stem(file) === stem(source) && dirname(file) === dirname(source))
  const own = near.filter((file) => SOURCE.test(file) && basename(file).startsWith(name))
  let files = includedFiles([header], provided)
  // What a source includes may bring in another header with sources of its own.
  for (;;) {
    const sources = files
      .filter((file) => HEADER.test(file))
      .flatMap((file) => siblings(dirname(file)).filter((each) => SOURCE.test(each) && stem(each) === stem(file)))
    const orphans = own.filter((source) => {
      const owner = ownerOf(source)
      return owner === undefined || files.includes(owner)
    })
    const more = includedFiles([...files, ...sources, ...orphans], provided)
    if (more.length === files.length) return more
    files = more
  }
}

export const isSource = (file: string): boolean => SOURCE.test(file)

/**
 * The class of an entry: called as its header where that defines it, by whatever way it inherits the game's; else the one
 * class that inherits it directly.
 */
export function className(header: string): string {
  const text = readFileSync(header, 'latin1').replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, '')
  const classes = [
    ...text.matchAll(/\b(?:class|struct)\s+(\w+)\s*(?:final\s*)?:\s*(?:public\s+)?(?:::)?Player\b/g),
  ].map(([, name = '']) => name)
  const own = stem(header)
  if (new RegExp(`\\b(?:class|struct)\\s+${own.replace(/\W/g, '\\$&')}\\s*(?:final\\s*)?:`).test(text)) return own
  const [only] = classes
  return only !== undefined && classes.length === 1 ? only : own
}

export const stem = (file: string): string => basename(file).replace(/\.[^.]*$/, '')

function siblings(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, entry.name))
    .sort()
}

function tree(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
