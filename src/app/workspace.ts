import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reserveWorkspace } from '../build/index.js'
import { takeOwnFolder, userCaches } from '../files/index.js'

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

/** Where agon is installed. */
const INSTALLED = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '')

/** A text for strangers: of a path below a workspace, agon's own folder or its user's it tells the last name alone. */
export function withoutPlaces(text: string, workspace: string): string {
  const places = [workspace, INSTALLED, ...userCaches(), homedir()].filter((place) => place.length > 1)
  const any = places.map((place) => place.replaceAll(/[^\w/]/g, '\\$&')).join('|')
  return text.replaceAll(new RegExp(`(?:${any})(?![\\w.-])(?:/[^\\s'"\`:,;()<>]*)?`, 'g'), (path) =>
    places.includes(path) ? '…' : `…/${basename(path)}`,
  )
}
