import { existsSync, statSync } from 'node:fs'
import { UserError, command, message, option, spelled } from '../core/index.js'
import { type Store, openStore, storeFile } from '../store/index.js'
import { VERSION } from './version.js'
import type { Context } from './context.js'
import { counted } from '../text/index.js'

/**
 * Opens the store of a server, or of a workspace; reports where that has lost what was committed. `make`: false where it must be there; `connections`: to a server, at the most.
 * Throws UserError.
 */
export async function openStoreOf(
  { workspace, server, notice, spell }: Context,
  make = true,
  connections?: number,
): Promise<Store> {
  if (server !== undefined) {
    const { openServerStore } = await import('../store/postgres/store.js')
    return openServerStore(server, VERSION, notice, make, connections)
  }
  if (!make) requireStore(workspace)
  const store = openStore(workspace, VERSION)
  const { lost } = store
  if (lost !== undefined) {
    const what =
      lost.matches > 0
        ? counted(lost.matches, 'match', 'matches')
        : `what was written last (${counted(lost.commits, 'write')})`
    notice(
      `agon: ${store.where}: lost ${what}: its log, ${store.where}-wal, was cut short or removed (a power cut does that), or an older copy was put back; the rest is whole, and a run that is continued (${spelled(message`${option('resume')}`, spell)}) plays what is missing`,
    )
  }
  return store
}

/** Throws UserError where a workspace holds no store yet. */
export function requireStore(folder: string): void {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UserError(
      message`${folder} is a file, and a workspace is a folder: ${option('workspace')} names another place`,
    )
  if (!existsSync(storeFile(folder))) {
    throw new UserError(
      message`${folder} holds no store yet: ${command('run CONTEST')} makes one, ${option('workspace')} names another place`,
    )
  }
}
