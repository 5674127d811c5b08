import { lstatSync, mkdirSync, utimesSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { UserError, messageOf } from '../core/index.js'
import { attempt } from './look.js'
import { SIGN_MS, thisProcess } from './owner.js'
import { removeTreeSync } from './remove.js'
import { sweep } from './sweep.js'
import { isOwn, userCaches } from './user-cache.js'

/** Makes a folder of agon's own, only this user's to read, if absent. Throws UserError as `refuseLink`. */
export function makeOwnFolder(path: string): void {
  if (!refuseLink(path)) mkdirSync(path, { recursive: true, mode: 0o700 })
}

/**
 * Throws UserError for a link or file in place of a folder of agon's own: in a stranger's workspace a link would have
 * agon write, and remove, elsewhere. Returns whether the folder is there.
 */
export function refuseLink(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined || stat.isDirectory()) return stat !== undefined
  const what = stat.isSymbolicLink() ? 'a link' : 'no folder'
  throw new UserError(`${path} is ${what}, and agon keeps files of its own in a folder of that name: remove it`)
}

/** A folder of this process alone, beside others'. */
export interface OwnFolder {
  readonly folder: string
  /** Removes it. It goes with this process at the latest. */
  readonly release: () => void
}

/** Released where this process ends first. One listener for all: Node takes many for a leak. */
const places = new Set<() => void>()
process.on('exit', () => {
  for (const release of places) release()
})

// Threads of a process count apart from each other.
let taken = threadId * 1e6

/**
 * Makes a folder of its own below a shared one, and removes what ended processes left. Throws the system's errors, and
 * UserError where the shared one is a link.
 */
export function takeOwnFolder(shared: string): OwnFolder {
  makeOwnFolder(shared)
  sweep(shared)
  const folder = join(shared, `${thisProcess()}-${taken++}`)
  mkdirSync(folder)
  // Processes that cannot see this one (in another container) see that it lives while the folder is there.
  const signs = setInterval(() => attempt(() => utimesSync(folder, new Date(), new Date())), SIGN_MS).unref()
  const release = (): void => {
    clearInterval(signs)
    places.delete(release)
    // What does not go is left to the next agon.
    attempt(() => removeTreeSync(folder))
  }
  places.add(release)
  return { folder, release }
}

/**
 * A place for what this process needs only while it runs, such as named pipes: in $XDG_RUNTIME_DIR, else in this user's
 * folder in $TMPDIR, else in the user's cache. A folder that others own or can write, or a link to one, is not used.
 * Throws UserError where there is none.
 */
export function takeRuntimeFolder(): OwnFolder {
  const tried: string[] = []
  for (const shared of runtimeFolders()) {
    try {
      if (!isOwn(shared, 'folder')) mkdirSync(shared, { mode: 0o700 })
      return takeOwnFolder(join(shared, 'run'))
    } catch (error) {
      const why = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error)
      tried.push(`${shared} (${why === 'EEXIST' ? "another user's" : why})`)
    }
  }
  throw new UserError(
    `no folder that can be used for named pipes: tried ${tried.join(', ')}; set TMPDIR to a folder where you may write, with room on its disk`,
  )
}

function runtimeFolders(): string[] {
  const runtime = process.env['XDG_RUNTIME_DIR'] ?? ''
  const own = isAbsolute(runtime) && isOwn(runtime, 'folder') ? [join(runtime, 'agon')] : []
  return [...own, ...userCaches().reverse()]
}
