import type { JobRequest, JobResponse } from '../../engine/index.js'
import type { KeptFiles } from '../../store/index.js'
import type { JobOutcome } from './messages.js'

/** A job of a batch with what came of it. */
export interface AnsweredJob {
  readonly request: JobRequest
  readonly response: JobResponse | JobOutcome
  /** What the bots that live through the tournament held on disk after it, by their names. */
  readonly kept?: Readonly<Record<string, KeptFiles>>
}

/** What the bots of a batch held on disk after it: of each, what it held after its last job. Any name may be a bot's, `__proto__` too. */
export const keptAfter = (jobs: readonly AnsweredJob[]): Readonly<Record<string, KeptFiles>> =>
  Object.fromEntries(jobs.flatMap(({ kept = {} }) => Object.entries(kept)))
