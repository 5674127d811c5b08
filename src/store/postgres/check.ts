import { type CheckOptions, type CheckedStore, checkDatabase } from '../check.js'
import { openServer } from './store.js'

/** Compares everything in the store of a server with the records and with its checksums. Throws UserError where it cannot be opened. */
export async function checkServerStore(
  url: string,
  agon: string,
  options: CheckOptions,
  notice: (text: string) => void,
): Promise<CheckedStore> {
  const db = await openServer(url, notice, false)
  try {
    return await checkDatabase(db, agon, options)
  } finally {
    await db.close()
  }
}
