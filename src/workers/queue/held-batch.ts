import { messageOf } from '../../core/index.js'
import { type JobRequest, type WorkerPool, WorkerLostError, failureOf } from '../../engine/index.js'
import { type JobStore, isLost } from '../../store/index.js'
import type { JobAnswer } from './messages.js'
import type { FetchedBatch } from './queues.js'

/** Pieces in which what takes a batch's time is played: between them it can be ended. */
export const PIECES = 8

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

  constructor(readonly batch: FetchedBatch) {}

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

  /**
   * Plays it: all of it that can play here and the store has not, unless it is to end before. Resolves with an answer a job, in order, and the
   * milliseconds that playing took.
   */
  async play(
    { pool, store }: { readonly pool: Pick<WorkerPool, 'play'>; readonly store: Pick<JobStore, 'has'> },
    canPlay: (request: JobRequest) => boolean,
  ): Promise<{ readonly answers: readonly JobAnswer[]; readonly ms: number }> {
    const { jobs } = this.batch
    const answers = new Map<string, JobAnswer>()
    const began = performance.now()
    try {
      const stored = await store.has(jobs.map(({ key }) => key))
      for (const key of stored) answers.set(key, { key, stored: true })
      const missing = jobs.filter((request) => !stored.has(request.key) && canPlay(request))
      const size = Math.ceil(missing.length / PIECES)
      for (let from = 0; from < missing.length && !this.isEnding; from += size) {
        const done = await Promise.race([playPiece(pool, missing.slice(from, from + size)), this.givenUp])
        if (done === 'given up') break
        for (const answer of done) answers.set(answer.key, answer)
      }
    } catch (error) {
      if (isLost(error)) throw error
      // A failure that none of its jobs caused is each one's: the batch would else be tried without end.
      for (const { key } of jobs)
        if (!answers.has(key)) answers.set(key, { key, failure: failureOf(error), why: messageOf(error) })
    }
    const ms = performance.now() - began
    return { answers: jobs.map(({ key }) => answers.get(key) ?? { key, back: true }), ms }
  }
}

async function playPiece(pool: Pick<WorkerPool, 'play'>, piece: readonly JobRequest[]): Promise<readonly JobAnswer[]> {
  try {
    const responses = await pool.play(piece)
    return responses.map((response, i) => ({ key: piece[i]?.key ?? '', ...response }))
  } catch (error) {
    if (!(error instanceof WorkerLostError)) throw error
    return piece.map(({ key }) => ({ key, lost: error.message }))
  }
}
