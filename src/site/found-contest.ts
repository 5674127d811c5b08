import type { ContestFacts } from '../core/site-facts.js'
import type { StoredRun } from '../store/index.js'
import type { HostedContest } from './db/data.js'

/** A contest with the run that counts. */
export interface FoundContest {
  readonly facts: ContestFacts
  readonly hosted?: HostedContest
  readonly run?: StoredRun
}
