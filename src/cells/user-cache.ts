import { mkdirSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Folders for what this user's agons make once and share, the best first. They are this user's alone, since what lies there is run. */
export function userCaches(): string[] {
  const { uid, homedir } = userInfo()
  const named = process.env['XDG_CACHE_HOME'] ?? ''
  // By its specification, one that is not absolute is none.
  const home = isAbsolute(named) ? named : join(homedir, '.cache')
  return [join(home, 'agon'), join(tmpdir(), `agon-${uid}`)]
}

/** Makes such a folder. False: it cannot be made, or is another's. */
export function openCache(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = statSync(folder)
    return uid === userInfo().uid && (mode & 0o022) === 0
  } catch {
    return false
  }
}
