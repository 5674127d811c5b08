import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { PgBoss } from 'pg-boss'
import { UserError, message, option } from '../../core/index.js'
import { attempt } from '../../files/index.js'
import { type ServerStore, type Sql, type Value, isLost } from '../../store/index.js'
import type { BatchData, BatchResult, JobAnswer, WorkerStderr } from './messages.js'

/*
 * Batches and their results as jobs of pg-boss, by its public functions. A fetched batch is leased: its worker touches it every few seconds. If
 * nobody does for LEASE_S, pg-boss puts it back, and another worker fetches it. A worker ends a batch and sends its result in one transaction,
 * only if it still holds the batch: so a batch has one result.
 */

const QUEUE_SCHEMA = 'agon_queue'
/** Seconds after a batch's last touch until another worker gets it. */
const LEASE_S = 10
/** Seconds between two looks for such batches, by all connections together. */
const WATCH_S = 2
/** Seconds pg-boss lets a batch take: the coordinator has its own deadline. */
const LONGEST_S = 23 * 3600
/** How often pg-boss is started before its error is thrown, and milliseconds between attempts. */
const ATTEMPTS = 4
const MEETING_MS = 300
/** Bytes of a result as JSON, before compression: PostgreSQL keeps no text of 1 GB, and Node makes none of half that. */
const RESULT_BYTES = 128 * 1024 ** 2

export interface FetchedBatch extends BatchData {
  readonly queue: string
  readonly id: string
  readonly retryCount: number
}

/** The answers that fit in one result of so many bytes: other jobs are handed back, unless their records alone are too long. */
export function fitting(answers: readonly JobAnswer[], most = RESULT_BYTES): readonly JobAnswer[] {
  let left = most
  return answers.map((answer) => {
    if (!('records' in answer)) return answer
    const { key, records } = answer
    const bytes = records.reduce((sum, record) => sum + Buffer.byteLength(JSON.stringify(record)), 0)
    if (bytes > most) return { key, tooLong: bytes }
    if (bytes > left) return { key, back: true }
    left -= bytes
    return answer
  })
}

/** The error for a job of this key that takes so many bytes. */
export function tooLong(key: string, bytes: number): UserError {
  const megabytes = (n: number): number => Math.ceil(n / 1024 ** 2)
  return new UserError(
    message`the matches of ${key.slice(0, 100)} are played together and take ${megabytes(bytes)} MB to send, and workers take ${megabytes(RESULT_BYTES)} MB at most: play this contest with ${option('store', 'workspace')}`,
  )
}

export type Brought = BatchResult | WorkerStderr

/** Compressed, as records repeat themselves. */
const packed = (brought: Brought): { readonly gzip: string } => ({
  gzip: gzipSync(JSON.stringify(brought), { level: 1 }).toString('base64'),
})

export const resultsOf = (run: string): string => `${run}-results`

export class Queues {
  private constructor(
    private readonly boss: PgBoss,
    private readonly store: ServerStore,
  ) {}

  /** Uses the store's connections. Only here pg-boss is loaded. */
  static async open(store: ServerStore, trouble: (error: unknown) => void): Promise<Queues> {
    const { PgBoss } = await import('pg-boss')
    for (let tries = 1; ; tries++) {
      const boss = new PgBoss({
        db: databaseOf(store.sql),
        schema: QUEUE_SCHEMA,
        schedule: false,
        superviseIntervalSeconds: WATCH_S,
        monitorIntervalSeconds: WATCH_S,
        reindex: false,
      })
      boss.on('error', trouble)
      // Advice about the server's upkeep.
      boss.on('warning', () => undefined)
      try {
        await boss.start()
        return new Queues(boss, store)
      } catch (error) {
        // Two processes may make pg-boss's tables at the same moment.
        if (tries === ATTEMPTS || isLost(error)) throw error
        await sleep(MEETING_MS)
      }
    }
  }

  async make(queue: string): Promise<void> {
    await this.boss.createQueue(queue, {
      retryLimit: 1000,
      retryDelay: 0,
      expireInSeconds: LONGEST_S,
      heartbeatSeconds: LEASE_S,
      deleteAfterSeconds: 3600,
      retentionSeconds: 14 * 24 * 3600,
    })
  }

  async remove(queue: string): Promise<void> {
    await this.boss.deleteQueue(queue)
  }

  /** Sends batches, each under its id (a UUID). */
  async send(queue: string, batches: readonly { readonly id: string; readonly data: BatchData }[]): Promise<void> {
    await this.boss.insert(queue, batches)
  }

  async clear(queue: string): Promise<void> {
    await this.boss.deleteQueuedJobs(queue)
  }

  /** A queue's next batch; undefined: none. */
  async fetch(queue: string): Promise<FetchedBatch | undefined> {
    const [job] = await this.boss.fetch(queue, { batchSize: 1 })
    return job && { ...(job.data as BatchData), queue, id: job.id, retryCount: job.retryCount }
  }

  /** Renews the leases of these batches. Returns the ids of lost ones. */
  async touch(batches: readonly FetchedBatch[]): Promise<ReadonlySet<string>> {
    const gone = new Set<string>()
    for (const queue of new Set(batches.map((one) => one.queue))) {
      const own = batches.filter((one) => one.queue === queue)
      const attempts = own.map(({ id, retryCount }) => ({ id, retryCount }))
      const { settled = [] } = await this.boss.touch(queue, attempts)
      const held = new Set(settled)
      for (const { id } of own) if (!held.has(id)) gone.add(id)
    }
    return gone
  }

  /** Ends a batch and sends its result, both or neither. False: the batch is another worker's, or was taken back. */
  async end({ queue, run, id, retryCount }: FetchedBatch, result: BatchResult): Promise<boolean> {
    const data = packed({ ...result, answers: fitting(result.answers) })
    return this.store.sql.transaction(async (sql) => {
      const db = databaseOf(sql)
      const { affected } = await this.boss.complete(queue, { id, retryCount }, {}, { db })
      if (affected > 0) await this.boss.insert(resultsOf(run), [{ data }], { db })
      return affected > 0
    })
  }

  async bring(run: string, written: WorkerStderr): Promise<void> {
    await this.boss.insert(resultsOf(run), [{ data: packed(written) }])
  }

  /** What workers brought of a run, each once, without what is unreadable: no agon sent that. */
  async brought(run: string, most: number): Promise<Brought[]> {
    const jobs = await this.boss.fetch(resultsOf(run), { batchSize: most })
    if (jobs.length === 0) return []
    const brought = jobs.flatMap(({ data }) => unpacked(data) ?? [])
    const ids = jobs.map(({ id }) => id)
    await this.boss.deleteJob(resultsOf(run), ids)
    return brought
  }

  /** Takes batches back, whoever plays them. */
  async forget(queue: string, ids: readonly string[]): Promise<void> {
    await this.boss.deleteJob(queue, [...ids])
  }

  async close(): Promise<void> {
    await this.boss.stop({ graceful: false, close: false }).catch(() => undefined)
  }
}

const databaseOf = (sql: Sql) => ({
  executeSql: async (text: string, values?: unknown[]) => ({ rows: await sql.all(text, values as Value[]) }),
})

const unpacked = (data: unknown): Brought | undefined =>
  attempt(() => {
    const { gzip } = data as ReturnType<typeof packed>
    return JSON.parse(gunzipSync(Buffer.from(gzip, 'base64')).toString()) as Brought
  })
