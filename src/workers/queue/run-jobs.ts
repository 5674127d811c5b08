import { createHash, randomUUID } from 'node:crypto'
import type { JobRequest, JobResponse } from '../../engine/index.js'
import type { Needs } from './messages.js'

/** Milliseconds that a batch is to take, at most. */
const LONG_MS = 2000
/** No batch is to take less, where so much waits: to end it takes as long. */
const SHORT_MS = 50
/** Weight of earlier measurements with each batch: the first match, for which bots are started, soon counts for nothing. */
const FADING = 0.5
/** Jobs of a batch, at most. */
const MOST = 2000

/** Pieces in which a batch is played: it can be ended between them. */
export const PIECES = 8

/** How many jobs make a batch: a second or two's worth, and no more than leave some for everybody. */
export class BatchSizer {
  /** Played jobs and their milliseconds; the older, the less they count. */
  private jobs = 0
  private ms = 0

  /** So many jobs took so many milliseconds. */
  see(jobs: number, ms: number): void {
    if (jobs === 0) return
    this.jobs = FADING * this.jobs + jobs
    this.ms = FADING * this.ms + ms
  }

  /** `waiting` jobs, for so many slots. */
  size(waiting: number, slots: number): number {
    if (this.jobs === 0) return 1
    const within = (ms: number): number => Math.floor((ms * this.jobs) / Math.max(this.ms, 0.01 * this.jobs))
    return Math.max(1, Math.min(within(LONG_MS), MOST, Math.max(within(SHORT_MS), Math.ceil(waiting / (2 * slots)))))
  }

  /** Milliseconds that so many jobs should take; undefined: none was played yet. */
  msOf(jobs: number): number | undefined {
    return this.jobs === 0 ? undefined : (jobs * this.ms) / this.jobs
  }
}

/** Milliseconds that a batch may take at least, and if nothing is known of its jobs. */
const SHORTEST_DEADLINE_MS = 60_000
const UNKNOWN_DEADLINE_MS = 600_000
/** Times a batch's expected milliseconds. */
const DEADLINE_FACTOR = 10

export interface PendingJob {
  readonly request: JobRequest
  /** How often its worker was too late: each doubles its next deadline. */
  readonly overdue: number
  done(response: JobResponse): void
  failed(error: unknown): void
}

export interface SentBatch {
  readonly id: string
  readonly jobs: readonly PendingJob[]
  /** Milliseconds that a worker may hold it. */
  readonly deadlineMs: number
}

/** A run's jobs with the same needs: those that wait here, and those in the server's queue. */
export class RunJobs {
  readonly queue: string
  readonly waiting: PendingJob[] = []
  readonly sent = new Map<string, SentBatch>()
  /** The server has the queue. */
  isMade = false
  /** Workers look for batches in it. */
  isOpen = false

  constructor(
    run: string,
    readonly needs: Needs,
  ) {
    this.queue = `${run}-${createHash('sha256').update(JSON.stringify(needs)).digest('hex').slice(0, 8)}`
  }

  get isEmpty(): boolean {
    return this.waiting.length + this.sent.size === 0
  }

  takeBatch(pace: BatchSizer, slots: number): SentBatch {
    const jobs = this.waiting.splice(0, pace.size(this.waiting.length, slots))
    const ms = pace.msOf(jobs.length)
    const least = ms === undefined ? UNKNOWN_DEADLINE_MS : Math.max(SHORTEST_DEADLINE_MS, DEADLINE_FACTOR * ms)
    const deadlineMs = least * 2 ** Math.max(...jobs.map(({ overdue }) => overdue))
    const batch = { id: randomUUID(), jobs, deadlineMs }
    this.sent.set(batch.id, batch)
    return batch
  }
}
