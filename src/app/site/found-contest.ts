import type { ContestFacts } from '../../core/site-facts.js'
import type { HostedContest, StoredRun } from '../../store/index.js'

/** A contest with the run that counts. */
export interface FoundContest {
  readonly facts: ContestFacts
  readonly hosted?: HostedContest
  readonly run?: StoredRun
}
