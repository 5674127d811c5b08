import { WorkerLostError, type JobRequest, type JobResponse, type WorkerPool } from '../../src/engine/index.js'
import gunduel from '../../src/games/gunduel/index.js'
import type { ServerStore } from '../../src/store/index.js'
import { openServerStore } from '../../src/store/postgres/store.js'
import { Batches } from '../../src/workers/queue/boss.js'
import { Board } from '../../src/workers/queue/board.js'
import { JobVerifier } from '../../src/workers/queue/job-verifier.js'
import type { PostedRun } from '../../src/workers/queue/messages.js'
import type { OwnBatches } from '../../src/workers/queue/own-batches.js'
import { preparedRunOf } from '../../src/workers/queue/prepared-run.js'
import { QueuePool } from '../../src/workers/queue/queue-pool.js'
import { QueueWorker } from '../../src/workers/queue/queue-worker.js'
import { PROGRAMS, testServer } from './postgres.js'
import { postedDuels } from './posted.js'

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
  await (await openServerStore(url, 'test', () => undefined)).close()
  await (await Batches.open(url, 1, () => undefined)).close()
  return new URL(url).pathname.slice(1)
}

/** How a worker of a test plays a job of a run. */
export type Play = (request: JobRequest, run: string) => Promise<JobResponse>

/** Runs and workers on a database of their own, in which nothing is really played: what a worker answers decides the test. */
export class TestQueue {
  private readonly pools: QueuePool[] = []
  private readonly workers: QueueWorker[] = []
  /** Of workers that reach the database otherwise. */
  private readonly stores: ServerStore[] = []
  /** What workers and runs have noted. */
  readonly notes: string[] = []

  private constructor(
    readonly store: ServerStore,
    readonly batches: Batches,
    readonly board: Board,
  ) {}

  /** `url`: of a database that no other test uses; absent: one of the tests' server. */
  static async open(url?: string): Promise<TestQueue> {
    const store = await openServerStore(url ?? (await freshDatabase()), 'test', () => undefined)
    const batches = await Batches.open(store.url, 2, () => undefined)
    return new TestQueue(store, batches, new Board(batches.sql))
  }

  /** Posts a run of two entrants, with the labels that each needs. */
  async run(
    id: string,
    {
      labels = [[], []],
      ...more
    }: {
      readonly labels?: readonly (readonly string[])[]
      readonly cap?: number
      readonly urgent?: boolean
      readonly mine?: OwnBatches
      readonly takenBack?: number
    } = {},
  ): Promise<QueuePool> {
    const posted = postedRun(id)
    await this.board.post(id, posted, more.cap)
    const { store, batches, board } = this
    const verifier = new JobVerifier(posted, { definition: gunduel })
    const note = (text: string): void => void this.notes.push(text)
    const pool = new QueuePool({ run: id, posted, verifier, labels, store, batches, board, note, ...more })
    this.pools.push(pool)
    return pool
  }

  async worker(
    id: string,
    play: Play,
    {
      slots = 1,
      labels = [],
      only,
      url,
      mine,
    }: {
      readonly slots?: number
      readonly labels?: readonly string[]
      /** It plays this run alone. */
      readonly only?: string
      /** How it reaches the database; absent: as the test does. */
      readonly url?: string
      /** It is a run's own. */
      readonly mine?: OwnBatches
    } = {},
  ): Promise<QueueWorker> {
    const about = { host: 'here', pid: process.pid, agon: 'test', cores: 2, toolchains: {}, isolation: 'none' as const }
    const store = url === undefined ? this.store : await openServerStore(url, 'test', () => undefined)
    if (url !== undefined) this.stores.push(store)
    const worker = await QueueWorker.start({
      store,
      workspace: '/nowhere',
      isolation: { trust: true },
      slots,
      agon: 'test',
      note: (text) => void this.notes.push(text),
      games: { files: new Map(), all: false },
      card: { id, slots, labels, ...about },
      rooms: '/nowhere',
      open: (posted) =>
        Promise.resolve(
          preparedRunOf(
            posted,
            { definition: gunduel },
            { pool: poolOf((request) => play(request, posted.setup.seed)) },
          ),
        ),
      only,
      mine,
    })
    this.workers.push(worker)
    return worker
  }

  /** Batches that wait or are played. */
  async underWay(): Promise<number> {
    const { rows } = await this.store.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM agon_queue.job WHERE name !~ '^__' AND state < 'completed'",
    )
    return rows[0]?.n ?? NaN
  }

  async close(): Promise<void> {
    // A test may have closed them before.
    await Promise.all(this.pools.map((one) => one.close().catch(() => undefined)))
    await Promise.all(this.workers.map((one) => one.stop()))
    await Promise.all(this.stores.map((one) => one.close()))
    await this.batches.close()
    await this.store.close()
  }
}

/** Two entrants; the seed is the run's id. */
export const postedRun = (id: string): PostedRun =>
  postedDuels(['One', 'Two'], { seed: id, options: gunduel.game.options, limits: {} })

/** Plays each job as it is told to, and ends what it plays when it is closed. */
function poolOf(play: (request: JobRequest) => Promise<JobResponse>): WorkerPool {
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
})
