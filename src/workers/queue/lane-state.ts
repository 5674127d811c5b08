import { createHash } from 'node:crypto'
import { type JobRequest, type JobResponse, WorkerLostError } from '../../engine/index.js'
import type { Courses } from './courses.js'
import type { FailedJob, Needs } from './messages.js'

/** What came of a job, and of whom; `trusted`: of the run's own worker. */
export interface JobResult {
  readonly response: JobResponse | Courses
  readonly worker: string
  readonly trusted: boolean
}

/** A job that is asked for. */
export interface PendingJob {
  readonly request: JobRequest
  /** What a worker said that could not play it: another one is asked. */
  readonly doubted?: Doubted
  done(given: JobResult): void
  failed(error: unknown): void
}

/** A failure that is not believed yet. */
export interface Doubted {
  readonly worker: string
  readonly outcome: FailedJob
}

/** What is asked for of workers that have all of `needs`. */
export interface LaneState {
  readonly queue: string
  readonly needs: Needs
  /** Workers that are not to play it: to compare what they played, or because they could not. */
  readonly except: readonly string[]
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

/** What is to be compared, and no worker is there for any more, is not. */
export function dropUncompared({ waiting, sent }: LaneState): void {
  for (const asked of [...waiting.splice(0), ...[...sent.values()].flat()])
    asked.failed(new WorkerLostError('nobody is there'))
  sent.clear()
}

/** A job could not be played. */
export function failJob(asked: PendingJob, { worker, outcome }: Doubted, trusted: boolean): void {
  if ('lost' in outcome) asked.failed(new WorkerLostError(outcome.lost))
  else asked.done({ response: outcome, worker, trusted })
}
