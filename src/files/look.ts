import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { normalize, sep } from 'node:path'

/* What the host itself names (a contest file, an argument, a folder in PATH) is looked at as its links lead. */

/** What a function gives; undefined: it throws. */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** What lies there. Undefined: nothing. */
export function kindOf(path: string): 'file' | 'folder' | 'other' | undefined {
  const stat = attempt(() => statSync(path))
  return stat && (stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other')
}

/** The names in a folder; none where it cannot be read. */
export const namesIn = (folder: string): string[] => attempt(() => readdirSync(folder).sort()) ?? []

export const isExecutable = (file: string): boolean =>
  kindOf(file) === 'file' && attempt(() => accessSync(file, constants.X_OK) ?? true) === true

/** The path without links; undefined: there is nothing. */
export const realPath = (path: string): string | undefined => attempt(() => realpathSync(path))

/** Whether a path is the folder or in it, by text. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** The same programs on every machine and in every sandbox; nothing private. */
const PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64']

/** A link's text if it leads to the system's programs, which each sandbox has; undefined: elsewhere. */
export function systemTarget(target: string): string | undefined {
  const path = normalize(target)
  return PROGRAMS.some((folder) => isInside(folder, path)) ? path : undefined
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/**
 * The first `most` bytes of a plain file, without following a link at its place or waiting for a pipe. Undefined: it is no regular file, is
 * another user's by a hard link, or may not be read.
 */
export function readPlain(path: string, most: number): Buffer | undefined {
  let fd: number | undefined
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const stat = fstatSync(fd)
    if (!stat.isFile() || isForeign(stat)) return undefined
    const buffer = Buffer.alloc(Math.min(most, stat.size))
    let length = 0
    while (length < buffer.length) {
      const read = readSync(fd, buffer, length, buffer.length - length, length)
      if (read === 0) break
      length += read
    }
    return buffer.subarray(0, length)
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** A hard link shows what its reader may read: another's file stays hidden though a stranger could name it. */
export function isForeign({ nlink, uid }: { readonly nlink: number; readonly uid: number }): boolean {
  return nlink > 1 && process.getuid !== undefined && uid !== process.getuid()
}
