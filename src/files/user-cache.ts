import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { attempt, readPlain } from './look.js'

/** Folders for what this user's agons make once and share, best first; this user's alone, as run. */
export function userCaches(): string[] {
  const named = process.env['XDG_CACHE_HOME'] ?? ''
  // By its specification, one that is not absolute is none.
  const home = isAbsolute(named) ? named : join(homeFolder(), '.cache')
  return [...(isAbsolute(home) ? [join(home, 'agon')] : []), join(tmpdir(), `agon-${process.getuid?.() ?? 'user'}`)]
}

/** A user may have no account (a container's), and its environment no home: then there is none. */
export const homeFolder = (): string => attempt(() => userInfo().homedir) ?? attempt(homedir) ?? ''

/** Makes such a folder. False: it cannot be made, or is another's. */
export function openCache(folder: string): boolean {
  attempt(() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
  // A link that another user has put there leads where that user likes.
  return isOwn(folder, 'folder')
}

/**
 * Whether a file or folder is this user's and no other can have written it, as what is in a cache is run, or believed. A link is
 * neither. Also false where there is nothing.
 */
export function isOwn(path: string, kind: 'file' | 'folder'): boolean {
  const stat = attempt(() => lstatSync(path))
  if (stat === undefined) return false
  const fits = kind === 'file' ? stat.isFile() && stat.nlink === 1 : stat.isDirectory()
  return fits && stat.uid === (process.getuid?.() ?? stat.uid) && (stat.mode & 0o022) === 0
}

const SECRET = 'secret'
const SECRET_BYTES = 32
const secrets = new Map<string, Buffer>()

/**
 * 32 random bytes that only this user can read, the same for all of this user's agons; made if absent. What carries their mark was made by
 * such an agon. Where no such folder can be written they are this process's own.
 */
export function userSecret(): Buffer {
  const folders = userCaches()
  const known = secrets.get(folders.join())
  if (known !== undefined) return known
  const own = randomBytes(SECRET_BYTES)
  let found: Buffer | undefined
  for (const folder of folders) found ??= openCache(folder) ? secretIn(folder, own) : undefined
  secrets.set(folders.join(), found ?? own)
  return found ?? own
}

/** Reads a folder's secret, first put there as `own` if absent. Undefined: it cannot be kept there. */
function secretIn(folder: string, own: Buffer): Buffer | undefined {
  const file = join(folder, SECRET)
  const read = (): Buffer | undefined => {
    const bytes = isOwn(file, 'file') ? readPlain(file, SECRET_BYTES) : undefined
    return bytes?.length === SECRET_BYTES ? bytes : undefined
  }
  const there = read()
  if (there !== undefined) return there
  try {
    const aside = `${file}.${own.toString('hex', 0, 8)}`
    writeFileSync(aside, own, { flag: 'wx', mode: 0o600 })
    renameSync(aside, file)
  } catch {
    return undefined
  }
  return read()
}
