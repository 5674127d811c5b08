import { lstatSync, renameSync, type Stats, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, namesIn } from './look.js'
import { NAME, isRunning } from './owner.js'
import { removeTree } from './remove.js'

/** A name that begins with its owner's. */
const OWNED = new RegExp(`^(${NAME})-\\d+$`)
/** Agon takes no folder of such a name for a place. */
const ASIDE = 'gone-'

/** Who left an entry of that name in a folder of places; undefined: it is none. */
const ownerOf = (name: string): string | undefined => OWNED.exec(name)?.[1]

/**
 * Removes from a folder what ended processes left there: this user's entries, no links, out of whose names `owner` reads such a process.
 * Folders are put aside at once and removed without waiting.
 */
export function sweep(shared: string, owner: (name: string) => string | undefined = ownerOf): void {
  // A link there may be a stranger's, its target not agon's.
  if (ours(shared) === undefined) return
  for (const name of namesIn(shared)) {
    const wasAside = name.startsWith(ASIDE)
    const holder = owner(wasAside ? name.slice(ASIDE.length) : name)
    const stat = holder === undefined ? undefined : ours(join(shared, name))
    if (holder === undefined || stat === undefined || (!wasAside && isRunning(holder, stat.mtimeMs))) continue
    const place = join(shared, name)
    const aside = wasAside ? place : join(shared, `${ASIDE}${name}`)
    attempt(() => {
      if (!stat.isDirectory()) return unlinkSync(place)
      // Where that fails another agon was first.
      if (!wasAside) renameSync(place, aside)
      // What does not go now is left to the next agon.
      removeTree(aside).catch(() => undefined)
    })
  }
}

/** What lies there, if this user's own and no link. */
function ours(path: string): Stats | undefined {
  const stat = attempt(() => lstatSync(path))
  return stat === undefined || stat.isSymbolicLink() || stat.uid !== (process.getuid?.() ?? stat.uid) ? undefined : stat
}
