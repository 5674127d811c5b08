import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  type Stats,
} from 'node:fs'
import { join } from 'node:path'
import { TREE_BOUNDS, TreeFault } from './bounds.js'
import { isForeign } from './look.js'

/*
 * Theory of operation.
 *
 * A stranger's tree is read from its root downwards, with each folder held open while its contents are looked at: a name is resolved below
 * an open folder and never along a path, so no link on the way can lead elsewhere. Node has no openat; on Linux `/proc/self/fd/N/name` does
 * the same. Elsewhere the path is used, with O_NOFOLLOW for its last part.
 */

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const HAS_PROC = existsSync('/proc/self/fd')

export class Folder {
  private constructor(
    private readonly path: string,
    private readonly fd: number,
  ) {}

  /** Throws the system's error where it is none, or a link. */
  static open(path: string): Folder {
    return new Folder(path, openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
  }

  /** A path to this name in the folder, or to this path of folders known to be no links. */
  at(name: string): string {
    return HAS_PROC ? `/proc/self/fd/${this.fd}/${name}` : join(this.path, name)
  }

  child(name: string): Folder {
    return new Folder(join(this.path, name), opened(name, this.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
  }

  /** What has this name; a link is itself. Undefined: nothing. */
  stat(name: string): Stats | undefined {
    return lstatSync(this.at(name), { throwIfNoEntry: false })
  }

  target(name: string): string {
    return readlinkSync(this.at(name))
  }

  /** Opens a plain file to read: not through a link, nor waiting for a pipe's other end. */
  open(name: string): { fd: number; stat: Stats } {
    const fd = opened(name, this.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const stat = fstatSync(fd)
    if (stat.isFile() && !isForeign(stat)) return { fd, stat }
    closeSync(fd)
    throw stat.isFile()
      ? new TreeFault(name, "is another user's file by a hard link", 'put a copy there')
      : new TreeFault(name, 'is not a regular file', 'name a regular file')
  }

  /** Its names, sorted. Throws TreeFault for more than `most`, and for one that is no text. */
  names(most: number = TREE_BOUNDS.entries): string[] {
    const dir = opendirSync(this.at('.'))
    const names: string[] = []
    try {
      for (let entry = dir.readSync(); entry !== null; entry = dir.readSync()) {
        if (entry.name.includes('\uFFFD'))
          throw new TreeFault(JSON.stringify(entry.name), 'has a name that is not UTF-8', 'give it another')
        if (names.push(entry.name) > most) throw tooMany('.')
      }
    } finally {
      dir.closeSync()
    }
    return names.sort()
  }

  close(): void {
    closeSync(this.fd)
  }
}

/** What may not be opened as expected is reported as the tree's fault. */
function opened(name: string, path: string, flags: number): number {
  try {
    return openSync(path, flags)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ELOOP' || code === 'ENOTDIR')
      throw new TreeFault(name, 'is a link', 'put what it leads to there instead')
    if (code === 'ENOENT') throw new TreeFault(name, 'is gone', 'start again')
    if (code === 'EACCES') throw new TreeFault(name, 'may not be read', 'let agon read it (chmod +r)')
    if (code === 'ENXIO') throw new TreeFault(name, 'is not a regular file', 'name a regular file')
    throw error
  }
}

/** Opens a plain file below a folder, by a path without links. Throws TreeFault for anything else. */
export function openBelow(root: string, path: string): { fd: number; stat: Stats } {
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  let folder = Folder.open(root)
  try {
    for (const part of parts) {
      const child = folder.child(part)
      folder.close()
      folder = child
    }
    return folder.open(name)
  } catch (error) {
    if (error instanceof TreeFault) throw new TreeFault(path, error.why, error.remedy)
    throw error
  } finally {
    folder.close()
  }
}

export const tooMany = (path: string): TreeFault =>
  new TreeFault(path, `has more than ${TREE_BOUNDS.entries} files and folders`, 'remove what it does not need')
