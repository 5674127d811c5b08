import { createHash } from 'node:crypto'
import { type JobRequest, type JobResponse, WorkerLostError } from '../../engine/index.js'
import type { ComparedJob } from './compared-jobs.js'
import type { FailedJob, Needs } from './messages.js'

/** The response to a job, and from which worker; `trusted`: from the run's own. */
export interface JobResult {
  readonly response: JobResponse | ComparedJob
  readonly worker: string
  readonly trusted: boolean
}

/** A job that is asked for. */
export interface PendingJob {
  readonly request: JobRequest
  /** The failure that one worker reported: another worker is asked. */
  readonly doubted?: UnconfirmedFailure
  done(given: JobResult): void
  failed(error: unknown): void
}

/** A failure that is not believed yet. */
export interface UnconfirmedFailure {
  readonly worker: string
  readonly outcome: FailedJob
}

/** The jobs that wait for workers that have all of `needs`, or were sent to them. */
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
  /** When its jobs were placed last: `changes` of the watch. */
  placed?: number
}

/** The jobs of a batch. */
export const requestsOf = ({ sent }: LaneState, id: string): JobRequest[] =>
  (sent.get(id) ?? []).map(({ request }) => request)

/** A UUID that is the same for the same text. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** Jobs that were to be compared are not, once no worker is left to play them again. */
export function dropUncompared({ waiting, sent }: LaneState): void {
  for (const asked of [...waiting.splice(0), ...[...sent.values()].flat()])
    asked.failed(new WorkerLostError('no worker is left'))
  sent.clear()
}

/** A job could not be played. */
export function failJob(asked: PendingJob, { worker, outcome }: UnconfirmedFailure, trusted: boolean): void {
  if ('lost' in outcome) asked.failed(new WorkerLostError(outcome.lost))
  else asked.done({ response: outcome, worker, trusted })
}
