import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { TOURNAMENT, keyOf, played, runOf } from '../../../test/kit/records.js'
import { alone } from '../../../test/kit/store-opening.js'
import { ServerLostError } from '../port.js'
import { checkServerStore, migrate, openServerStore } from './store.js'

/** A way to the server that is cut once at a COMMIT, each time that it is asked to: before the server gets it, or before its answer. */
async function cutAtCommit(server: number, when: 'before' | 'after') {
  let [armed, cuts] = [false, 0]
  const line = createServer((client) => {
    const there = connect(server, '127.0.0.1')
    const end = () => {
      client.destroy()
      there.destroy()
    }
    let cutting = false
    client.on('data', (data) => {
      if (armed && data.includes('COMMIT')) {
        armed = false
        cutting = true
        cuts++
        if (when === 'before') return end()
      }
      there.write(data)
    })
    there.on('data', (data) => (cutting ? end() : client.write(data)))
    for (const side of [client, there]) side.on('error', end).on('close', end)
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  return {
    port: (line.address() as AddressInfo).port,
    cut: () => {
      armed = true
    },
    cuts: () => cuts,
    close: () => line.close(),
  }
}

/** Opens the store of a new database, and closes it after the work. */
async function withStore<T>(
  work: (store: Awaited<ReturnType<typeof openServerStore>>, notices: readonly string[]) => Promise<T>,
): Promise<T> {
  const notices: string[] = []
  const store = await openServerStore(await (await testServer()).database(), 'test', (text) => notices.push(text))
  try {
    await store.addRun(runOf('one'))
    return await work(store, notices)
  } finally {
    await store.close()
  }
}

const jobs = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => alone(from + n, played(`1/Ant-Bee/${from + n}`, [0, 1], [1, 2])))

const nothingJudged = { judge: () => undefined, mend: false, progress: () => undefined }
const findings = async (url: string, of?: string, mend = false): Promise<string[]> => {
  const options = { ...nothingJudged, mend, only: of === undefined ? undefined : (contest: string) => contest === of }
  return (await checkServerStore(url, 'test', options, () => undefined)).findings.map(({ what }) => what)
}

describe.runIf(PROGRAMS !== undefined)('a store on a server', () => {
  beforeAll(testServer, 300_000)

  it('is made once by all who open it first, and refused where it has another version of the schema', async () => {
    const url = await (await testServer()).database()
    const notices: string[] = []
    const all = await Promise.all(
      Array.from({ length: 4 }, () => openServerStore(url, 'test', (text) => notices.push(text))),
    )
    expect(notices.filter((text) => text.includes('made the schema'))).toHaveLength(1)
    for (const store of all) await store.close()
    const store = await openServerStore(url, 'test')
    for (const change of ['version - 1', 'version + 2']) {
      await store.sql.run(`UPDATE about SET version = ${change}`)
      await expect(openServerStore(url, 'test')).rejects.toThrow(
        /has version \d of the schema, and this agon reads version 1: use the agon that wrote it/,
      )
    }
    await store.close()
  })

  it('is brought from an earlier version of the schema to this one', async () => {
    await withStore(async (store) => {
      const steps = ['CREATE TABLE more (a INTEGER NOT NULL, b BLOB) STRICT; INSERT INTO more (a) VALUES (7)']
      await store.sql.transaction((sql) => migrate(sql, store.where, 1, steps))
      expect(await store.sql.all('SELECT a, (SELECT version FROM about) AS version FROM more')).toEqual([
        { a: 7, version: 2 },
      ])
      await store.sql.transaction((sql) => migrate(sql, store.where, 2, steps))
      expect(await store.sql.all('SELECT a FROM more')).toHaveLength(1)
    })
  })

  it('is refused where an agon before 1.0 has written into the database, which stays as it is', async () => {
    const server = await testServer()
    const url = await server.database()
    const database = new URL(url).pathname.slice(1)
    await server.query(database, 'CREATE SCHEMA agon')
    await server.query(database, 'CREATE TABLE agon.about (program text NOT NULL, version integer NOT NULL)')
    await expect(openServerStore(url, 'test')).rejects.toThrow(
      /was written by an agon before 1\.0, which this one does not read: use another database/,
    )
    expect(await server.query(database, "SELECT 1 FROM pg_namespace WHERE nspname = 'agon1'")).toEqual([])
  })

  it('counts each match once, however many record it at the same time, for one run or for several', async () => {
    await withStore(async (store) => {
      await store.addRun(runOf('two'))
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
      expect(await store.sql.all('SELECT count(*) AS n FROM match')).toEqual([{ n: 60 }])
      expect(await findings(store.url)).toEqual([])
      for (const other of others) await other.close()
    })
  })

  it('waits for a server that went, and says so; a statement outside of a transaction does not wait', async () => {
    await withStore(async (store, notices) => {
      const server = await testServer()
      await store.record('one', jobs(0, 2))
      await server.crash()
      await expect(store.sql.all('SELECT 1')).rejects.toBeInstanceOf(ServerLostError)
      const [writing, reading] = [store.record('one', jobs(2, 2)), store.results('one')]
      await expect.poll(() => notices.join(), { timeout: 30_000 }).toMatch(/waiting for the server/)
      await server.up()
      expect(await writing).toEqual(new Set())
      expect([2, 4]).toContain((await reading).size)
      expect((await store.run('one'))?.matches).toBe(4)
      expect(await findings(store.url)).toEqual([])
    })
  })

  it('asks whether a commit was done whose answer was lost', async () => {
    for (const [name, when] of [
      ['before it came to the server', 'before'],
      ['after', 'after'],
    ] as const) {
      const server = await testServer()
      const url = await server.database()
      const line = await cutAtCommit(server.port, when)
      const store = await openServerStore(url.replace(`:${server.port}/`, `:${line.port}/`), 'test')
      line.cut()
      // Done twice it would be refused: the run would be there already.
      await store.addRun(runOf('one'))
      expect(line.cuts(), name).toBe(1)
      expect((await store.log('one')).map(({ what }) => what)).toEqual(['began'])
      line.cut()
      expect(await store.record('one', jobs(0, 3))).toEqual(new Set())
      expect([line.cuts(), (await store.run('one'))?.matches]).toEqual([2, 3])
      await store.close()
      line.close()
    }
  })

  it('hands on sources by their hash', async () => {
    await withStore(async (store) => {
      await store.saveSource('aa', Buffer.from([1, 2, 0]))
      await store.saveSource('aa', Buffer.from([9]))
      expect(await store.lackingSources(['bb', 'aa'])).toEqual(['bb'])
      expect([...((await store.source('aa')) ?? [])]).toEqual([1, 2, 0])
      expect(await store.source('bb')).toBeUndefined()
      await store.sql.run("UPDATE source SET data = '\\x0102'")
      await expect(store.source('aa')).rejects.toThrow(/damaged/)
    })
  })

  it('holds a lease against all but its owner, and frees that of a machine without a heartbeat', async () => {
    await withStore(async (store) => {
      const key = 'cd'.repeat(16)
      // A process of another machine: its number says nothing here.
      await store.sql.run(
        "INSERT INTO lease (key, owner, heartbeat) VALUES (decode($1, 'hex'), '1-1-00000000-1/x', 1000 * extract(epoch FROM clock_timestamp()))",
        [key],
      )
      expect(await store.acquireLease(key)).toBe('1')
      await store.sql.run('UPDATE lease SET heartbeat = heartbeat - 61000')
      expect(await store.acquireLease(key)).toBeUndefined()
      await store.sql.run("UPDATE lease SET owner = 'y'")
      const kept = { tournament: key, by: { Ant: { now: {} } } }
      await expect(store.record('one', [{ ...alone(0, played('x', [0, 1], [1, 2])), kept }])).rejects.toThrow(
        /another one could take its place/,
      )
      expect((await store.run('one'))?.matches).toBe(0)
    })
  })

  it('says how many connections it needs where the server has none left', async () => {
    const server = await testServer()
    const url = await server.database()
    const database = new URL(url).pathname.slice(1)
    await server.query(database, `ALTER DATABASE "${database}" CONNECTION LIMIT 0`)
    await server.query(database, 'CREATE ROLE few LOGIN')
    await expect(openServerStore(url.replace(/\/\/[^@/]*@/, '//few@'), 'test')).rejects.toThrow(
      /no connection left .*each agon needs up to 4/,
    )
  })

  it('notices what is not as it was written, and removes damaged jobs where that is wished', async () => {
    const first = '(SELECT min(job) FROM run_job WHERE run = $1)'
    const damages: readonly (readonly [sql: string, found: RegExp, refused?: 'board' | 'run' | 'kept' | 'record'])[] = [
      [`UPDATE match SET outcome = replace(outcome, '[1,2]', '[2,1]') WHERE job = ${first}`, /cannot be read/, 'board'],
      [`UPDATE job SET records = substring(records FROM 2) WHERE number = ${first}`, /cannot be read/, 'record'],
      [`DELETE FROM match WHERE job = ${first}`, /is lost/, 'board'],
      ['UPDATE run_job SET sum = sum + 1 WHERE run = $1', /the jobs that it counts are not/, 'board'],
      ["UPDATE run SET doc = replace(doc, 'A duel', 'B duel') WHERE number = $1", /what its runs are/, 'run'],
      ["UPDATE note SET doc = '{}' WHERE run = $1", /its notes/],
      ["UPDATE kept SET files = '\\x00' WHERE entrant = 'Ant'", /kept on disk/, 'kept'],
    ]
    for (const [sql, found, refused] of damages) {
      await withStore(async (store) => {
        const kept = { tournament: TOURNAMENT, by: { Ant: { now: { a: 'AA==' }, start: {} } } }
        await store.record('one', [...jobs(0, 4), { ...alone(4, played('x', [0, 1], [1, 2])), kept }])
        expect(await findings(store.url)).toEqual([])
        const [run] = await store.sql.all<{ number: number }>('SELECT number FROM run')
        await store.sql.run(sql, sql.includes('$1') ? [run?.number ?? 0] : [])
        expect((await findings(store.url)).join('\n'), sql).toMatch(found)
        const later = await openServerStore(store.url, 'test')
        const reads = {
          board: () => later.leaderboard('one'),
          run: () => later.run('one'),
          kept: () => later.kept(TOURNAMENT, 'Ant'),
          record: () => later.read([keyOf(0)]),
        }
        if (refused) await expect(reads[refused](), sql).rejects.toThrow(/is damaged/)
        if (refused === 'board' || refused === 'record') {
          await findings(store.url, undefined, true)
          expect(await findings(store.url), sql).toEqual([])
          await later.adopt('one', [keyOf(4)])
          await later.record('one', jobs(0, 4))
          expect((await later.leaderboard('one'))[0], sql).toMatchObject({ name: 'Ant', wins: 5 })
        }
        await later.close()
      })
    }
  })
})
