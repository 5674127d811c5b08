import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../../../test/kit/postgres.js'
import { TestContest } from '../../../test/kit/stored-run.js'
import { openServerStore } from '../../store/postgres/store.js'
import type { PublishedRun } from '../../workers/queue/messages.js'
import { runContest } from './run.js'
import { workerInfoOf, workersThere } from '../manage/workers.js'

const place = new TestContest()

/** A database of its own, as a run and who looks at it see it. */
async function scene() {
  const server = await (await testServer()).database()
  const store = await openServerStore(server, 'test', () => undefined)
  const context = { ...place.context, server }
  const one = async <Row>(text: string): Promise<Row | undefined> => (await store.sql.all<Row>(text))[0]
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
      const left = `SELECT (SELECT count(*)::int FROM published_run) AS runs,
        (SELECT count(*)::int FROM worker) AS workers, (SELECT count(*)::int FROM agon_queue.job WHERE name !~ '^__') AS batches`
      expect(await one(left)).toEqual({ runs: 0, workers: 0, batches: 0 })
      // Connections of its own are closed, too: this look and the test's store are left.
      const connections = 'SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database()'
      await expect.poll(async () => (await one<{ n: number }>(connections))?.n).toBe(1)
    } finally {
      await store.close()
    }
  }, 120_000)

  it('publishes all that workers need, with its sources, and plays nothing itself where it is not to', async () => {
    const { context, store, one } = await scene()
    const stop = new AbortController()
    try {
      const notices: string[] = []
      const own = { ...context, notice: (text: string) => void notices.push(text), signal: stop.signal }
      const wished = { out: place.path('elsewhere'), trust: true, noIsolation: true, workersOnly: true }
      const playing = runContest(place.contest, { ...wished, jobs: 2, timed: 2, asked: 2 }, own, () => undefined)
      const read = () => one<{ published: PublishedRun }>('SELECT published FROM published_run')
      await expect.poll(read, { timeout: 60_000 }).toBeDefined()
      const published = (await read())?.published
      expect(published?.run).toMatchObject({
        game: { id: 'samurai' },
        seed: '9',
        contest: { options: { turns: 6, health: 1 } },
      })
      expect(published?.run.entrants.map(({ name }) => name)).toEqual(['Strike', 'Wait', 'Lost'])
      expect(published).toMatchObject({ trust: true, parcels: [{ spec: { module: 'strike.js' } }, {}, {}] })
      const sources = new Set(published?.run.entrants.map(({ source }) => source))
      expect(sources.size).toBe(3)
      expect(await store.lackingSources([...sources])).toEqual([])
      // What starts an entrant on this machine is not sent.
      expect(JSON.stringify(published?.run.entrants)).not.toContain(place.folder)
      await expect.poll(() => notices.join('\n'), { timeout: 30_000 }).toContain('no worker')
      expect(await workersThere(context)).toEqual([])
      stop.abort()
      expect(await playing).toMatchObject({ result: { played: 0, finished: false } })
      expect(await one('SELECT run FROM published_run')).toBeUndefined()
    } finally {
      stop.abort()
      await store.close()
    }
  }, 120_000)
})

describe.runIf(PROGRAMS !== undefined)('a bot that remembers the whole tournament', () => {
  it('plays where the contest runs, so that it needs no other machine', async () => {
    const { context, store } = await scene()
    try {
      const text = readFileSync(place.contest, 'utf8').replace('title =', 'memory = "tournament"\ntitle =')
      const labelled = place.write(
        'labelled.toml',
        text.replace('module = "wait.js"', 'module = "wait.js"\nlabels = ["gpu"]'),
      )
      const wished = { out: place.path('labelled'), trust: true, noIsolation: true, jobs: 1, timed: 1 }
      await expect(runContest(labelled, wished, context, () => undefined)).rejects.toThrow(
        'Wait remembers the whole tournament, so it plays on the machine that runs the contest: leave its labels out',
      )
    } finally {
      await store.close()
    }
  }, 120_000)
})

it('announces this machine as a worker', () => {
  const toolchains = { python3: '3.11' }
  const info = workerInfoOf({ labels: ['gpu'], slots: 2, toolchains }, { trust: true })
  expect(info).toMatchObject({ slots: 2, labels: ['gpu'], isolation: 'none', pid: process.pid, toolchains })
  expect(info.id).toMatch(/^[\w-]{1,40}-[0-9a-f]{8}$/)
})
