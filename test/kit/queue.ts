import { createHash } from 'node:crypto'
import { WorkerLostError, type JobRequest, type JobResponse, type WorkerPool } from '../../src/engine/index.js'
import type { ServerStore } from '../../src/store/index.js'
import { openServerStore } from '../../src/store/postgres/store.js'
import type { PublishedRun } from '../../src/workers/queue/messages.js'
import { type LocalSetting, QueuePool } from '../../src/workers/queue/queue-pool.js'
import { QueueWorker } from '../../src/workers/queue/queue-worker.js'
import { Queues } from '../../src/workers/queue/queues.js'
import { Registry } from '../../src/workers/queue/registry.js'
import { PROGRAMS, testServer } from './postgres.js'
import { playableDuels, publishedDuels } from './published.js'
import { runOf } from './records.js'

let made = 0

/** A database with all tables: a copy of one that was made once. */
export async function freshDatabase(): Promise<string> {
  const server = await testServer()
  const name = `queue${made++}`
  await server.query('postgres', `create database ${name} template ${await template}`)
  return server.url(name)
}

const template = makeTemplate()
async function makeTemplate(): Promise<string> {
  if (PROGRAMS === undefined) return ''
  const url = await (await testServer()).database()
  const store = await openServerStore(url, 'test', () => undefined)
  await (await Queues.open(store, () => undefined)).close()
  await store.close()
  return new URL(url).pathname.slice(1)
}

/** How a worker of a test plays a job of a run. */
export type Play = (request: JobRequest, run: string) => Promise<JobResponse>

/** Runs and workers on a database of their own, in which nothing is really played: what a worker answers decides the test. */
export class TestQueue {
  private readonly pools: QueuePool[] = []
  private readonly workers: QueueWorker[] = []
  /** What workers and runs have noted. */
  readonly notes: string[] = []

  private constructor(
    readonly store: ServerStore,
    readonly queues: Queues,
    readonly registry: Registry,
  ) {}

  /** `url`: of a database that no other test uses; absent: one of the tests' server. */
  static async open(url?: string): Promise<TestQueue> {
    const store = await openServerStore(url ?? (await freshDatabase()), 'test', () => undefined)
    return new TestQueue(store, await Queues.open(store, () => undefined), new Registry(store.sql))
  }

  /** Publishes a run of two entrants, with the labels that each needs. */
  async run(
    id: string,
    {
      labels = [[], []],
      ...more
    }: {
      readonly labels?: readonly (readonly string[])[]
      readonly cap?: number
      readonly urgent?: boolean
      readonly local?: LocalSetting
    } = {},
  ): Promise<QueuePool> {
    const published = publishedRun(id)
    if ((await this.store.run(id)) === undefined) await this.store.addRun(runOf(id))
    await this.registry.publish(id, published)
    const { store, queues, registry } = this
    const duels = playableDuels(published)
    const run = { ...duels, entrants: duels.entrants.map((one, i) => ({ ...one, labels: labels[i] })) }
    const note = (text: string): void => void this.notes.push(text)
    const pool = new QueuePool({ run, store, queues, registry, note, ...more })
    this.pools.push(pool)
    return pool
  }

  async worker(
    id: string,
    play: Play,
    {
      slots = 1,
      labels = [],
      store = this.store,
    }: { readonly slots?: number; readonly labels?: readonly string[]; readonly store?: ServerStore } = {},
  ): Promise<QueueWorker> {
    const about = { host: 'here', pid: process.pid, agon: 'test', cores: 2, toolchains: {}, isolation: 'none' as const }
    const worker = await QueueWorker.start({
      store,
      workspace: '/nowhere',
      isolation: { trust: true },
      slots,
      agon: 'test',
      note: (text) => void this.notes.push(text),
      info: { id, slots, labels, ...about },
      rooms: '/nowhere',
      open: (published) =>
        Promise.resolve({ pool: poolOf((request) => play(request, published.run.id)), refused: new Map() }),
    })
    this.workers.push(worker)
    return worker
  }

  /** Batches that wait or are played. */
  async underWay(): Promise<number> {
    const rows = await this.store.sql.all<{ n: number }>(
      "SELECT count(*)::int AS n FROM agon_queue.job WHERE name !~ '^__' AND state < 'completed'",
    )
    return rows[0]?.n ?? NaN
  }

  async close(): Promise<void> {
    // A test may have closed them before.
    await Promise.all(this.pools.map((one) => one.close().catch(() => undefined)))
    await Promise.all(this.workers.map((one) => one.stop()))
    await this.queues.close()
    await this.store.close()
  }
}

/** Two entrants; the seed is the run's id. */
export const publishedRun = (id: string): PublishedRun => publishedDuels(['One', 'Two'], { id, seed: id })

/** Plays each job as it is told to, and ends what it plays when it is closed. */
export function poolOf(play: (request: JobRequest) => Promise<JobResponse>): WorkerPool {
  let end: (error: Error) => void = () => undefined
  const ended = new Promise<never>((_, failed) => (end = failed))
  ended.catch(() => undefined)
  return {
    play: (batch) => Promise.race([Promise.all(batch.map((request) => play(request))), ended]),
    close() {
      end(new WorkerLostError('the workers have ended'))
      return Promise.resolve(new Map())
    },
  }
}

/** Asks for a match of these entrants. */
export const requestOf = (key: string, seats: readonly number[] = [0, 1]): JobRequest => ({
  job: { key, pairings: [{ key, seats, deal: 1 }] },
  disturbed: 0,
  key: createHash('md5').update(key).digest('hex'),
})
