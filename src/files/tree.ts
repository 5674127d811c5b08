import { chmodSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf, sha256 } from './hash.js'
import { walk } from './walk.js'

/** A hash of all that lies in a folder but for some names, by names and contents; links count by where they lead. */
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

/** Lets every user read what is staged, whatever the umask of who staged it, in steps. */
export function* openToRead(folder: string): Generator<undefined, void> {
  chmodSync(folder, 0o755)
  for (const { kind, path, stat } of walk(folder, { bytes: Infinity, dangling: true })) {
    yield
    if (kind === 'link') continue
    const mode = stat.mode | (kind === 'folder' || stat.mode & 0o100 ? 0o555 : 0o444)
    if (mode !== stat.mode) chmodSync(join(folder, path), mode & 0o777)
  }
}
