import { join, resolve, sep } from 'node:path'
import { namesIn, realPath, reservedFrom, statOf } from '../files/index.js'

/**
 * The files below `base` that a pattern with * and ** names, in the order of their paths. What is in an entry's folder is its author's: ** passes
 * through no link, as a few that lead up would have it look at the same folders without end.
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
