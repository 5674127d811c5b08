import { chmodSync, lstatSync, opendirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { Folder } from './folder.js'
import { atOnce, paced } from './pace.js'

/**
 * Removes whatever lies there, however deep and whatever its names and modes, in steps that let signals through. Once `stop` is aborted the
 * rest is left.
 */
export function removeTree(path: string, stop?: AbortSignal): Promise<void> {
  return paced(until(removal(path), stop))
}

function* until(work: Generator<undefined, void>, stop: AbortSignal | undefined): Generator<undefined, void> {
  for (const step of work) {
    if (stop?.aborted) return
    yield step
  }
}

/** The same at once. */
export function removeTreeSync(path: string): void {
  atOnce(removal(path))
}

/** Something may still be written there by what is about to end. */
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
 * What lies in a folder's folders is first moved to the top, so that no path gets long, nor a stack deep. Nothing is followed:
 * only folders that were opened as such are looked into. Names are bytes: not all are UTF-8.
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
    for (let names = some(top); names.length > 0; names = some(top)) {
      for (const name of names) {
        yield
        const place = bytesAt(top, name)
        if (removed(place)) continue
        chmodSync(place, 0o700)
        // One that was left behind half removed may have such names already.
        while (isThere(top.at(`moved-${moved}`))) moved++
        renameSync(place, top.at(`moved-${moved}`))
        const inner = top.child(`moved-${moved}`)
        try {
          for (let left = some(inner); left.length > 0; left = some(inner)) {
            for (const each of left) {
              yield
              const below = bytesAt(inner, each)
              if (removed(below)) continue
              chmodSync(below, 0o700)
              while (isThere(top.at(`moved-${moved}`))) moved++
              renameSync(below, top.at(`moved-${moved}`))
            }
          }
        } finally {
          inner.close()
        }
      }
    }
  } finally {
    top.close()
  }
  rmdirSync(path)
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined
const bytesAt = (folder: Folder, name: string): Buffer =>
  Buffer.concat([Buffer.from(folder.at('')), Buffer.from(name, 'latin1')])

/** Removes what is no folder, or an empty one. False: it is a folder with something in it. */
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
