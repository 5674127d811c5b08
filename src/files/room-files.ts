import { closeSync, constants, lstatSync, mkdirSync, openSync, type Stats, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { TREE_BOUNDS } from './bounds.js'
import { Folder } from './folder.js'
import { attempt, isInside } from './look.js'
import { removeTreeSync } from './remove.js'

/*
 * Files in a folder that a bot writes while it runs outside a sandbox: whatever it makes there (links, pipes, unreadable files), nothing
 * here throws for it, follows it elsewhere or waits for it.
 */

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_TRUNC, O_WRONLY } = constants

/** What lies there, if anything; a link is itself. */
export const statOf = (path: string): Stats | undefined => attempt(() => lstatSync(path, { throwIfNoEntry: false }))

/** Makes a folder of agon's own, and those above it. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true })
}

/** All plain files below a folder, without links, devices, and what is unreadable or too deep. */
export function plainFiles(path: string): string[] {
  const files: string[] = []
  const look = (folder: Folder | undefined, at: string, depth: number): void => {
    // With too many names, or one not text, it has none.
    for (const name of (folder && attempt(() => folder.names())) ?? []) {
      const stat = attempt(() => folder?.stat(name))
      if (stat?.isFile()) files.push(join(at, name))
      if (stat?.isDirectory() && depth < TREE_BOUNDS.depth)
        look(
          attempt(() => folder?.child(name)),
          join(at, name),
          depth + 1,
        )
    }
    folder?.close()
  }
  look(
    attempt(() => Folder.open(path)),
    path,
    1,
  )
  return files
}

/** Writes a file below a bot's folder: whatever is in its way is removed, no link is followed, and none leads out. */
export function writePlain(folder: string, path: string, content: Buffer): void {
  const file = join(folder, path)
  if (file === folder || !isInside(folder, file)) return
  const parts = relative(folder, dirname(file)).split('/')
  for (let n = 0; n <= parts.length; n++) {
    const way = join(folder, ...parts.slice(0, n))
    if (statOf(way)?.isDirectory()) continue
    removeTreeSync(way)
    mkdirSync(way, { recursive: true })
  }
  const fd = openToWrite(file)
  try {
    writeFileSync(fd, content)
  } finally {
    closeSync(fd)
  }
}

/** A plain file that nothing else leads to stays the one that it is. */
function openToWrite(file: string): number {
  const there = statOf(file)
  if (there?.isFile() && there.nlink === 1) {
    const fd = attempt(() => openSync(file, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NONBLOCK))
    if (fd !== undefined) return fd
    // It may not be written: another takes its place.
  }
  removeTreeSync(file)
  return openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644)
}
