import { createHash, randomUUID } from 'node:crypto'
import type { JobRequest, JobResponse } from '../../engine/index.js'
import type { BatchSizer } from './batch-sizer.js'
import type { BatchData, Needs } from './messages.js'
import { isLong, refuseLong } from './queues.js'

/** Milliseconds that a batch may take at least, and if nothing is known of its jobs. */
const SHORTEST_DEADLINE_MS = 60_000
const UNKNOWN_DEADLINE_MS = 600_000
/** Times the milliseconds that a batch was sized for. */
const DEADLINE_FACTOR = 10

/** A job that is asked for. */
export interface PendingJob {
  readonly request: JobRequest
  /** How often a worker that held it was too late: its next deadline is so often doubled. */
  readonly overdue: number
  done(response: JobResponse): void
  failed(error: unknown): void
}

/** A batch that was sent. */
export interface SentBatch {
  readonly id: string
  readonly jobs: readonly PendingJob[]
  /** Milliseconds that one worker may hold it. */
  readonly deadlineMs: number
}

/** The jobs of a run that need the same of a worker: those that wait here, and those in the queue on the server. */
export class RunJobs {
  readonly queue: string
  readonly waiting: PendingJob[] = []
  /** By the batch's id. */
  readonly sent = new Map<string, SentBatch>()
  /** The server has the queue. */
  isMade = false
  /** Workers look for batches in it. */
  isOpen = false

  constructor(
    readonly run: string,
    readonly needs: Needs,
  ) {
    this.queue = `${run}-${createHash('sha256').update(JSON.stringify(needs)).digest('hex').slice(0, 8)}`
  }

  /** Takes the jobs of the next batch from those that wait: fewer if they are too long together. Throws UserError if one job alone is. */
  takeBatch(pace: BatchSizer, slots: number): SentBatch & { readonly data: BatchData } {
    for (let size = pace.size(this.waiting.length, slots); ; size = Math.ceil(size / 2)) {
      const some = this.waiting.slice(0, size)
      const jobs = some.map(({ request: { job, disturbed, key } }) => ({ key, job, disturbed }))
      const json = JSON.stringify(jobs)
      if (size > 1 && isLong(json)) continue
      refuseLong(json, `the matches of ${(jobs[0]?.job.key ?? '').slice(0, 100)}`)
      this.waiting.splice(0, size)
      const ms = pace.msOf(some.length)
      const least = ms === undefined ? UNKNOWN_DEADLINE_MS : Math.max(SHORTEST_DEADLINE_MS, DEADLINE_FACTOR * ms)
      const deadlineMs = least * 2 ** Math.max(...some.map(({ overdue }) => overdue))
      return { id: randomUUID(), jobs: some, deadlineMs, data: { run: this.run, jobs } }
    }
  }
}
