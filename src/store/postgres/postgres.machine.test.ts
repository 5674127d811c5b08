import { beforeAll, describe } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { describeStore } from '../../../test/kit/store.js'
import { openServerStore } from './store.js'

/** The database that stands for a workspace. */
const databases = new Map<string, Promise<string>>()

async function urlFor(workspace: string): Promise<string> {
  const server = await testServer()
  const known = databases.get(workspace) ?? server.database()
  databases.set(workspace, known)
  return known
}

describe.runIf(PROGRAMS !== undefined)('on a server', () => {
  // initdb takes long on a busy machine.
  beforeAll(testServer, 300_000)
  describeStore('PostgreSQL', async (workspace) => openServerStore(await urlFor(workspace), 'test'))
})
