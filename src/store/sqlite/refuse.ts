import { lstatSync } from 'node:fs'
import { message, option, UserError } from '../../core/index.js'
import type { Database } from './database.js'

/*
 * Theory of operation.
 *
 * A workspace may come from a stranger, and SQLite does what it finds in a database and beside it: it follows links, runs triggers at each write,
 * reads a view in a table's place, and plays a rollback journal back. So a file that no agon has written is refused before SQLite sees it.
 */

/**
 * Refuses what SQLite would follow or wait for: a link, a pipe or a folder in the place of the file or of its log, and a rollback journal. A store
 * of agon keeps a write-ahead log and so has none; SQLite would remove any file of this user that a journal names as the one above it. False: no
 * file is there.
 */
export function refuseSpecial(file: string): boolean {
  const stat = statOf(file)
  if (stat?.isDirectory()) throw new UserError(`${file} is a folder, not a store: move it away`)
  if (stat?.isSymbolicLink())
    throw new UserError(message`${file} is a link: name the folder of the file itself with ${option('workspace')}`)
  // A pipe would be waited for.
  if (stat !== undefined && !stat.isFile()) throw new UserError(`${file} is no plain file, so no store: move it away`)
  for (const log of [`${file}-wal`, `${file}-shm`])
    if (statOf(log)?.isFile() === false) throw new UserError(`${log} is no plain file, so no log of a store: remove it`)
  const journal = `${file}-journal`
  if (statOf(journal) !== undefined)
    throw new UserError(`${journal} is no file of agon, and SQLite could remove other files by it: move it away`)
  return stat !== undefined
}

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    throw new UserError(message`${path} cannot be inspected: choose another workspace with ${option('workspace')}`)
  }
}

/**
 * Refuses a file with statements of its own. SQLite would follow a trigger at each write, and a view in a table's place at each read: a store
 * from a stranger could so give a run other matches than those that were played.
 */
export function refuseActing(db: Database): void {
  const acting = db.get(
    "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL%' LIMIT 1",
  )
  if (acting === undefined) return
  throw new UserError(
    message`${db.file} holds a trigger, a view or a virtual table, which no store of agon has: use another workspace with ${option('workspace')}, or remove them with sqlite3`,
  )
}
