import { mkdirSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { UserError } from '../core/index.js'
import { type OwnFolder, takeOwnFolder } from './taken-folder.js'
import { ours } from './sweep.js'

/**
 * Takes a place for what this process needs only while it runs, such as named pipes: in $XDG_RUNTIME_DIR, else in a folder of this
 * user's own in $TMPDIR, else in the user's cache. A folder that is another user's, or that others can write, is not used, and no
 * link to one is followed. Throws a UserError where there is none.
 */
export function takeRuntimeFolder(): OwnFolder {
  const tried: string[] = []
  for (const [parent, name] of parents()) {
    const shared = join(parent, name)
    try {
      if (!statSync(parent).isDirectory()) throw new Error('no folder')
      mkdirSync(shared, { recursive: false, mode: 0o700 })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no folder'
      if (code !== 'EEXIST') {
        tried.push(`${shared} (${code})`)
        continue
      }
    }
    try {
      if (!isPrivate(shared)) throw new Error("another user's")
      return takeOwnFolder(join(shared, 'run'))
    } catch (error) {
      const why = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : ''
      tried.push(`${shared} (${why})`)
    }
  }
  throw new UserError(
    `no folder that can be used for named pipes: tried ${tried.join(', ')}; set TMPDIR to a folder where you may write, with room on its disk`,
  )
}

/** Folders that are there, and what this user's own is called in each. */
function parents(): [parent: string, name: string][] {
  const runtime = process.env['XDG_RUNTIME_DIR'] ?? ''
  const cache = process.env['XDG_CACHE_HOME'] ?? ''
  const user = process.getuid?.() ?? 'user'
  return [
    ...(isAbsolute(runtime) && isPrivate(runtime) ? [[runtime, 'agon'] as [string, string]] : []),
    [tmpdir(), `agon-${user}`],
    [isAbsolute(cache) ? cache : join(homedir(), '.cache'), 'agon'],
  ]
}

/** Whether a folder is this user's, and no other user can write it. */
function isPrivate(folder: string): boolean {
  const stat = ours(folder)
  return stat !== undefined && stat.isDirectory() && (stat.mode & 0o022) === 0
}
