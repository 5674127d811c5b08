import { mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { makeOwnFolder } from './own-folder.js'
import { removeTreeSync } from './remove.js'
import { SIGN_MS, thisProcess } from './owner.js'
import { sweep } from './sweep.js'

/** A folder of this process alone, beside those of other processes. */
export interface OwnFolder {
  readonly folder: string
  /** Removes it. It goes with this process at the latest. */
  readonly release: () => void
}

/** What is released where this process ends first. One listener for all: of many Node takes each for a leak. */
const places = new Set<() => void>()
process.on('exit', () => {
  for (const release of places) release()
})

// Threads of a process count apart from each other.
let taken = threadId * 1e6

/**
 * Makes a folder of its own below one that processes share, and removes what ended processes left there. Throws the system's errors, and
 * UserError where the shared one is a link.
 */
export function takeOwnFolder(shared: string): OwnFolder {
  makeOwnFolder(shared)
  sweep(shared)
  const folder = join(shared, `${thisProcess()}-${taken++}`)
  mkdirSync(folder)
  const signs = setInterval(() => giveSign(folder), SIGN_MS)
  signs.unref()
  const release = (): void => {
    clearInterval(signs)
    places.delete(release)
    try {
      removeTreeSync(folder)
    } catch {
      // It is left to the next agon, which has the time.
    }
  }
  places.add(release)
  return { folder, release }
}

/** Shows processes that cannot see this one (in another container) that it lives. */
function giveSign(folder: string): void {
  try {
    const now = new Date()
    utimesSync(folder, now, now)
  } catch {
    // It has been removed: nothing is held there any more.
  }
}
