import { chmodSync, lstatSync, opendirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { Folder } from './folder.js'
import { atOnce, paced } from './pace.js'

/** Removes what lies there, whatever its depth, names and modes, in steps that let signals through, until `stop`. */
export function removeTree(path: string, stop?: AbortSignal): Promise<void> {
  return paced(until(removal(path), stop))
}

function* until(work: Generator<undefined, void>, stop: AbortSignal | undefined): Generator<undefined, void> {
  for (const step of work) {
    if (stop?.aborted) return
    yield step
  }
}

export function removeTreeSync(path: string): void {
  atOnce(removal(path))
}

/** What is about to end may still write there. */
const TRIES = 4

function* removal(path: string): Generator<undefined, void> {
  for (let tries = 1; ; tries++) {
    try {
      return yield* removalOnce(path)
    } catch (error) {
      if (tries === TRIES) throw error
    }
  }
}

/**
 * Inner folders are first moved to the top, so no path gets long, nor a stack deep. Nothing is followed: only folders
 * opened as such are looked into. Names are bytes: not all are UTF-8.
 */
function* removalOnce(path: string): Generator<undefined, void> {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (!stat.isDirectory()) return unlinkSync(path)
  // Before it is opened: its owner may have closed it.
  chmodSync(path, 0o700)
  const top = Folder.open(path)
  try {
    let moved = 0
    // One left half removed may have such names.
    const freeName = (): string => {
      while (lstatSync(top.at(`moved-${moved}`), { throwIfNoEntry: false }) !== undefined) moved++
      return `moved-${moved}`
    }
    yield* emptied(top, top, freeName)
  } finally {
    top.close()
  }
  rmdirSync(path)
}

/** Removes a folder's contents; what resists is moved to the top, and emptied there in the same way. */
function* emptied(folder: Folder, top: Folder, freeName: () => string): Generator<undefined, void> {
  for (let names = some(folder); names.length > 0; names = some(folder)) {
    for (const name of names) {
      yield
      const place = Buffer.concat([Buffer.from(folder.at('')), Buffer.from(name, 'latin1')])
      if (removed(place)) continue
      chmodSync(place, 0o700)
      const free = freeName()
      renameSync(place, top.at(free))
      if (folder !== top) continue
      const inner = top.child(free)
      try {
        yield* emptied(inner, top, freeName)
      } finally {
        inner.close()
      }
    }
  }
}

/** Removes what is no folder, or an empty one. False: a folder with contents. */
function removed(path: Buffer): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return true
  if (!stat.isDirectory()) {
    unlinkSync(path)
    return true
  }
  try {
    rmdirSync(path)
    return true
  } catch {
    return false
  }
}

/** Names read at a time: a folder may hold millions. */
const BATCH = 1000

/** The first names in a folder, their bytes as Latin-1. */
function some(folder: Folder): string[] {
  const dir = opendirSync(folder.at('.'), { encoding: 'latin1' })
  try {
    const names: string[] = []
    for (let entry = dir.readSync(); entry !== null; entry = dir.readSync()) {
      if (names.push(entry.name) === BATCH) break
    }
    return names
  } finally {
    dir.closeSync()
  }
}
