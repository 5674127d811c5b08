import { message, option, spelled } from '../core/index.js'
import { type Store, openStore } from '../store/index.js'
import { VERSION } from './version.js'
import type { Context } from './context.js'
import { counted } from '../text/index.js'

/** Opens the store of a server, or of a workspace; reports where that has lost what was committed. Throws UserError. */
export async function openStoreOf({ workspace, server, notice, spell }: Context): Promise<Store> {
  if (server !== undefined) {
    const { openServerStore } = await import('../store/postgres/store.js')
    return openServerStore(server, VERSION, notice)
  }
  const store = openStore(workspace, VERSION)
  const { lost } = store
  if (lost !== undefined) {
    const what =
      lost.matches > 0
        ? counted(lost.matches, 'match', 'matches')
        : `what was written last (${counted(lost.commits, 'write')})`
    notice(
      `agon: ${store.where}: lost ${what}: its log, ${store.where}-wal, was cut short or removed (a power cut does that), or an older copy was put back; the rest is whole, and a run that goes on (${spelled(message`${option('resume')}`, spell)}) plays what is missing`,
    )
  }
  return store
}
