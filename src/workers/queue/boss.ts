import type { Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import { UserError, message, option } from '../../core/index.js'
import type { Transaction } from '../../store/index.js'
import { acceptBatch } from './accept.js'
import type { BatchData, BatchOutcome } from './messages.js'

/*
 * Batches as jobs of pg-boss. Theory of operation.
 *
 * A batch that is fetched is leased: its worker touches it every few seconds. One that is not touched for LEASE_S goes back into its
 * queue and is fetched by another worker. The first one learns, when it ends the batch, that the attempt is not its own any more (pg-boss
 * compares how often the job was tried). So a batch is ended once, by its holder, in the transaction that stores its matches.
 */

/** The schema of pg-boss's tables. */
export const QUEUE_SCHEMA = 'agon_queue'
/** Seconds after the last touch of a batch until it is another's. */
const LEASE_S = 10
/** Seconds between two looks for such batches, of all that are connected together. */
const WATCH_S = 2
/** Bytes that are read of what is said of a batch, at most: a worker says far less. */
const OUTCOME_BYTES = 16 * 1024 ** 2
/** Bytes that are read of a batch, at most. */
const BATCH_BYTES = 128 * 1024 ** 2
/** Bytes of a batch that is sent, at most: PostgreSQL writes it with more spaces. */
const SENT_BYTES = BATCH_BYTES / 2
/** Seconds that a batch may take, whatever happens to it. */
const LONGEST_S = 6 * 3600

/** What pg-boss's statements are run with. */
interface Db {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** A batch that this process has fetched. */
export interface FetchedBatch extends BatchData {
  readonly queue: string
  readonly id: string
  /** How often it was tried before. */
  readonly retryCount: number
}

/** Batches that are played are counted five times a second: without an index each look goes through all that wait. A user who may not create indexes does without. */
async function indexActive(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>(
    `SELECT to_regclass('${QUEUE_SCHEMA}.agon_active') IS NOT NULL AS there`,
  )
  if (rows[0]?.there === true) return
  const make = `CREATE INDEX IF NOT EXISTS agon_active ON ${QUEUE_SCHEMA}.job_common (name) WHERE state = 'active'`
  await pool.query(make).catch(() => undefined)
}

/**
 * Bounds what workers may say of batches, and send: whoever has their user of the database could else fill its disk with one row. A user who may
 * not change the table does without.
 */
async function bound(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = 'agon_bytes' AND conrelid = '${QUEUE_SCHEMA}.job_common'::regclass) AS there`,
  )
  if (rows[0]?.there === true) return
  const check = `coalesce(pg_column_size(data), 0) <= ${BATCH_BYTES} AND coalesce(pg_column_size(output), 0) <= ${OUTCOME_BYTES}`
  const add = `ALTER TABLE ${QUEUE_SCHEMA}.job_common ADD CONSTRAINT agon_bytes CHECK (${check}) NOT VALID`
  await pool.query(add).catch(() => undefined)
}

/** Throws UserError for a batch of this JSON that no worker would take. `what`: the matches in it. */
export function refuseLong(json: string, what: string): void {
  const bytes = Buffer.byteLength(json)
  if (bytes <= SENT_BYTES) return
  const megabytes = (n: number): number => Math.ceil(n / 1024 ** 2)
  throw new UserError(
    message`${what} are played together and take ${megabytes(bytes)} MB to describe, and workers take ${megabytes(SENT_BYTES)} MB at most: play this contest with ${option('store', 'workspace')}`,
  )
}

/** Whether more than one batch should be made of what has this JSON. */
export const isLong = (json: string): boolean => json.length > SENT_BYTES / 4

/** Has pg-boss take a batch without its data, where these are too long: anyone with access to the tables could have written them. */
const bounded = (db: Db): Db => ({
  executeSql: (text, values) =>
    db.executeSql(
      `WITH taken AS (${text}) SELECT id, "retryCount", CASE WHEN octet_length(data::text) <= ${BATCH_BYTES} THEN data END AS data FROM taken`,
      values,
    ),
})

/** The batches of all runs on a server. */
export class Batches {
  private constructor(
    private readonly boss: PgBoss,
    private readonly pool: Pool,
  ) {}

  /** Its connections, for the board. */
  get sql(): Pick<Transaction, 'query'> {
    return {
      query: async <Row>(text: string, values: readonly unknown[] = []) => {
        const { rows, rowCount } = await this.pool.query(text, [...values])
        return { rows: rows as Row[], rowCount }
      },
    }
  }

  /** Connects to the server. pg-boss and pg are loaded here, and nowhere before. */
  static async open(url: string, connections: number, trouble: (error: unknown) => void): Promise<Batches> {
    const [{ default: pg }, { PgBoss }] = await Promise.all([import('pg'), import('pg-boss')])
    const pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      idle_in_transaction_session_timeout: 6000,
    })
    pool.on('error', trouble)
    const executeSql = async (text: string, values?: unknown[]) => pool.query(text, values)
    const boss = new PgBoss({
      db: { executeSql },
      schema: QUEUE_SCHEMA,
      schedule: false,
      supervise: true,
      superviseIntervalSeconds: WATCH_S,
      monitorIntervalSeconds: WATCH_S,
      reindex: false,
    })
    boss.on('error', trouble)
    // Advice about the server's upkeep.
    boss.on('warning', () => undefined)
    try {
      await boss.start()
      await indexActive(pool)
      await bound(pool)
    } catch (error) {
      await pool.end().catch(() => undefined)
      throw error
    }
    return new Batches(boss, pool)
  }

  /** Makes a queue, where it is not there. */
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

  /** Removes a queue with all that is in it. */
  async remove(queue: string): Promise<void> {
    await this.boss.deleteQueue(queue)
  }

  /** Sends batches, each under its id (a UUID): one that is there stays as it is. */
  async send(queue: string, batches: readonly { readonly id: string; readonly data: BatchData }[]): Promise<void> {
    await this.boss.insert(
      queue,
      batches.map(({ id, data }) => ({ id, data })),
    )
  }

  /** Deletes the batches that no worker has begun. */
  async clear(queue: string): Promise<void> {
    await this.boss.deleteQueuedJobs(queue)
  }

  /**
   * A batch of a run's queue; one that no agon sent there is removed. `cap`: so many of the run may be played at once. `known`: the batches of
   * that id that this process has sent itself, which need not be read.
   */
  async fetch(
    queue: string,
    run: string,
    cap?: number,
    known?: (id: string) => BatchData | undefined,
  ): Promise<FetchedBatch | undefined> {
    const job = cap === undefined ? await this.fetchJob(queue) : await this.fetchBelow(queue, run, cap)
    if (job === undefined) return undefined
    const data = known?.(job.id) ?? acceptBatch(job.data)
    if (data?.run === run) return { ...data, queue, id: job.id, retryCount: job.retryCount }
    await this.forget(queue, [job.id])
    return undefined
  }

  private async fetchJob(
    queue: string,
    db?: Db,
  ): Promise<{ id: string; data: unknown; retryCount: number } | undefined> {
    const from: Db = db ?? { executeSql: async (text, values) => this.pool.query(text, values) }
    const [job] = await this.boss.fetch(queue, { batchSize: 1, db: bounded(from) })
    return job
  }

  /** Workers that look at the same time take turns: one counts what is played, and fetches, and then the next. */
  private async fetchBelow(queue: string, run: string, cap: number) {
    const client = await this.pool.connect()
    let lost: Error | undefined
    const onError = (error: Error): void => void (lost = error)
    client.on('error', onError)
    try {
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [run])
      const { rows } = await client.query<{ active: number }>(
        `SELECT count(*)::int AS active FROM agon.lane l JOIN ${QUEUE_SCHEMA}.job j ON j.name = l.queue WHERE l.run = $1 AND j.state = 'active'`,
        [run],
      )
      const executeSql = async (text: string, values?: unknown[]) => client.query(text, values)
      const job = (rows[0]?.active ?? cap) < cap ? await this.fetchJob(queue, { executeSql }) : undefined
      await client.query('COMMIT')
      return job
    } catch (error) {
      await client.query('ROLLBACK').catch((failed: Error) => (lost ??= failed))
      throw error
    } finally {
      client.removeListener('error', onError)
      client.release(lost)
    }
  }

  /** Renews the leases of these batches. Returns the ids of those whose lease is lost. */
  async touch(batches: readonly FetchedBatch[]): Promise<ReadonlySet<string>> {
    const gone = new Set<string>()
    const queues = new Set(batches.map(({ queue }) => queue))
    for (const queue of queues) {
      const own = batches.filter((one) => one.queue === queue)
      const attempts = own.map(({ id, retryCount }) => ({ id, retryCount }))
      const { settled = [] } = await this.boss.touch(queue, attempts)
      const held = new Set(settled)
      for (const { id } of own) if (!held.has(id)) gone.add(id)
    }
    return gone
  }

  /** Ends a batch within a transaction. False: it is another's, or was taken back. */
  async end(tx: Transaction, { queue, id, retryCount }: FetchedBatch, outcome: BatchOutcome): Promise<boolean> {
    const db = { executeSql: async (text: string, values?: unknown[]) => tx.query(text, values) }
    const { affected } = await this.boss.complete(queue, { id, retryCount }, outcome, { db })
    return affected > 0
  }

  /** What became of batches that have ended, and which are not there any more. */
  async outcomes(queues: readonly string[], ids: readonly string[]): Promise<Outcomes> {
    const { rows } = await this.pool.query<{ id: string; state: string; output: unknown }>(
      `SELECT id, state, CASE WHEN octet_length(output::text) <= $3 THEN output END AS output
       FROM ${QUEUE_SCHEMA}.job WHERE name = ANY($1) AND id = ANY($2::uuid[])`,
      [queues, ids, OUTCOME_BYTES],
    )
    const there = new Set(rows.map(({ id }) => id))
    const ended = rows.flatMap(({ id, state, output }) => (state === 'completed' ? [{ id, output }] : []))
    const waiting = rows.filter(({ state }) => state === 'created' || state === 'retry').length
    const failed = rows.flatMap(({ id, state }) => (state === 'failed' || state === 'cancelled' ? [id] : []))
    return { ended, waiting, gone: [...ids.filter((id) => !there.has(id)), ...failed] }
  }

  /** Removes batches whose outcomes are known. */
  async forget(queue: string, ids: readonly string[]): Promise<void> {
    await this.boss.deleteJob(queue, [...ids])
  }

  async close(): Promise<void> {
    await this.boss.stop({ graceful: false, close: false }).catch(() => undefined)
    await this.pool.end().catch(() => undefined)
  }
}

export interface Outcomes {
  /** `output`: as it was said of it, a `BatchOutcome` if all goes well; null: more was said than any worker says. */
  readonly ended: readonly { readonly id: string; readonly output: unknown }[]
  /** How many no worker has begun. */
  readonly waiting: number
  /** Batches that no worker will end: their last attempt has failed, or they were deleted. */
  readonly gone: readonly string[]
}
