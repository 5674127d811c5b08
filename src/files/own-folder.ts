import { lstatSync, mkdirSync } from 'node:fs'
import { UserError } from '../core/index.js'

/**
 * Makes a folder of agon's own, which only this user may read, where it is not there yet. Throws UserError where a link or a file is in its
 * place: a workspace may come from a stranger, and a link in it would have agon write, and remove, what lies elsewhere.
 */
export function makeOwnFolder(path: string): void {
  const refuse = (what: string): UserError =>
    new UserError(`${path} is ${what}, and agon keeps files of its own in a folder of that name: remove it`)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink()) throw refuse('a link')
  if (stat !== undefined && !stat.isDirectory()) throw refuse('no folder')
  if (stat === undefined) mkdirSync(path, { recursive: true, mode: 0o700 })
}
