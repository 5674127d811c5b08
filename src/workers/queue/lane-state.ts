import { createHash } from 'node:crypto'
import type { JobRequest, JobResponse } from '../../engine/index.js'
import type { Courses } from './courses.js'
import type { Needs } from './messages.js'

/** What came of a job, and of whom; `trusted`: of the run's own worker. */
export interface JobResult {
  readonly response: JobResponse | Courses
  readonly worker: string
  readonly trusted: boolean
}

/** A job that is asked for. */
export interface PendingJob {
  readonly request: JobRequest
  done(given: JobResult): void
  failed(error: unknown): void
}

/** What is asked for of workers that have all of `needs`. */
export interface LaneState {
  readonly queue: string
  readonly needs: Needs
  /** Its jobs are played to be compared. */
  readonly compare: boolean
  /** Not sent yet. */
  readonly waiting: PendingJob[]
  /** By the batch's id. */
  readonly sent: Map<string, readonly PendingJob[]>
  /** The server has the queue. */
  made: boolean
}

/** What is asked for in a batch. */
export const requestsOf = ({ sent }: LaneState, id: string): JobRequest[] =>
  (sent.get(id) ?? []).map(({ request }) => request)

/** A UUID that is the same for the same text. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
