import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeStaged, reserveWorkspace } from '../build/index.js'
import { type OwnFolder, takeOwnFolder, userCaches } from '../files/index.js'
import { type Wording, message, option } from '../core/index.js'
import { parseAddress } from '../store/postgres/address.js'

/** A workspace's folder as an absolute path. Nothing in it is ever taken for an entrant's source. */
export function workspaceAt(folder: string): string {
  const path = resolve(folder)
  reserveWorkspace(path)
  return path
}

/** A folder for the rooms of this process's bots, which goes with this process at the latest. What a killed agon left behind is removed first. */
export function roomsFolder(workspace: string): OwnFolder {
  return takeOwnFolder(join(workspace, 'rooms'))
}

const INSTALLED = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '')

/** A text for strangers: of a path below a workspace, agon's own folder or its user's it tells the last name alone. */
export function withoutPlaces(text: string, workspace: string): string {
  const places = [workspace, INSTALLED, ...userCaches(), homedir()].filter((place) => place.length > 1)
  const any = places.map((place) => place.replaceAll(/[^\w/]/g, '\\$&')).join('|')
  return text.replaceAll(new RegExp(`(?:${any})(?![\\w.-])(?:/[^\\s'"\`:,;()<>]*)?`, 'g'), (path) =>
    places.includes(path) ? '…' : `…/${basename(path)}`,
  )
}

export { removeStaged }

/** Where this word stands for a server's URL, the workspace's own file is meant. */
const WORKSPACE = 'workspace'

/** The server's URL: what was given, else AGON_STORE, else DATABASE_URL; undefined: the workspace's own file. Throws UserError, without password. */
export function storeUrl(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const places: readonly (readonly [string | undefined, Wording])[] = [
    [given, message`${option('store')}`],
    [env['AGON_STORE'], 'AGON_STORE'],
    [env['DATABASE_URL'], 'DATABASE_URL'],
  ]
  const [url, named = ''] = places.find(([value]) => value !== undefined && value !== '') ?? []
  if (url === undefined || url === WORKSPACE) return undefined
  return parseAddress(url, named).url
}

/** A server's URL to be shown: it can be typed again once its password is put in. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url
  const parts = new URL(url)
  if (parts.password !== '') parts.password = 'PASSWORD'
  return parts.href
}
