import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { keyOf, played, runOf } from '../../../test/kit/records.js'
import { openServerStore } from './store.js'

const MATCHES = 4000
const AT_ONCE = 500
const SOME = Array.from({ length: 400 }, (_, i) => keyOf(10 * i))

describe.runIf(PROGRAMS !== undefined)('jobs of a table whose rows PostgreSQL has not counted yet', () => {
  beforeAll(async () => void (await testServer()), 300_000)

  it('are found by their keys, without a look at all rows', async () => {
    const server = await testServer()
    const url = await server.database()
    const database = new URL(url).pathname.slice(1)
    // What a connection has counted is there once it has ended.
    const counted = async <T>(work: (store: Awaited<ReturnType<typeof openServerStore>>) => Promise<T>) => {
      const store = await openServerStore(url, 'test', () => undefined)
      const result = await work(store)
      await store.close()
      const ask = () =>
        server.query<{ scans: number; fetched: number; there: number }>(
          database,
          `SELECT sum(seq_scan)::int AS scans, sum(idx_scan)::int AS fetched,
             (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()) AS there
           FROM pg_stat_user_tables WHERE schemaname = 'agon1' AND relname IN ('match', 'job', 'run_job')`,
        )
      await expect.poll(async () => (await ask())[0]?.there).toBe(0)
      const [row] = await ask()
      return { result, scans: row?.scans ?? NaN, fetched: row?.fetched ?? NaN }
    }
    const before = await counted(async (store) => {
      for (const run of ['one', 'two']) await store.addRun(runOf(run))
      for (const table of ['match', 'job', 'run_job'])
        await store.sql.run(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
      const match = played('a', [0, 1], [1, 2])
      for (let from = 0; from < MATCHES; from += AT_ONCE)
        await store.record(
          'one',
          Array.from({ length: AT_ONCE }, (_, i) => ({ key: keyOf(from + i), matches: [match] })),
        )
    })
    const after = await counted(async (store) => {
      const read = (await store.read(SOME)).size
      const adopted = (await store.adopt('two', [...SOME, keyOf(MATCHES)])).size
      return [
        read,
        adopted,
        (await store.matches('two')).length,
        (await store.browse('two', { entrant: 0, limit: 9 })).count,
      ]
    })
    expect(after.result).toEqual([SOME.length, SOME.length, SOME.length, SOME.length])
    expect(after.fetched - before.fetched).toBeGreaterThan(SOME.length)
    expect(after.scans - before.scans).toBe(0)
  })
})
