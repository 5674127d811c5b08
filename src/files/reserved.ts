import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { isInside, realPath } from './look.js'

/*
 * What is agon's own or the host's is never part of a source: a workspace and results of runs, which would be copied into themselves, and
 * the contest file, which may hold the seed.
 */

/** Paths with the names agon writes there; none: all is reserved. */
const reserved = new Map<string, readonly string[]>()

/** Nothing there is an entrant's source from now on; if entries lie in it, only what begins with these `names`. */
export function reserve(path: string, names: readonly string[] = []): void {
  reserved.set(settled(resolve(path)), names)
}

/** What is reserved for an entry written in the folder `base`: asked with paths whose folders are no links. */
export function reservedFrom(base: string): (path: string) => boolean {
  const home = settled(base)
  return (path) => {
    for (let each = path; ; each = dirname(each)) {
      const names = reserved.get(each)
      if (names !== undefined && (!isInside(each, home) || isNamed(relative(each, path), names))) return true
      if (each === dirname(each)) return false
    }
  }
}

const isNamed = (below: string, names: readonly string[]): boolean => {
  const [first = ''] = below.split(sep)
  return names.some((name) => first.startsWith(name))
}

/** The path without links, as far as it is there. */
function settled(path: string): string {
  if (existsSync(path)) return realPath(path) ?? path
  return path === dirname(path) ? path : join(settled(dirname(path)), basename(path))
}
