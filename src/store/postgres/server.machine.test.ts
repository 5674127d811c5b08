import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { entrantsOf, keyOf, played, runOf } from '../../../test/kit/records.js'
import { alone } from '../../../test/kit/store-opening.js'
import { ServerLostError } from '../port.js'
import { checkServerStore } from './check.js'
import { openServer } from './open.js'
import { openServerStore } from './store.js'

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
    await store.addRun(runOf('one'), entrantsOf())
    return await work(store, notices)
  } finally {
    await store.close()
  }
}

const jobs = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => alone(from + n, played(`1/Ant-Bee/${from + n}`, [0, 1], [1, 2])))

const nothingJudged = { judge: () => undefined, rate: () => [], mend: false, progress: () => undefined }
const findings = async (url: string, of?: string): Promise<string[]> => {
  const options = { ...nothingJudged, only: of === undefined ? undefined : (contest: string) => contest === of }
  return (await checkServerStore(url, options, () => undefined)).findings.map(({ what }) => what)
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
    const server = await openServer(url, () => undefined)
    for (const change of ['version - 1', 'version + 2']) {
      await server.query(`UPDATE agon.about SET version = ${change}`)
      await expect(openServerStore(url, 'test')).rejects.toThrow(
        /has version \d of the schema, and this agon reads only version \d: use the agon that wrote it/,
      )
    }
    await server.close()
  })

  it('counts each match once, however many record it at the same time, for one run or for several', async () => {
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

  it('waits for a server that went, and says so; a statement outside of a transaction does not wait', async () => {
    await withStore(async (store, notices) => {
      const server = await testServer()
      await store.record('one', jobs(0, 2))
      await server.crash()
      await expect(store.query('SELECT 1')).rejects.toBeInstanceOf(ServerLostError)
      const [writing, reading] = [store.record('one', jobs(2, 2)), store.results('one')]
      await expect.poll(() => notices.join(), { timeout: 30_000 }).toMatch(/waiting for the server/)
      await server.up()
      expect(await writing).toEqual(new Set())
      expect([2, 4]).toContain((await reading).size)
      expect(await store.count('one')).toBe(4)
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
      await store.addRun(runOf('one'), entrantsOf())
      expect(line.cuts(), name).toBe(1)
      expect((await store.log('one')).map(({ what }) => what)).toEqual(['began'])
      line.cut()
      expect(await store.record('one', jobs(0, 3))).toEqual(new Set())
      expect([line.cuts(), await store.count('one')]).toEqual([2, 3])
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
      await store.query("UPDATE agon.source SET data = '\\x0102'")
      await expect(store.source('aa')).rejects.toThrow(/damaged/)
    })
  })

  it('holds a lease against all but its owner, and frees that of a machine without a heartbeat', async () => {
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
    /** Of the matches of the run $1. */
    const own = 'IN (SELECT match FROM agon.run_match WHERE run = $1)'
    const first = '(SELECT min(match) FROM agon.run_match WHERE run = $1)'
    const damages: readonly (readonly [
      sql: string,
      found: RegExp,
      refused?: 'board' | 'run' | 'results' | 'kept' | 'record',
    ])[] = [
      [`UPDATE agon.match SET outcome = replace(outcome, '[1,2]', '[2,1]') WHERE id ${own}`, /stored as/],
      [`UPDATE agon.match SET ranks = ARRAY[2, 1] WHERE id = ${first}`, /its seats are not/],
      [`UPDATE agon.match SET slot = 1 - slot WHERE slot < 2 AND id ${own}`, /its record is that of/, 'record'],
      [
        `UPDATE agon.pack SET data = substring(data FROM 2) WHERE id IN (SELECT pack FROM agon.match WHERE id ${own})`,
        /its record cannot be read/,
        'record',
      ],
      [`DELETE FROM agon.match WHERE id = ${first}`, /is lost/],
      ['UPDATE agon.run_entrant SET wins = wins + 1 WHERE run = $1 AND place = 0', /its counts are not/, 'board'],
      ['UPDATE agon.pair SET ahead = ahead + 1 WHERE run = $1', /its counts are not/],
      ["UPDATE agon.segment SET data = data || '\\x00' WHERE run = $1", /its matches cannot be read/, 'results'],
      ["UPDATE agon.run SET seed = 't' WHERE number = $1", /what it is/, 'run'],
      [
        'UPDATE agon.kept SET now = start WHERE tournament = (SELECT tournament FROM agon.run WHERE number = $1)',
        /held on disk/,
        'kept',
      ],
      ["UPDATE agon.log SET what = 'x' WHERE run = $1", /its log/],
    ]
    await withStore(async (store) => {
      const tournamentOf = (n: number): string => n.toString(16).padStart(32, 'f')
      for (const n of damages.keys()) {
        const tournament = tournamentOf(n)
        await store.addRun(runOf(`r${n}`, { contest: `/c/${n}.toml`, tournament }), entrantsOf())
        const kept = { tournament, by: { Ant: { now: { a: 'AA==' }, start: {} } } }
        const others = jobs(100 * n, 4)
        await store.record(`r${n}`, [...others, { ...alone(100 * n + 4, played('x', [0, 1], [1, 2])), kept }])
      }
      expect(await findings(store.url)).toEqual([])
      for (const [n, [sql, found, refused]] of damages.entries()) {
        const { rows } = await store.query<{ number: number }>('SELECT number FROM agon.run WHERE id = $1', [`r${n}`])
        await store.query(sql, [rows[0]?.number])
        expect((await findings(store.url, `/c/${n}.toml`)).join('\n'), sql).toMatch(found)
        const reads = {
          board: () => store.leaderboard(`r${n}`),
          run: () => store.run(`r${n}`),
          results: () => store.results(`r${n}`),
          kept: () => store.kept(tournamentOf(n), 'Ant'),
          record: () => store.read(keyOf(100 * n + 1)),
        }
        if (refused) await expect(reads[refused](), sql).rejects.toThrow(/is damaged/)
      }
    })
  })
})
