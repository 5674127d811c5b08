import { lstatSync } from 'node:fs'
import { message, option, UserError } from '../../core/index.js'
import type { Database } from './database.js'

/*
 * Theory of operation.
 *
 * A workspace may come from a stranger, and SQLite does what it finds there: it follows links, runs triggers at each write, reads views as
 * tables, and plays a rollback journal back. So a file that no agon has written is refused before SQLite sees it.
 */

/**
 * Refuses what SQLite would follow or wait for: a link, a pipe or a folder in place of the file or its log, and a rollback journal. An agon store
 * has a write-ahead log and no journal; SQLite would remove any file of this user that a journal names as the one above it. False: no file is
 * there.
 */
export function refuseSpecial(file: string): boolean {
  const stat = statOf(file)
  if (stat?.isDirectory()) throw new UserError(`${file} is a folder, not a store: move it away`)
  if (stat?.isSymbolicLink())
    throw new UserError(message`${file} is a link: name the folder of the file itself with ${option('workspace')}`)
  // A pipe would block.
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
 * Refuses a file with statements of its own: by a trigger or by a view as a table, a stranger's store could give a run other matches than
 * those played.
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
