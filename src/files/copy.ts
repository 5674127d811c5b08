import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createHash } from 'node:crypto'
import { TreeFault } from './bounds.js'
import { type Found, walk, type WalkOptions } from './walk.js'

/** Bytes read at a time, at most and at least. */
const MOST = 1024 ** 2
const LEAST = 1024

/** A file's contents in one buffer of `size` bytes at most: a far larger one keeps the garbage collector busy. */
function* chunksOf(fd: number, size: number): Generator<Buffer, void> {
  const buffer = Buffer.allocUnsafe(Math.min(MOST, Math.max(LEAST, size)))
  for (;;) {
    const length = readSync(fd, buffer, 0, buffer.length, null)
    if (length === 0) return
    yield buffer.subarray(0, length)
  }
}

/** SHA-256 of an open file of that many bytes, in steps. */
export function* hashOf(fd: number, size: number): Generator<undefined, string> {
  const hash = createHash('sha256')
  for (const chunk of chunksOf(fd, size)) {
    hash.update(chunk)
    yield
  }
  return hash.digest('hex')
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

/** A hash of a folder but for some names, by names and contents; links by where they lead. */
export function* hashTree(folder: string, leaveOut: ReadonlySet<string>): Generator<undefined, string> {
  const digests: [string, string][] = []
  for (const { kind, path, target = '', open } of walk(folder, { bytes: Infinity, leaveOut, dangling: true })) {
    if (kind === 'link') digests.push([path, target])
    if (kind !== 'file') continue
    const { fd, stat } = open()
    try {
      digests.push([path, yield* hashOf(fd, stat.size)])
    } finally {
      closeSync(fd)
    }
  }
  return sha256(JSON.stringify(digests.sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** Lets every user read what is staged, whatever its stager's umask, in steps. */
export function* openToRead(folder: string): Generator<undefined, void> {
  chmodSync(folder, 0o755)
  for (const { kind, path, stat } of walk(folder, { bytes: Infinity, dangling: true })) {
    yield
    if (kind === 'link') continue
    const mode = stat.mode | (kind === 'folder' || stat.mode & 0o100 ? 0o555 : 0o444)
    if (mode !== stat.mode) chmodSync(join(folder, path), mode & 0o777)
  }
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/** Copies a tree into agon's own folder in steps: plain files with modes, folders, inner links. Throws as `walk`. */
export function* copyTree(root: string, to: string, options: WalkOptions): Generator<undefined, void> {
  mkdirSync(to, { recursive: true })
  for (const found of walk(root, options)) {
    const path = join(to, found.path)
    if (found.kind === 'folder') mkdirSync(path, { recursive: true, mode: 0o755 })
    else if (found.target !== undefined) symlinkSync(found.target, path)
    else yield* copyFound(found, path, modeOf(found.stat.mode))
    yield
  }
}

/** Only whether it may be started matters, not its writer's umask. */
export const modeOf = (mode: number): number => (mode & 0o111 ? 0o755 : 0o644)

/** Copies one plain file to a new path, where nothing is: no link is followed there. Gives its SHA-256. */
export function* copyFound(
  { path, stat, open }: Pick<Found, 'path' | 'stat' | 'open'>,
  to: string,
  mode: number,
): Generator<undefined, string> {
  const from = open()
  let written: number | undefined
  try {
    if (from.stat.ino !== stat.ino || from.stat.dev !== stat.dev || from.stat.size > stat.size)
      throw new TreeFault(path, 'changed while it was read', 'try again')
    written = openSync(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    const hash = createHash('sha256')
    let length = 0
    for (const chunk of chunksOf(from.fd, from.stat.size)) {
      if ((length += chunk.length) > stat.size) throw new TreeFault(to, 'grew while it was read', 'try again')
      writeFileSync(written, chunk)
      hash.update(chunk)
      yield
    }
    fchmodSync(written, mode)
    return hash.digest('hex')
  } finally {
    if (written !== undefined) closeSync(written)
    closeSync(from.fd)
  }
}

/** Makes a new path's folders below a folder of agon's own. */
export function makeWay(root: string, path: string): void {
  if (lstatSync(dirname(join(root, path)), { throwIfNoEntry: false })?.isDirectory()) return
  mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o755 })
}
