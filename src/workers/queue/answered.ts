import type { JobRequest, JobResponse } from '../../engine/index.js'
import type { KeptFiles } from '../../store/index.js'
import type { JobOutcome } from './messages.js'

/** A job of a batch with what came of it. */
export interface Answered {
  readonly request: JobRequest
  readonly response: JobResponse | JobOutcome
  /** What its bots held on disk after it that live through the tournament, by their names. */
  readonly kept?: Readonly<Record<string, KeptFiles>>
}
