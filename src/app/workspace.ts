import { join, resolve } from 'node:path'
import { reserveWorkspace } from '../build/index.js'
import { takePlace } from '../lease/index.js'

/** Where agon keeps what it must remember: what --workspace says, else AGON_WORKSPACE, else `.agon` here. Nothing there is a source. */
export function workspaceFolder(given?: string): string {
  const folder = resolve(given ?? (process.env['AGON_WORKSPACE'] || '.agon'))
  reserveWorkspace(folder)
  return folder
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
  const { folder, release } = takePlace(join(workspace, 'rooms'))
  return { folder, remove: release }
}
