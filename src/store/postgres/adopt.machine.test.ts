import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { keyOf, played, runOf } from '../../../test/kit/records.js'
import { openServerStore } from './store.js'

describe.runIf(PROGRAMS !== undefined)('jobs that are looked for', () => {
  beforeAll(async () => void (await testServer()), 300_000)

  it('wait for no process that stores matches of the same run where they are missing, and come to the run where they are stored', async () => {
    const store = await openServerStore(await (await testServer()).database(), 'test', () => undefined)
    try {
      for (const run of ['one', 'other']) await store.addRun(runOf(run))
      await store.record('other', [{ key: keyOf(2), matches: [played('b', [0, 1], [1, 2])] }])
      await store.record('one', [{ key: keyOf(1), matches: [played('a', [0, 1], [1, 2])] }])
      await store.sql.transaction(async (sql) => {
        // As by a process that stores matches, the run's rows are locked until the end of this transaction.
        await sql.all("SELECT 1 FROM run r JOIN writer w ON w.run = r.number WHERE r.id = 'one' FOR UPDATE")
        expect(await store.adopt('one', [keyOf(3), keyOf(4)])).toEqual(new Set())
      })
      expect(await store.adopt('one', [keyOf(2), keyOf(3)])).toEqual(new Set([keyOf(2)]))
      expect((await store.matches('one')).map(({ key }) => key).sort()).toEqual(['a', 'b'])
      await expect(store.adopt('none', [keyOf(3)])).rejects.toThrow('none')
    } finally {
      await store.close()
    }
  })
})
