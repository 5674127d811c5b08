import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/**
 * The first `most` bytes of a plain file, read without following a link at its place and without waiting for a pipe's other
 * end. Undefined: it is not a regular file, is another user's by a hard link, or may not be read.
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

/** What a hard link shows is its reader's own right: another's file is not shown because a stranger could give it a name. */
export function isForeign({ nlink, uid }: { readonly nlink: number; readonly uid: number }): boolean {
  return nlink > 1 && process.getuid !== undefined && uid !== process.getuid()
}
