import { messageOf } from '../../core/index.js'
import { type JobRequest, WorkerLostError, failureOf } from '../../engine/index.js'
import { isLost } from '../../store/index.js'
import type { JobAnswer } from './messages.js'
import type { PreparedRun } from './prepared-run.js'
import type { FetchedBatch } from './queues.js'

/** Milliseconds between two looks whether a batch is to go on. */
const CHUNK_MS = 250
/** Jobs of a chunk, at most. */
const CHUNK_MOST = 256

/** A batch that this worker holds, and plays in small pieces. */
export class HeldBatch {
  /** Another worker holds it, or the run has withdrawn it: what was played of it is not sent. */
  isGone = false
  /** Nothing of it is played any more: it holds no slot while its result is sent. */
  isPlayed = false
  readonly began = performance.now()
  private isEnding = false
  private giveUp: () => void = () => undefined
  private readonly givenUp = new Promise<'given up'>((done) => (this.giveUp = () => done('given up')))

  constructor(
    readonly batch: FetchedBatch,
    private readonly prepared: PreparedRun,
    /** Those of these keys under which a job lies in the store. */
    private readonly stored: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
  ) {}

  /** Begins no more of its jobs; what is under way is given up after so many milliseconds. */
  end(ms: number): void {
    if (this.isEnding) return
    this.isEnding = true
    setTimeout(() => this.giveUp(), ms).unref()
  }

  /** Another worker holds it now. */
  lose(): void {
    this.isGone = true
    this.end(0)
  }

  /** Plays it: all of it, unless it is to end before. Resolves with an answer a job, in order, and the milliseconds that playing took. */
  async play(): Promise<{ readonly answers: readonly JobAnswer[]; readonly ms: number }> {
    const { jobs } = this.batch
    const answers = new Map<string, JobAnswer>()
    let ms = 0
    try {
      for (const key of await this.stored(jobs.map((one) => one.key))) answers.set(key, { key, stored: true })
      const missing = jobs.filter(({ key, job }) => !answers.has(key) && this.prepared.canPlay(job))
      let size = 1
      for (let from = 0; from < missing.length && !this.isEnding;) {
        const chunk = missing.slice(from, from + size)
        const began = performance.now()
        const done = await Promise.race([this.playChunk(chunk), this.givenUp])
        if (done === 'given up') break
        for (const answer of done) answers.set(answer.key, answer)
        const took = performance.now() - began
        ms += took
        from += chunk.length
        size = Math.max(1, Math.min(CHUNK_MOST, 2 * size, Math.floor((CHUNK_MS / Math.max(took, 0.1)) * chunk.length)))
      }
    } catch (error) {
      if (isLost(error)) throw error
      // A failure that none of its jobs caused is each one's: the batch would else be tried without end.
      for (const { key } of jobs)
        if (!answers.has(key)) answers.set(key, { key, failure: failureOf(error), why: messageOf(error) })
    }
    return { answers: jobs.map(({ key }) => answers.get(key) ?? { key, back: true }), ms }
  }

  private async playChunk(chunk: readonly JobRequest[]): Promise<JobAnswer[]> {
    try {
      const responses = await this.prepared.pool.play(chunk)
      return chunk.map(({ key }, i): JobAnswer => {
        const response = responses[i]
        if (response === undefined) return { key, back: true }
        return 'records' in response ? { key, records: response.records } : { key, ...response }
      })
    } catch (error) {
      if (!(error instanceof WorkerLostError)) throw error
      return chunk.map(({ key }) => ({ key, lost: error.message }))
    }
  }
}
