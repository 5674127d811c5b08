import { join, resolve } from 'node:path'
import { reserveWorkspace } from '../build/index.js'
import { takeOwnFolder } from '../files/index.js'

/** A workspace's folder as an absolute path. Nothing in it is ever taken for an entrant's source. */
export function workspaceAt(folder: string): string {
  const path = resolve(folder)
  reserveWorkspace(path)
  return path
}

/** A folder that is removed again. */
export interface Rooms {
  readonly folder: string
  readonly remove: () => void
}

/**
 * A folder for the rooms of this process's bots, which goes with this process at the latest. Those that a killed agon left
 * behind are removed first.
 */
export function roomsFolder(workspace: string): Rooms {
  const { folder, release } = takeOwnFolder(join(workspace, 'rooms'))
  return { folder, remove: release }
}
