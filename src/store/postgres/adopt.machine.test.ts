import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { entrantsOf, keyOf, played, runOf } from '../../../test/kit/records.js'
import { openServerStore } from './store.js'

describe.runIf(PROGRAMS !== undefined)('jobs that are looked for', () => {
  beforeAll(async () => void (await testServer()), 300_000)

  it('wait for no process that stores matches of the same run where they are missing, and come to the run where they are stored', async () => {
    const store = await openServerStore(await (await testServer()).database(), 'test', () => undefined)
    try {
      for (const run of ['one', 'other']) await store.addRun(runOf(run), entrantsOf())
      await store.record('other', [{ key: keyOf(2), matches: [played('b', [0, 1], [1, 2])] }])
      await store.transaction(async (tx) => {
        await tx.query("SELECT 1 FROM agon.run WHERE id = 'one' FOR UPDATE")
        // The run's row is locked from here to the end of this transaction, as by a process that stores matches.
        expect(await store.adopt('one', [keyOf(3), keyOf(4)])).toEqual(new Set())
      })
      expect(await store.adopt('one', [keyOf(2), keyOf(3)])).toEqual(new Set([keyOf(2)]))
      expect((await store.matches('one')).map(({ place }) => place)).toEqual(['b'])
      await expect(store.adopt('none', [keyOf(3)])).rejects.toThrow('none')
    } finally {
      await store.close()
    }
  })
})
