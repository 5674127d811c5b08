import { existsSync, statSync } from 'node:fs'
import { UserError, type Wording, command, message, option } from '../core/index.js'
import { type ServerStore, type Store, isOnServer, openStore, storeFile } from '../store/index.js'
import { VERSION } from './version.js'
import type { Context } from './context.js'

/** Opens the store of a server, or of a workspace. `make`: false where it must be there. Throws UserError. */
export async function openStoreOf({ workspace, server, notice }: Context, make = true): Promise<Store> {
  if (server !== undefined) {
    const { openServerStore } = await import('../store/postgres/store.js')
    return openServerStore(server, VERSION, notice, make)
  }
  if (!make) requireStore(workspace)
  return openStore(workspace, VERSION)
}

/** Opens a store for as long as the work takes. `make`: false where it must be there. Throws UserError. */
export async function withStore<T>(context: Context, work: (store: Store) => Promise<T>, make = false): Promise<T> {
  const store = await openStoreOf(context, make)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
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

/** A store that is on a server. Throws UserError for one that is a file: `what` needs a server. */
export function serverOf(store: Store, what: Wording): ServerStore {
  if (isOnServer(store)) return store
  throw needsServer(what)
}

export const needsServer = (what: Wording): UserError =>
  new UserError(
    message`${what} needs a store on a server: give ${option('store', 'postgres://…')}, AGON_STORE or DATABASE_URL`,
  )
