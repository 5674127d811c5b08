import { messageOf } from '../../core/index.js'
import { type JobRequest, WorkerLostError, failureOf } from '../../engine/index.js'
import { isLost } from '../../store/index.js'
import type { ChunkPlayer } from './chunk-player.js'
import type { JobAnswer } from './messages.js'
import type { FetchedBatch } from './queues.js'

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

  /** Plays it: all of it that can play here, unless it is to end before. Resolves with an answer a job, in order, and the milliseconds that playing took. */
  async play(
    player: ChunkPlayer,
    canPlay: (request: JobRequest) => boolean,
  ): Promise<{ readonly answers: readonly JobAnswer[]; readonly ms: number }> {
    const { jobs } = this.batch
    const playable = jobs.filter(canPlay)
    const answers = new Map<string, JobAnswer>()
    let playedMs = 0
    try {
      for (let from = 0; from < playable.length && !this.isEnding;) {
        const chunk = playable.slice(from, from + player.size)
        const done = await Promise.race([playChunk(player, chunk), this.givenUp])
        if (done === 'given up') break
        for (const answer of done.answers) answers.set(answer.key, answer)
        playedMs += done.ms
        from += chunk.length
      }
    } catch (error) {
      if (isLost(error)) throw error
      // A failure that none of its jobs caused is each one's: the batch would else be tried without end.
      for (const { key } of jobs)
        if (!answers.has(key)) answers.set(key, { key, failure: failureOf(error), why: messageOf(error) })
    }
    return { answers: jobs.map(({ key }) => answers.get(key) ?? { key, back: true }), ms: playedMs }
  }
}

async function playChunk(
  player: ChunkPlayer,
  chunk: readonly JobRequest[],
): Promise<{ readonly answers: readonly JobAnswer[]; readonly ms: number }> {
  try {
    const { responses, ms } = await player.play(chunk)
    return { answers: responses.map((response, i) => ({ key: chunk[i]?.key ?? '', ...response })), ms }
  } catch (error) {
    if (!(error instanceof WorkerLostError)) throw error
    return { answers: chunk.map(({ key }) => ({ key, lost: error.message })), ms: 0 }
  }
}
