import type { Sql } from '../../store/index.js'
import type { Needs, PublishedRun } from './messages.js'

/*
 * What runs and workers know of each other: a row a run, written by its coordinator, and a row a worker, written with each heartbeat. Both
 * are in the store's schema; times are the server's.
 */

/** Seconds without a heartbeat after which a worker is treated as dead. */
const SILENT_S = 12

export interface WorkerInfo {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly agon: string
  readonly cores: number
  readonly slots: number
  readonly labels: readonly string[]
  readonly toolchains: Readonly<Record<string, string>>
  /** How it holds strangers' bots: `cells`, or `none`. */
  readonly isolation: 'cells' | 'none'
}

export interface PlayingBatch {
  readonly run: string
  readonly batch: string
  /** Milliseconds since it was fetched. */
  readonly ms: number
}

export interface WorkerNews {
  readonly playing: readonly PlayingBatch[]
  /** The runs that it knows, with the names of entrants that cannot play there, and why. */
  readonly runs: readonly {
    readonly run: string
    readonly refused: readonly (readonly [name: string, why: string])[]
  }[]
}

export interface WorkerSeen extends WorkerInfo, Pick<WorkerNews, 'playing'> {
  /** Stored matches that it played, and faults in them. */
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

/** A worker that may play a run. */
export interface Player extends WorkerSeen {
  /** By entrant's name: why it cannot play there; undefined: it has nothing of the run. */
  readonly refused: ReadonlyMap<string, string> | undefined
}

export interface RunQueue {
  readonly queue: string
  readonly needs: Needs
}

export interface RunNews {
  readonly paused: boolean
  /** Its jobs are played no more: workers give them up. */
  readonly ended: boolean
  readonly urgent: boolean
  /** Why no worker plays what is left of it; absent: one does, or nothing is left. */
  readonly waits?: string
  readonly queues: readonly RunQueue[]
}

export type RunSeen = RunNews & { readonly run: string }

const NO_NEWS: RunNews = { paused: false, ended: false, urgent: false, queues: [] }

export class Registry {
  constructor(private readonly sql: Sql) {}

  /** A worker's heartbeat, with its description. Resolves with why it gets no more batches, if it was set aside. */
  async beat(info: WorkerInfo, news: WorkerNews): Promise<string | undefined> {
    const rows = await this.sql.all<{ aside: string | null }>(
      `INSERT INTO worker (id, info, news) VALUES ($1, $2, $3)
       ON CONFLICT (id) DO UPDATE SET news = excluded.news, heard = now() RETURNING aside`,
      [info.id, JSON.stringify(info), JSON.stringify(news)],
    )
    return rows[0]?.aside ?? undefined
  }

  async leave(id: string): Promise<void> {
    await this.sql.run('DELETE FROM worker WHERE id = $1', [id])
  }

  /** Workers with a heartbeat within the last hour, the oldest first. */
  async workers(): Promise<readonly WorkerSeen[]> {
    return (await this.rows()).map(seen)
  }

  async players(run: string): Promise<readonly Player[]> {
    const rows = (await this.rows()).filter(({ silent, aside }) => silent < SILENT_S && aside === null)
    return rows.map((row) => {
      const here = row.news.runs.find((one) => one.run === run)
      return { ...seen(row), refused: here && new Map(here.refused) }
    })
  }

  private rows(): Promise<WorkerRow[]> {
    return this.sql.all<WorkerRow>(
      `SELECT info, news, matches, faults, aside, since, heard, extract(epoch FROM now() - heard)::float8 AS silent
       FROM worker WHERE heard > now() - interval '1 hour' ORDER BY since, id`,
    )
  }

  /** Counts a worker's stored matches and their faults. */
  async count(worker: string, matches: number, faults: number): Promise<void> {
    const text = 'UPDATE worker SET matches = matches + $2, faults = faults + $3 WHERE id = $1'
    await this.sql.run(text, [worker, matches, faults])
  }

  async setAside(worker: string, why: string): Promise<void> {
    await this.sql.run('UPDATE worker SET aside = $2 WHERE id = $1', [worker, why])
  }

  async publish(run: string, published: PublishedRun): Promise<void> {
    await this.sql.run(
      `INSERT INTO published_run (run, published, news) VALUES ($1, $2, $3)
       ON CONFLICT (run) DO UPDATE SET published = excluded.published, news = excluded.news`,
      [run, JSON.stringify(published), JSON.stringify(NO_NEWS)],
    )
  }

  /** Undefined: no longer published. */
  async published(run: string): Promise<PublishedRun | undefined> {
    const text = 'SELECT published FROM published_run WHERE run = $1'
    return (await this.sql.all<{ published: PublishedRun }>(text, [run]))[0]?.published
  }

  async tell(run: string, news: RunNews): Promise<void> {
    await this.sql.run('UPDATE published_run SET news = $2 WHERE run = $1', [run, JSON.stringify(news)])
  }

  async runs(): Promise<readonly RunSeen[]> {
    const rows = await this.sql.all<{ run: string; news: RunNews }>('SELECT run, news FROM published_run')
    return rows.map(({ run, news }) => ({ ...news, run }))
  }

  /** By run: why no worker plays what is left of it. */
  async waiting(): Promise<ReadonlyMap<string, string>> {
    const rows = (await this.runs()).filter(({ ended, paused }) => !ended && !paused)
    return new Map(rows.flatMap(({ run, waits }) => (waits === undefined ? [] : [[run, waits]])))
  }

  async remove(run: string): Promise<void> {
    await this.sql.run('DELETE FROM published_run WHERE run = $1', [run])
  }
}

interface WorkerRow extends Pick<WorkerSeen, 'matches' | 'faults' | 'silent'> {
  readonly info: WorkerInfo
  readonly news: WorkerNews
  readonly aside: string | null
  readonly since: Date
  readonly heard: Date
}

const seen = ({ info, news, aside, since, heard, ...counts }: WorkerRow): WorkerSeen => ({
  ...info,
  ...counts,
  playing: news.playing,
  since: since.toISOString(),
  heard: heard.toISOString(),
  aside: aside ?? undefined,
})
