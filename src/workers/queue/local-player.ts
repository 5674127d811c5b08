import { type WorkerPool, WorkerLostError } from '../../engine/index.js'
import type { PendingJob } from './run-jobs.js'
import type { WakeSignal } from './wake-signal.js'

/** Milliseconds that the jobs are to take which are played together, and how many these are at most. */
const CHUNK_MS = 250
const CHUNK_MOST = 2000

export interface LocalSetting {
  readonly pool: WorkerPool
  /** Jobs played at the same time. */
  readonly slots: number
}

/** Plays a run's jobs in the coordinator's own process, as many at once as it has slots. */
export class LocalPlayer {
  /** Chunks under way. */
  playing = 0
  private closed = false
  private size = 1

  constructor(
    private readonly local: LocalSetting,
    /** Those of these keys that the store holds already. */
    private readonly stored: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
    private readonly alarm: WakeSignal,
  ) {}

  /** Begins to play jobs while slots are free. `take` removes the next jobs, at most so many, from those that wait. */
  fill(take: (most: number) => readonly PendingJob[]): void {
    while (!this.closed && this.playing < this.local.slots) {
      const jobs = take(this.size)
      if (jobs.length === 0) return
      this.playing++
      void this.play(jobs).finally(() => {
        this.playing--
        this.alarm.ring()
      })
    }
  }

  /** Ends what is under way; resolves with the end of what each entrant wrote to its standard error. */
  close(): Promise<ReadonlyMap<string, string>> {
    this.closed = true
    return this.local.pool.close()
  }

  private async play(jobs: readonly PendingJob[]): Promise<void> {
    try {
      const stored = await this.stored(jobs.map(({ request }) => request.key))
      const missing = jobs.filter(({ request }) => !stored.has(request.key))
      for (const job of jobs) if (stored.has(job.request.key)) job.done({ stored: true })
      if (missing.length === 0) return
      const began = performance.now()
      const responses = await this.local.pool.play(missing.map(({ request }) => request))
      const fits = Math.floor((CHUNK_MS / Math.max(performance.now() - began, 0.1)) * missing.length)
      this.size = Math.max(1, Math.min(CHUNK_MOST, 2 * this.size, fits))
      for (const [i, job] of missing.entries()) {
        const response = responses[i]
        if (response === undefined) job.failed(new WorkerLostError('a job was not answered'))
        else job.done(response)
      }
    } catch (error) {
      for (const job of jobs) job.failed(error)
    }
  }
}
