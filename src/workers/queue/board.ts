import { UserError, message, option } from '../../core/index.js'
import { type Transaction, storedJobs } from '../../store/index.js'
import { QUEUE_SCHEMA } from './boss.js'
import { acceptLanes, acceptWorkers } from './accept-rows.js'
import type { Lane, WorkerCard, WorkerSeen } from './board-rows.js'
import type { Needs, PostedRun } from './messages.js'

/*
 * What runs and workers know of each other: which runs have jobs, in which queues (lanes), what each lane needs, who is there to play,
 * and who cannot play whom. All of it is in the schema `agon`, beside the matches; times are the server's.
 */

/** Bytes that are read of what was posted of a run, at most. */
const POSTED_BYTES = 64 * 1024 ** 2
/** Characters that are kept of what an entrant wrote on a worker, and such texts that are read of a run. */
const WRITTEN = 65_536
const ROWS = 10_000
/** Bytes of what a worker says of itself, as JSON. */
const CARD_BYTES = 50_000
/** Bytes of its row: tables of another user may bound none, and one that says more is not there. */
const ROW_BYTES = 80_000
/** Runs of which a worker says that it plays them. */
const PLAYING = 50
/** Characters of why a worker cannot play an entrant. */
const WHY = 2000

/** A worker without a heartbeat for so many seconds is treated as dead. */
export const SILENT_S = 12

export class Board {
  constructor(private readonly sql: Pick<Transaction, 'query'>) {}

  /** `only`: the run that it plays alone; absent: it plays all. Throws UserError where the worker says too much of itself. */
  async announce(card: WorkerCard, only?: string): Promise<void> {
    const { id, host, pid, agon, cores, slots, labels, toolchains, isolation } = card
    const bytes = Buffer.byteLength(JSON.stringify(card))
    if (bytes > CARD_BYTES)
      throw new UserError(
        message`this worker says ${bytes} bytes of itself, and the store keeps ${CARD_BYTES} at most: give it fewer labels (${option('labels')})`,
      )
    await this.sql.query(
      `INSERT INTO agon.worker (id, host, pid, agon, cores, slots, labels, toolchains, isolation, only_run) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (id) DO UPDATE SET heard = now(), gone = false, only_run = excluded.only_run`,
      [id, host, pid, agon, cores, slots, JSON.stringify(labels), JSON.stringify(toolchains), isolation, only ?? null],
    )
  }

  /** A sign of life. Resolves with why it was set aside, if it was. */
  async beat(id: string, playing: readonly string[]): Promise<string | undefined> {
    const runs = JSON.stringify(playing.slice(0, PLAYING).map((run) => ({ run })))
    const { rows } = await this.sql.query<{ aside: string | null }>(
      'UPDATE agon.worker SET heard = now(), playing = $2 WHERE id = $1 RETURNING aside',
      [id, runs],
    )
    return rows[0]?.aside ?? undefined
  }

  async leave(id: string): Promise<void> {
    await this.sql.query(`UPDATE agon.worker SET gone = true, playing = '[]', heard = now() WHERE id = $1`, [id])
  }

  /**
   * Workers that have not left and had a heartbeat within the last hour, the oldest first. `run`: those alone that may play it, which the own
   * workers of other runs do not.
   */
  async workers(run?: string): Promise<readonly WorkerSeen[]> {
    const { rows } = await this.sql.query<Record<string, unknown>>(
      `SELECT id, host, pid, agon, cores, slots, labels, toolchains, isolation, playing, matches::int AS matches, faults::int AS faults, aside, since, heard,
         extract(epoch FROM now() - heard)::float8 AS silent FROM agon.worker
       WHERE NOT gone AND heard > now() - interval '1 hour'
         AND octet_length(concat(id, host, agon, labels, toolchains, isolation, playing, aside)) <= ${ROW_BYTES}
         AND ($1::text IS NULL OR only_run IS NULL OR only_run = $1)
       ORDER BY since, id LIMIT ${ROWS}`,
      [run ?? null],
    )
    return acceptWorkers(rows)
  }

  /** Those of these jobs' keys that the store holds. */
  stored(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return storedJobs(this.sql, keys)
  }

  /** The worker that is said to have stored a job; undefined: none is. */
  async playedBy(key: string): Promise<string | undefined> {
    const { rows } = await this.sql.query<{ id: string }>(
      'SELECT left(w.id, 200) AS id FROM agon.match m JOIN agon.worker w ON w.number = m.worker WHERE m.unit = $1 LIMIT 1',
      [Buffer.from(key, 'hex')],
    )
    return rows[0]?.id
  }

  /** How often matches were taken back from a run; its workers may not read that. */
  async takenBack(run: string): Promise<number> {
    const { rows } = await this.sql.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM agon.log WHERE run = (SELECT number FROM agon.run WHERE id = $1) AND what = 'took back'",
      [run],
    )
    return rows[0]?.n ?? 0
  }

  /** Posts a run, or posts it again. */
  async post(run: string, posted: PostedRun, cap: number | undefined): Promise<void> {
    await this.sql.query(
      `INSERT INTO agon.posting (run, posted, cap) VALUES ($1, $2, $3)
       ON CONFLICT (run) DO UPDATE SET posted = excluded.posted, cap = excluded.cap, ended = false`,
      [run, JSON.stringify(posted), cap ?? null],
    )
  }

  /** What was posted of a run: not to be trusted before `acceptRun` has checked it. Undefined: nothing, or more than a run can be. */
  async posted(run: string): Promise<unknown> {
    const { rows } = await this.sql.query<{ posted: unknown }>(
      'SELECT posted FROM agon.posting WHERE run = $1 AND octet_length(posted::text) <= $2',
      [run, POSTED_BYTES],
    )
    return rows[0]?.posted
  }

  /** The run's jobs are played no more: workers give up what they have of it. */
  async end(run: string): Promise<void> {
    await this.sql.query('UPDATE agon.posting SET ended = true WHERE run = $1', [run])
  }

  /** Removes what was posted of a run, with its lanes. */
  async unpost(run: string): Promise<void> {
    await this.sql.query('DELETE FROM agon.posting WHERE run = $1', [run])
  }

  async addLane(run: string, queue: string, needs: Needs, urgent: boolean): Promise<void> {
    await this.sql.query(
      'INSERT INTO agon.lane (queue, run, needs, urgent) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [queue, run, JSON.stringify(needs), urgent],
    )
  }

  /** Whether any run has jobs for workers. */
  async isPosted(): Promise<boolean> {
    const { rows } = await this.sql.query('SELECT 1 FROM agon.posting WHERE NOT ended LIMIT 1')
    return rows.length > 0
  }

  /** The lanes of all runs, or of one. */
  async lanes(only?: string): Promise<readonly Lane[]> {
    const { rows } = await this.sql.query<unknown>(
      `SELECT l.queue, l.run, l.needs, l.urgent, p.cap, p.ended, coalesce(r.state = 'paused', false) AS paused,
         coalesce((SELECT true FROM ${QUEUE_SCHEMA}.job j WHERE j.name = l.queue AND j.state < 'active' AND NOT j.blocked LIMIT 1), false) AS ready,
         (SELECT count(*)::int FROM ${QUEUE_SCHEMA}.job a WHERE a.name = l.queue AND a.state = 'active') AS active
       FROM agon.lane l JOIN agon.posting p USING (run) LEFT JOIN agon.run r ON r.id = l.run
       WHERE $1::text IS NULL OR l.run = $1`,
      [only ?? null],
    )
    return acceptLanes(rows).map(({ cap, ...row }) => ({ ...row, cap: cap ?? undefined }))
  }

  /** A worker cannot play an entrant of a run. */
  async refuse(run: string, worker: string, entrant: string, why: string): Promise<void> {
    await this.sql.query(
      `INSERT INTO agon.refusal (run, worker, entrant, why) SELECT run, $2, $3, $4 FROM agon.posting WHERE run = $1
       ON CONFLICT (run, worker, entrant) DO UPDATE SET why = excluded.why`,
      [run, worker, entrant, why.slice(0, WHY).replaceAll('\0', '\uFFFD')],
    )
  }

  /** Who cannot play whom in a run. */
  async refusals(
    run: string,
  ): Promise<readonly { readonly worker: string; readonly entrant: string; readonly why: string }[]> {
    const { rows } = await this.sql.query<{ worker: string; entrant: string; why: string }>(
      'SELECT left(worker, 200) AS worker, left(entrant, 1000) AS entrant, left(why, $2) AS why FROM agon.refusal WHERE run = $1 LIMIT $3',
      [run, WHY, ROWS],
    )
    return rows
  }

  /** A worker has bots of a run, or none any more. */
  async setPlace(run: string, worker: string, there: boolean): Promise<void> {
    await this.sql.query(
      there
        ? 'INSERT INTO agon.place (run, worker) SELECT run, $2 FROM agon.posting WHERE run = $1 ON CONFLICT DO NOTHING'
        : 'DELETE FROM agon.place WHERE run = $1 AND worker = $2',
      [run, worker],
    )
  }

  /** Whether some worker that was heard of in the last so many seconds has bots of a run. */
  async hasPlaces(run: string, seconds: number): Promise<boolean> {
    const { rows } = await this.sql.query(
      `SELECT 1 FROM agon.place p JOIN agon.worker w ON w.id = p.worker
       WHERE p.run = $1 AND NOT w.gone AND w.heard > now() - $2 * interval '1 second' LIMIT 1`,
      [run, seconds],
    )
    return rows.length > 0
  }

  /** Keeps the end of what a run's bots wrote to their standard error on a worker. */
  async write(run: string, worker: string, texts: ReadonlyMap<string, string>): Promise<void> {
    for (const [entrant, text] of texts)
      await this.sql.query(
        `INSERT INTO agon.written (run, worker, entrant, text) SELECT run, $2, $3, right($4, $5) FROM agon.posting WHERE run = $1
         ON CONFLICT (run, worker, entrant) DO UPDATE SET text = right(agon.written.text || excluded.text, $5)`,
        // PostgreSQL keeps no zero bytes in texts.
        [run, worker, entrant, text.replaceAll('\0', '\uFFFD'), WRITTEN],
      )
  }

  async written(run: string): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.sql.query<{ entrant: string; text: string }>(
      'SELECT entrant, right(text, $2) AS text FROM agon.written WHERE run = $1 ORDER BY worker LIMIT $3',
      [run, WRITTEN, ROWS],
    )
    const texts = new Map<string, string>()
    for (const { entrant, text } of rows) texts.set(entrant, ((texts.get(entrant) ?? '') + text).slice(-WRITTEN))
    return texts
  }
}
