import type { Sql } from '../../store/index.js'
import type { Needs, PublishedRun } from './messages.js'

/*
 * What runs and workers know of each other: which runs are published, in which queues their jobs wait, what each queue needs, which workers
 * are there, and which of them cannot play whom. All of it is in the store's schema, beside the matches; times are the server's.
 */

/** Characters that are kept of what an entrant wrote on a worker. */
const STDERR = 65_536

/** A worker without a heartbeat for so many seconds is treated as dead. */
export const SILENT_S = 12

/** A worker as it announces itself. */
export interface WorkerInfo {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly agon: string
  readonly cores: number
  readonly slots: number
  readonly labels: readonly string[]
  /** By program: its version. */
  readonly toolchains: Readonly<Record<string, string>>
  /** How it holds strangers' bots: `cells`, or `none`. */
  readonly isolation: 'cells' | 'none'
}

/** A batch that a worker plays. */
export interface PlayingBatch {
  readonly run: string
  readonly batch: string
  /** Milliseconds since it was fetched. */
  readonly ms: number
}

/** A worker as others see it. */
export interface WorkerSeen extends WorkerInfo {
  readonly playing: readonly PlayingBatch[]
  /** Matches of its own that were stored, and faults in them. */
  readonly matches: number
  readonly faults: number
  /** ISO 8601. */
  readonly since: string
  readonly heard: string
  /** Seconds since its last heartbeat, by the server's clock. */
  readonly silent: number
  /** Why it gets no more batches; absent: it gets some. */
  readonly aside?: string
}

/** A queue of a run's batches. */
export interface RunQueue {
  readonly queue: string
  readonly run: string
  readonly needs: Needs
  /** Goes before all others. */
  readonly urgent: boolean
  readonly paused: boolean
  /** Its jobs are played no more. */
  readonly ended: boolean
  /** Batches may wait in it. */
  readonly open: boolean
}

/** Why a worker cannot play an entrant. */
export interface WorkerRefusal {
  readonly worker: string
  readonly entrant: string
  readonly why: string
}

export class Registry {
  constructor(private readonly sql: Sql) {}

  async announce({ id, host, pid, agon, cores, slots, labels, toolchains, isolation }: WorkerInfo): Promise<void> {
    await this.sql.run(
      `INSERT INTO worker (id, host, pid, agon, cores, slots, labels, toolchains, isolation) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (id) DO UPDATE SET heard = now(), gone = false`,
      [id, host, pid, agon, cores, slots, JSON.stringify(labels), JSON.stringify(toolchains), isolation],
    )
  }

  /** A sign of life. Resolves with why the worker was set aside, if it was. */
  async beat(id: string, playing: readonly PlayingBatch[]): Promise<string | undefined> {
    const rows = await this.sql.all<{ aside: string | null }>(
      'UPDATE worker SET heard = now(), playing = $2 WHERE id = $1 RETURNING aside',
      [id, JSON.stringify(playing)],
    )
    return rows[0]?.aside ?? undefined
  }

  async leave(id: string): Promise<void> {
    await this.sql.run(`UPDATE worker SET gone = true, playing = '[]', heard = now() WHERE id = $1`, [id])
  }

  /** Workers that have not left and had a heartbeat within the last hour, the oldest first. */
  async workers(): Promise<readonly WorkerSeen[]> {
    const rows = await this.sql.all<
      Omit<WorkerSeen, 'aside' | 'since' | 'heard'> & {
        readonly aside: string | null
        readonly since: Date
        readonly heard: Date
      }
    >(
      `SELECT id, host, pid, agon, cores, slots, labels, toolchains, isolation, playing, matches::int AS matches, faults::int AS faults, aside, since, heard,
         extract(epoch FROM now() - heard)::float8 AS silent FROM worker
       WHERE NOT gone AND heard > now() - interval '1 hour' ORDER BY since, id`,
    )
    return rows.map(({ aside, since, heard, ...worker }) => ({
      ...worker,
      since: since.toISOString(),
      heard: heard.toISOString(),
      aside: aside ?? undefined,
    }))
  }

  /** So many matches of a worker came to be stored, with so many faults. */
  async count(worker: string, matches: number, faults: number): Promise<void> {
    await this.sql.run('UPDATE worker SET matches = matches + $2, faults = faults + $3 WHERE id = $1', [
      worker,
      matches,
      faults,
    ])
  }

  /** A worker gets no more batches. */
  async setAside(worker: string, why: string): Promise<void> {
    await this.sql.run('UPDATE worker SET aside = $2 WHERE id = $1', [worker, why])
  }

  /** Those of these jobs' keys that the store holds. */
  async stored(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.sql.all<{ key: string }>(
      `SELECT encode(key, 'hex') AS key FROM job WHERE key = ANY(ARRAY(SELECT decode(json_array_elements_text($1::json), 'hex')))`,
      [JSON.stringify(keys)],
    )
    return new Set(rows.map(({ key }) => key))
  }

  /** Publishes a run, or publishes it again. */
  async publish(run: string, published: PublishedRun): Promise<void> {
    await this.sql.run(
      `INSERT INTO published_run (run, published) VALUES ($1, $2)
       ON CONFLICT (run) DO UPDATE SET published = excluded.published, ended = false, paused = false, waits = NULL`,
      [run, JSON.stringify(published)],
    )
  }

  /** Undefined: it is published no more. */
  async published(run: string): Promise<PublishedRun | undefined> {
    const rows = await this.sql.all<{ published: PublishedRun }>('SELECT published FROM published_run WHERE run = $1', [
      run,
    ])
    return rows[0]?.published
  }

  /** Whether workers hold the run's jobs back. */
  async pause(run: string, paused: boolean): Promise<void> {
    await this.sql.run('UPDATE published_run SET paused = $2 WHERE run = $1', [run, paused])
  }

  /** Why no worker plays what is left of a run; undefined: one does, or nothing is left. */
  async noteWaits(run: string, why: string | undefined): Promise<void> {
    await this.sql.run('UPDATE published_run SET waits = $2 WHERE run = $1', [run, why ?? null])
  }

  /** By run: why no worker plays what is left of it. */
  async waiting(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.sql.all<{ run: string; waits: string }>(
      'SELECT run, waits FROM published_run WHERE waits IS NOT NULL AND NOT ended AND NOT paused',
    )
    return new Map(rows.map(({ run, waits }) => [run, waits]))
  }

  /** The run's jobs are played no more: workers give up what they have of it. */
  async end(run: string): Promise<void> {
    await this.sql.run('UPDATE published_run SET ended = true WHERE run = $1', [run])
  }

  /** Removes what was published of a run, with its queues. */
  async remove(run: string): Promise<void> {
    await this.sql.run('DELETE FROM published_run WHERE run = $1', [run])
  }

  async addQueue(run: string, queue: string, needs: Needs, urgent: boolean): Promise<void> {
    await this.sql.run(
      `INSERT INTO run_queue (queue, run, needs, urgent) VALUES ($1, $2, $3, $4)
       ON CONFLICT (queue) DO UPDATE SET open = true`,
      [queue, run, JSON.stringify(needs), urgent],
    )
  }

  /** Whether batches may wait in a queue. */
  async setOpen(queue: string, open: boolean): Promise<void> {
    await this.sql.run('UPDATE run_queue SET open = $2 WHERE queue = $1', [queue, open])
  }

  /** The queues of all runs. */
  async queues(): Promise<readonly RunQueue[]> {
    const rows = await this.sql.all<RunQueue>(
      'SELECT q.queue, q.run, q.needs, q.urgent, q.open, p.paused, p.ended FROM run_queue q JOIN published_run p USING (run)',
    )
    return rows
  }

  /** A worker cannot play an entrant of a run. */
  async refuse(run: string, { worker, entrant, why }: WorkerRefusal): Promise<void> {
    await this.sql.run(
      `INSERT INTO refusal (run, worker, entrant, why) SELECT run, $2, $3, $4 FROM published_run WHERE run = $1
       ON CONFLICT (run, worker, entrant) DO UPDATE SET why = excluded.why`,
      [run, worker, entrant, withoutZeros(why)],
    )
  }

  /** Who cannot play whom in a run. */
  async refusals(run: string): Promise<readonly WorkerRefusal[]> {
    const rows = await this.sql.all<WorkerRefusal>('SELECT worker, entrant, why FROM refusal WHERE run = $1', [run])
    return rows
  }

  /** A worker has bots of a run, or none any more. */
  async setPresent(run: string, worker: string, present: boolean): Promise<void> {
    await this.sql.run(
      present
        ? 'INSERT INTO presence (run, worker) SELECT run, $2 FROM published_run WHERE run = $1 ON CONFLICT DO NOTHING'
        : 'DELETE FROM presence WHERE run = $1 AND worker = $2',
      [run, worker],
    )
  }

  /** Whether some worker that was heard of in the last so many seconds has bots of a run. */
  async isAnyPresent(run: string, seconds: number): Promise<boolean> {
    const rows = await this.sql.all(
      `SELECT 1 FROM presence p JOIN worker w ON w.id = p.worker
       WHERE p.run = $1 AND NOT w.gone AND w.heard > now() - $2 * interval '1 second' LIMIT 1`,
      [run, seconds],
    )
    return rows.length > 0
  }

  /** Keeps the end of what a run's bots wrote to their standard error on a worker. */
  async keepStderr(run: string, worker: string, texts: ReadonlyMap<string, string>): Promise<void> {
    for (const [entrant, text] of texts)
      await this.sql.run(
        `INSERT INTO worker_stderr (run, worker, entrant, text) SELECT run, $2, $3, right($4, $5) FROM published_run WHERE run = $1
         ON CONFLICT (run, worker, entrant) DO UPDATE SET text = right(worker_stderr.text || excluded.text, $5)`,
        [run, worker, entrant, withoutZeros(text), STDERR],
      )
  }

  /** By entrant: the end of what it wrote, worker after worker. */
  async stderr(run: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.sql.all<{ entrant: string; text: string }>(
      'SELECT entrant, text FROM worker_stderr WHERE run = $1 ORDER BY worker',
      [run],
    )
    const texts = new Map<string, string>()
    for (const { entrant, text } of rows) texts.set(entrant, ((texts.get(entrant) ?? '') + text).slice(-STDERR))
    return texts
  }
}

/** PostgreSQL keeps no zero bytes in texts. */
const withoutZeros = (text: string): string => text.replaceAll('\0', '\uFFFD')
