import { lstatSync, renameSync, type Stats, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, namesIn } from './look.js'
import { NAME, isRunning } from './owner.js'
import { removeTree } from './remove.js'

/** A name that begins with its owner's. */
const OWNED = new RegExp(`^(${NAME})-\\d+$`)
const ASIDE = 'gone-'

/** Who left an entry of that name in a folder of places; undefined: it is none. */
const ownerOf = (name: string): string | undefined => OWNED.exec(name)?.[1]

/**
 * Removes from a folder what processes that have ended left there: entries of this user, no links, out of whose names `owner` reads
 * such a process. Folders are put aside at once and removed without waiting for it.
 */
export function sweep(shared: string, owner: (name: string) => string | undefined = ownerOf): void {
  // A link there may be a stranger's: what it leads to is not agon's.
  if (ours(shared) === undefined) return
  for (const name of namesIn(shared)) {
    const wasAside = name.startsWith(ASIDE)
    const holder = owner(wasAside ? name.slice(ASIDE.length) : name)
    const stat = holder === undefined ? undefined : ours(join(shared, name))
    if (holder === undefined || stat === undefined || (!wasAside && isRunning(holder, stat.mtimeMs))) continue
    if (stat.isDirectory()) removeAside(shared, wasAside ? name : aside(shared, name))
    else attempt(() => unlinkSync(join(shared, name)))
  }
}

/** Gives a folder a name that agon never takes for a place; undefined: another agon was first. */
function aside(shared: string, name: string): string | undefined {
  return attempt(() => {
    renameSync(join(shared, name), join(shared, `${ASIDE}${name}`))
    return `${ASIDE}${name}`
  })
}

function removeAside(shared: string, name: string | undefined): void {
  // What does not go now is left to the next agon.
  if (name !== undefined) void removeTree(join(shared, name)).catch(() => undefined)
}

/** What lies there, where it is this user's own and no link. */
function ours(path: string): Stats | undefined {
  const stat = attempt(() => lstatSync(path))
  return stat === undefined || stat.isSymbolicLink() || stat.uid !== (process.getuid?.() ?? stat.uid) ? undefined : stat
}
