import type { JobPlayerSetting } from './job-player.js'
import { Attempts } from './attempts.js'
import { playedOfResponse } from './played.js'
import { type Job, entrantsOf } from './schedule.js'
import { type JobResponse, type WorkerPool, isStored, recordsOf } from './worker-pool.js'

/** Milliseconds that the jobs are to take which are sent together, at most; and how many these are. */
const LONG_MS = 3000
const MOST = 256
/** How many more are sent than the last time. */
const GROWTH = 4

/**
 * Has workers play the jobs of bots that live through the tournament. All of them together are one chain: each batch comes after all
 * batches before it, and the next is sent when its outcome is known. So one worker after the other can hold the bots.
 */
export class ChainPlayer {
  private size = 1
  private readonly attempts = new Map<Job, Attempts>()

  constructor(
    private readonly playing: JobPlayerSetting,
    private readonly workers: Pick<WorkerPool, 'playLongLived'>,
  ) {}

  /** Plays them in this order. Rejects with `Stopped` where the run is ended meanwhile. */
  async play(jobs: readonly Job[]): Promise<void> {
    for (const left = [...jobs].reverse(); left.length > 0;) {
      const batch = await this.next(left)
      if (batch.length > 0) left.push(...(await this.playBatch(batch)).reverse())
    }
  }

  /** Takes the next jobs, from the end of those that are left, without those that were called off. */
  private async next(left: Job[]): Promise<Job[]> {
    const { run, stopping } = this.playing
    const batch: Job[] = []
    while (batch.length < this.size && left.length > 0) {
      const job = left.pop() as Job
      if (run.waitWhilePaused) await stopping.unless(run.waitWhilePaused(job.pairings.length))
      if (entrantsOf(job).every((entrant) => run.isActive?.(entrant) !== false)) batch.push(job)
    }
    return batch
  }

  /** Returns those that are still to be played. */
  private async playBatch(batch: readonly Job[]): Promise<Job[]> {
    const { begun, stopping, checkpoints } = this.playing
    const requests = batch.map((job) => ({ job, disturbed: this.attemptsOf(job).disturbed }))
    const began = performance.now()
    let responses: readonly (JobResponse | undefined)[]
    for (const job of batch) begun.set(job.key, { job, began: Date.now() })
    try {
      const played = this.workers.playLongLived?.(requests, checkpoints.history)
      responses = (await (played && stopping.unless(played))) ?? []
    } finally {
      for (const job of batch) begun.delete(job.key)
    }
    const took = performance.now() - began
    const fits = Math.floor((batch.length * LONG_MS) / Math.max(took, 1))
    this.size = Math.max(1, Math.min(MOST, GROWTH * batch.length, fits))
    return this.see(batch, responses)
  }

  private async see(batch: readonly Job[], responses: readonly (JobResponse | undefined)[]): Promise<Job[]> {
    const left: Job[] = []
    const counting: (() => Promise<void>)[] = []
    const failed: { readonly job: Job; readonly error: unknown }[] = []
    for (const [i, job] of batch.entries()) {
      const response = responses[i]
      if (response === undefined) left.push(job)
      else {
        try {
          counting.push(this.storeLater(job, response))
        } catch (error) {
          failed.push({ job, error })
          left.push(job)
        }
      }
    }
    // Each has lived through them in this order.
    for (const count of counting) await count()
    for (const { job, error } of failed) await this.attemptsOf(job).again(error)
    return left
  }

  /** Begins to have a job stored; returns what waits for it, and counts it. Throws where it was not played. */
  private storeLater(job: Job, response: JobResponse): () => Promise<void> {
    const { run, tally, recorder } = this.playing
    const records = recordsOf(response)
    for (const record of records) tally.refuseUnscored(record)
    const matches = playedOfResponse({ definition: run.definition, file: run.gameFile }, job, response)
    const stored = recorder.record({ key: tally.key(job), matches, kept: { tournament: run.tournament, by: {} } })
    // The error is thrown where the result is counted.
    stored.catch(() => undefined)
    return async () => {
      if ((await stored) && !isStored(response)) await tally.reuse(job)
      else tally.count(job, matches, false)
    }
  }

  private attemptsOf(job: Job): Attempts {
    const attempts = this.attempts.get(job) ?? new Attempts(this.playing, job)
    this.attempts.set(job, attempts)
    return attempts
  }
}
