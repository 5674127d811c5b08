import { lstatSync, mkdirSync } from 'node:fs'
import { UserError } from '../core/index.js'

/**
 * Makes a folder of agon's own, which only this user may read, where it is not there yet. Throws UserError as `refuseLink`.
 */
export function makeOwnFolder(path: string): void {
  if (!refuseLink(path)) mkdirSync(path, { recursive: true, mode: 0o700 })
}

/**
 * Throws UserError where a link or a file is in the place of a folder of agon's own: a workspace may come from a stranger, and a link in it would
 * have agon write, and remove, what lies elsewhere. Returns whether the folder is there.
 */
export function refuseLink(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined || stat.isDirectory()) return stat !== undefined
  const what = stat.isSymbolicLink() ? 'a link' : 'no folder'
  throw new UserError(`${path} is ${what}, and agon keeps files of its own in a folder of that name: remove it`)
}
