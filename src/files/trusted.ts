import { type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { isExecutable, isInside, realPath } from './look.js'
import { mappedUsers, textIn } from './proc.js'

/*
 * Which programs the host itself may start: those in PATH alone, in folders that no entrant could have written: absolute, neither in nor
 * above an entrant's source or the workspace (`distrust` names these), and, with all folders above them, the system's or agon's own user's.
 * What a link leads to must lie in such a folder too.
 */

const strangers = new Set<string>()

/** The host starts nothing in this folder from now on, nor in one that holds it. */
export function distrust(folder: string): void {
  for (const each of pathsOf(folder)) strangers.add(each)
  known.clear()
}

/** The same of a folder with files named singly; of the user's home only the folder itself. */
export function distrustAround(folder: string): void {
  const homes = pathsOf(homedir())
  for (const each of pathsOf(folder)) {
    if (homes.some((home) => isInside(each, home))) around.add(each)
    else strangers.add(each)
  }
  known.clear()
}

/** As it is named, and where its links lead. */
const pathsOf = (folder: string): readonly string[] => [folder, realPath(folder) ?? folder]

const around = new Set<string>()
const known = new Map<string, boolean>()

export function searchPath(): string[] {
  return (process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && isTrustedFolder(folder))
}

/** This program that the host may start, as an absolute path; undefined: none. */
export function trustedProgram(name: string): string | undefined {
  if (name === '' || name.includes('/')) return undefined
  return searchPath()
    .map((folder) => join(folder, name))
    .find((file) => isTrustedFile(file))
}

/** Whether the host may start this file: it and its link's end lie in trusted folders, and no other user can write it. */
export function isTrustedFile(file: string): boolean {
  if (!isAbsolute(file) || !isExecutable(file)) return false
  const path = realPath(file)
  if (path === undefined || !isTrustedFolder(dirname(file)) || !isTrustedFolder(dirname(path))) return false
  return isSafe(statSync(path), path)
}

function isTrustedFolder(folder: string): boolean {
  const remembered = known.get(folder)
  if (remembered !== undefined) return remembered
  const path = realPath(folder)
  const trusted = path !== undefined && [folder, path].every(isNoStrangers) && isKept(path)
  known.set(folder, trusted)
  return trusted
}

const isNoStrangers = (folder: string): boolean =>
  !around.has(folder) && [...strangers].every((each) => !isInside(each, folder) && !isInside(folder, each))

/** A folder that only the system and agon's user can write or replace. */
function isKept(folder: string): boolean {
  if (SYSTEM.some((each) => isInside(each, folder))) return (statSync(folder).mode & 0o002) === 0
  for (let each = folder, first = true; ; each = dirname(each), first = false) {
    const stat = statSync(each)
    // In a folder such as /tmp only its owner can replace an entry.
    const sticky = !first && (stat.mode & 0o1000) !== 0
    if (!sticky && !isSafe(stat, each)) return false
    if (each === dirname(each)) return true
  }
}

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix', '/snap']

/** Only the system or agon's user can write it. Trusted groups: those that root has chosen, and agon's own. */
function isSafe({ mode, uid, gid }: Stats, path: string): boolean {
  if ((mode & 0o002) !== 0) return false
  if (process.getuid === undefined || SYSTEM.some((each) => isInside(each, path))) return true
  if (uid !== 0 && uid !== process.getuid() && uid !== unmapped()) return false
  return (mode & 0o020) === 0 || uid === 0 || gid === process.getgid?.()
}

/** In a container the system's files may belong to a user without a number there. */
function unmapped(): number | undefined {
  const id = Number(textIn('/proc/sys/kernel/overflowuid'))
  const ranges = mappedUsers()
  const isMapped = ranges.length === 0 || ranges.some(({ first, size }) => id >= first && id < first + size)
  return isMapped ? undefined : id
}
