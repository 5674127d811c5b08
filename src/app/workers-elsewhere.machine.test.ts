import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../test/kit/postgres.js'
import { StoredRun } from '../../test/kit/stored-run.js'
import { openServerStore } from '../store/postgres/store.js'
import type { PostedRun } from '../workers/queue/messages.js'
import { runContest } from './run.js'
import { cardOf } from './workers-elsewhere.js'
import { workersThere } from './workers.js'

const place = new StoredRun()

/** A database of its own, as a run and who looks at it see it. */
async function scene() {
  const server = await (await testServer()).database()
  const store = await openServerStore(server, 'test', () => undefined)
  const context = { ...place.context, server }
  const one = async <Row>(text: string): Promise<Row | undefined> => (await store.query<Row>(text)).rows[0]
  return { context, store, one }
}

describe.runIf(PROGRAMS !== undefined)('a run on a server', () => {
  beforeAll(async () => void (await testServer()), 300_000)

  it('plays along itself, and leaves nothing behind but what it played', async () => {
    const { context, store, one } = await scene()
    try {
      const { result, standings } = await place.playWith(context)
      expect(result).toMatchObject({ played: 3, reused: 0, finished: true })
      expect(standings.rows[0]?.name).toBe('Strike')
      const worker = await one<{ id: string }>('SELECT id, slots, matches::int, gone, aside, only_run FROM agon.worker')
      expect(worker).toMatchObject({
        slots: 1,
        matches: 3,
        gone: true,
        aside: null,
        only_run: (await one<{ id: string }>('SELECT id FROM agon.run'))?.id,
      })
      expect(await one('SELECT count(DISTINCT worker)::int AS workers, count(*)::int AS n FROM agon.match')).toEqual({
        workers: 1,
        n: 3,
      })
      const left = `SELECT (SELECT count(*)::int FROM agon.posting) AS postings, (SELECT count(*)::int FROM agon.lane) AS lanes,
        (SELECT count(*)::int FROM agon_queue.job WHERE name !~ '^__') AS batches`
      expect(await one(left)).toEqual({ postings: 0, lanes: 0, batches: 0 })
      // Connections of its own are closed, too: this look and the test's store are left.
      const connections = 'SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database()'
      await expect.poll(async () => (await one<{ n: number }>(connections))?.n).toBe(1)
    } finally {
      await store.close()
    }
  }, 120_000)

  it('posts all that workers need, with its sources, and plays nothing itself where it is not to', async () => {
    const { context, store, one } = await scene()
    const stop = new AbortController()
    try {
      const notices: string[] = []
      const own = { ...context, notice: (text: string) => void notices.push(text), signal: stop.signal }
      const wished = { out: place.path('elsewhere'), trust: true, noIsolation: true, workersOnly: true }
      const playing = runContest(place.contest, { ...wished, jobs: 2, timed: 2, asked: 2 }, own, () => undefined)
      await expect.poll(() => one('SELECT run FROM agon.lane'), { timeout: 60_000 }).toBeDefined()
      const { posted, cap } = (await one<{ posted: PostedRun; cap: number }>(
        'SELECT posted, cap FROM agon.posting',
      )) ?? {
        posted: undefined,
        cap: undefined,
      }
      expect(cap).toBe(2)
      expect(posted?.setup).toMatchObject({ game: { id: 'samurai' }, seed: '9', options: { turns: 6, health: 1 } })
      expect(posted?.setup.entrants.map(({ name }) => name)).toEqual(['Strike', 'Wait', 'Lost'])
      expect(posted).toMatchObject({ trust: true, parcels: [{ spec: { module: 'strike.js' } }, {}, {}] })
      const sources = new Set(posted?.setup.entrants.map(({ hash }) => hash))
      expect(sources.size).toBe(3)
      expect(await store.lackingSources([...sources])).toEqual([])
      // No path of this machine.
      expect(JSON.stringify(posted)).not.toContain(place.folder)
      await expect.poll(() => notices.join('\n'), { timeout: 30_000 }).toContain('no worker')
      expect(await workersThere(context)).toEqual([])
      stop.abort()
      expect(await playing).toMatchObject({ result: { played: 0, finished: false } })
      expect(await one('SELECT run FROM agon.posting')).toBeUndefined()
    } finally {
      stop.abort()
      await store.close()
    }
  }, 120_000)
})

it('says no more of its programs than the store keeps', () => {
  const long = 'é'.repeat(10_000)
  const toolchains = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${n} ${long}`, long]))
  const labels = Array.from({ length: 100 }, (_, n) => String(n).padEnd(40, 'x'))
  const card = cardOf({ labels, slots: 2, isolation: { trust: true }, toolchains: { python3: '3.11', ...toolchains } })
  expect(card).toMatchObject({ slots: 2, labels, isolation: 'none', pid: process.pid, toolchains: { python3: '3.11' } })
  expect(card.id).toMatch(/^[\w-]{1,40}-[0-9a-f]{8}$/)
  expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(50_000)
})
