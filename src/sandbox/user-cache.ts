import { lstatSync, mkdirSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Folders for what this user's agons make once and share, the best first. They are this user's alone, since what lies there is run. */
export function userCaches(): string[] {
  const named = process.env['XDG_CACHE_HOME'] ?? ''
  // By its specification, one that is not absolute is none.
  const home = isAbsolute(named) ? named : join(homeFolder(), '.cache')
  return [...(isAbsolute(home) ? [join(home, 'agon')] : []), join(tmpdir(), `agon-${process.getuid?.() ?? 'user'}`)]
}

/** A user may have no account (a container's), and its environment no home: then there is none. */
function homeFolder(): string {
  for (const home of [() => userInfo().homedir, homedir]) {
    try {
      return home()
    } catch {
      // The next one may know.
    }
  }
  return ''
}

/** Makes such a folder. False: it cannot be made, or is another's. */
export function openCache(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    return false
  }
  // A link that another user has put there leads where that user likes.
  return isOwn(folder, 'folder')
}

/**
 * Whether a file or folder is this user's and no other user can have written it: what is found in a cache is run, or believed,
 * only then. A link is neither. Also false where there is nothing.
 */
export function isOwn(path: string, kind: 'file' | 'folder'): boolean {
  try {
    const stat = lstatSync(path)
    const fits = kind === 'file' ? stat.isFile() && stat.nlink === 1 : stat.isDirectory()
    return fits && stat.uid === (process.getuid?.() ?? stat.uid) && (stat.mode & 0o022) === 0
  } catch {
    return false
  }
}
