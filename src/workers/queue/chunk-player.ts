import type { JobRequest, JobResponse, WorkerPool } from '../../engine/index.js'

/** Milliseconds that the jobs are to take which are played together, and how many these are at most. */
const CHUNK_MS = 250
const CHUNK_MOST = 2000

/** Plays the jobs of a run on this machine, those that the store has not, in pieces between which they can be stopped. */
export class ChunkPlayer {
  /** How many jobs the next piece should have. */
  size = 1

  constructor(
    private readonly pool: Pick<WorkerPool, 'play'>,
    /** Those of these keys under which a job lies in the store. */
    private readonly has: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
  ) {}

  /** Plays a piece: a response a job, in order, and the milliseconds that playing took. Rejects like `WorkerPool.play`. */
  async play(
    chunk: readonly JobRequest[],
  ): Promise<{ readonly responses: readonly JobResponse[]; readonly ms: number }> {
    const stored = await this.has(chunk.map(({ key }) => key))
    const missing = chunk.filter(({ key }) => !stored.has(key))
    const began = performance.now()
    const played = missing.length === 0 ? [] : await this.pool.play(missing)
    const ms = performance.now() - began
    const fits = Math.floor((CHUNK_MS / Math.max(ms, 0.1)) * chunk.length)
    this.size = Math.max(1, Math.min(CHUNK_MOST, 2 * this.size, fits))
    const byKey = new Map(missing.map(({ key }, i) => [key, played[i]]))
    return { responses: chunk.map(({ key }) => byKey.get(key) ?? { stored: true }), ms }
  }
}
