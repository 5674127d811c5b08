import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { TOURNAMENT, entrantsOf, keyOf, played, runOf } from '../../../test/kit/records.js'
import { alone } from '../../../test/kit/store-opening.js'
import { ServerLostError } from '../port.js'
import { checkServerStore } from './check.js'
import { openServer } from './open.js'
import { MIGRATIONS } from './schema.js'
import { openServerStore } from './store.js'

/** Opens the store of a new database, and closes it after the work. */
async function withStore<T>(
  work: (store: Awaited<ReturnType<typeof openServerStore>>, told: readonly string[]) => Promise<T>,
): Promise<T> {
  const told: string[] = []
  const store = await openServerStore(await (await testServer()).database(), 'test', (text) => told.push(text))
  try {
    await store.addRun(runOf('one'), entrantsOf())
    return await work(store, told)
  } finally {
    await store.close()
  }
}

const jobs = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => alone(from + n, played(`1/Ant-Bee/${from + n}`, [0, 1], [1, 2])))

const nothingJudged = { judge: () => undefined, rate: () => [], mend: false, progress: () => undefined }
const findings = async (url: string): Promise<string[]> =>
  (await checkServerStore(url, nothingJudged, () => undefined)).findings.map(({ what }) => what)

describe.runIf(PROGRAMS !== undefined)('a store on a server', () => {
  beforeAll(testServer, 300_000)

  it('is made once by all who open it first, and refused where a newer agon made it', async () => {
    const url = await (await testServer()).database()
    const told: string[] = []
    const all = await Promise.all(
      Array.from({ length: 4 }, () => openServerStore(url, 'test', (text) => told.push(text))),
    )
    expect(told.filter((text) => text.includes('made the schema'))).toHaveLength(1)
    for (const store of all) await store.close()
    const newer = [...MIGRATIONS, 'SELECT 1']
    await (await openServer(url, () => undefined, newer)).close()
    await expect(openServerStore(url, 'test')).rejects.toThrow(/was written by a newer agon/)
  })

  it('counts each match once, whoever records it at the same time, for one run or for several', async () => {
    await withStore(async (store) => {
      await store.addRun(runOf('two'), entrantsOf())
      const others = await Promise.all([0, 1, 2].map(() => openServerStore(store.url, 'test')))
      const runs = ['one', 'two', 'one']
      // Overlapping jobs, in other orders.
      await Promise.all(
        others.flatMap((other, i) =>
          [0, 1, 2, 3].map((part) => {
            const list = jobs(10 * part, 30)
            return other.record(runs[i] ?? 'one', i === 1 ? list.reverse() : list)
          }),
        ),
      )
      for (const run of ['one', 'two']) {
        expect((await store.results(run)).size).toBe(60)
        expect((await store.leaderboard(run))[0]).toMatchObject({ name: 'Ant', matches: 60, wins: 60 })
      }
      expect(await store.query('SELECT count(*) AS n FROM agon.match')).toMatchObject({ rows: [{ n: 60 }] })
      expect(await findings(store.url)).toEqual([])
      for (const other of others) await other.close()
    })
  })

  it('records within a transaction that another one began: with it, or not at all', async () => {
    await withStore(async (store) => {
      const failing = store.transaction(async (tx) => {
        await store.recordIn(tx, 'one', jobs(0, 3))
        throw new Error('taken over')
      })
      await expect(failing).rejects.toThrow('taken over')
      expect(await store.count('one')).toBe(0)
      await store.transaction(async (tx) => {
        await tx.query('CREATE TABLE agon.own (n integer)')
        expect(await store.recordIn(tx, 'one', jobs(0, 3))).toEqual(new Set())
      })
      expect([await store.count('one'), (await store.readJobs([keyOf(1), keyOf(9)])).size]).toEqual([3, 1])
    })
  })

  it('waits for a server that went, and says so; a statement outside of a transaction does not wait', async () => {
    await withStore(async (store, told) => {
      const server = await testServer()
      await store.record('one', jobs(0, 2))
      await server.crash()
      await expect(store.query('SELECT 1')).rejects.toBeInstanceOf(ServerLostError)
      const [writing, reading] = [store.record('one', jobs(2, 2)), store.results('one')]
      await expect.poll(() => told.join(), { timeout: 30_000 }).toMatch(/waiting for the server/)
      await server.up()
      expect(await writing).toEqual(new Set())
      expect([2, 4]).toContain((await reading).size)
      expect(await store.count('one')).toBe(4)
      expect(await findings(store.url)).toEqual([])
    })
  })

  it('hands on sources by their hash', async () => {
    await withStore(async (store) => {
      await store.saveSource('aa', Buffer.from([1, 2, 0]))
      await store.saveSource('aa', Buffer.from([9]))
      expect(await store.lackingSources(['bb', 'aa'])).toEqual(['bb'])
      expect([...((await store.source('aa')) ?? [])]).toEqual([1, 2, 0])
      expect(await store.source('bb')).toBeUndefined()
      await store.query("UPDATE agon.source SET data = '\\x0102'")
      await expect(store.source('aa')).rejects.toThrow(/damaged/)
    })
  })

  it('holds a lease against whoever it is not of, and frees that of a machine that is not heard of', async () => {
    await withStore(async (store) => {
      const key = 'cd'.repeat(16)
      // A process of another machine: its number says nothing here.
      await store.query(
        "INSERT INTO agon.lease (key, owner, process, heartbeat) VALUES (decode($1, 'hex'), 'x', '1-1-00000000-1', clock_timestamp())",
        [key],
      )
      expect(await store.acquireLease(key)).toBe('1')
      await store.query("UPDATE agon.lease SET heartbeat = clock_timestamp() - interval '61 seconds'")
      expect(await store.acquireLease(key)).toBeUndefined()
      await store.query("UPDATE agon.lease SET owner = 'y'")
      const kept = { tournament: key, by: { Ant: { now: {} } } }
      await expect(store.record('one', [{ ...alone(0, played('x', [0, 1], [1, 2])), kept }])).rejects.toThrow(
        /another one could take its place/,
      )
      expect(await store.count('one')).toBe(0)
    })
  })

  it('notices what is not as it was written', async () => {
    const damages: readonly (readonly [
      sql: string,
      found: RegExp,
      refused?: 'board' | 'results' | 'kept' | 'record',
    ])[] = [
      ["UPDATE agon.match SET outcome = replace(outcome, '[1,2]', '[2,1]') WHERE number = 0", /stored as/],
      ['UPDATE agon.match SET ranks = ARRAY[2, 1] WHERE id = (SELECT min(id) FROM agon.match)', /its seats are not/],
      ['UPDATE agon.match SET slot = 1 - slot WHERE slot < 2', /its record is that of|its row is not/, 'record'],
      ['UPDATE agon.pack SET data = substring(data FROM 2)', /its record cannot be read/, 'record'],
      ['DELETE FROM agon.match WHERE id = (SELECT min(id) FROM agon.match)', /is lost|are lost/],
      ['UPDATE agon.run_entrant SET wins = wins + 1 WHERE place = 0', /its counts are not/, 'board'],
      ['UPDATE agon.pair SET ahead = ahead + 1', /its counts are not/],
      ["UPDATE agon.segment SET data = data || '\\x00'", /its matches cannot be read|segments/, 'results'],
      ["UPDATE agon.run SET seed = 't'", /what it is/, 'board'],
      ['UPDATE agon.kept SET now = start WHERE start IS NOT NULL', /held on disk/, 'kept'],
      ["UPDATE agon.log SET what = 'x'", /its log/],
    ]
    for (const [sql, found, refused] of damages) {
      await withStore(async (store) => {
        const kept = { tournament: TOURNAMENT, by: { Ant: { now: { a: 'AA==' }, start: {} } } }
        await store.record('one', [...jobs(0, 4), { ...alone(9, played('1/Ant-Bee/9', [1, 0], [1, 2])), kept }])
        expect(await findings(store.url)).toEqual([])
        await store.query(sql)
        expect((await findings(store.url)).join('\n'), sql).toMatch(found)
        const fresh = await openServerStore(store.url, 'test')
        const reads = {
          board: () => fresh.leaderboard('one'),
          results: () => fresh.results('one'),
          kept: () => fresh.kept(TOURNAMENT, 'Ant'),
          record: () => fresh.read(keyOf(0)),
        }
        if (refused) await expect(reads[refused](), sql).rejects.toThrow(/is damaged/)
        await fresh.close()
      })
    }
  }, 120_000)
})
