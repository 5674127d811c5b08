import type { Job } from '../core/index.js'
import type { ResultTally } from './tally.js'

/** Jobs whose keys are made, and that are looked up in the store, before the first of them is played. */
const FIRST = 100
/** The same of later ones, at most: each time they are twice as many, so that many players do not wait for the store's answers. */
const MOST = 4000

/**
 * The jobs of a round, as they become known: to make the keys of a long schedule takes longer than a match, so the first match begins
 * after the first part of them.
 */
export class KnownJobs {
  /** All jobs of the round are known. */
  all = false
  private size = FIRST

  constructor(
    private readonly jobs: Iterator<Job, undefined>,
    /** Those of them that the store does not have. */
    private readonly missing: (jobs: readonly Job[]) => Promise<readonly Job[]>,
    private readonly tally: Pick<ResultTally, 'enter' | 'leave'>,
  ) {}

  /** Of the next jobs those that are to be played. */
  async next(): Promise<readonly Job[]> {
    const jobs: Job[] = []
    while (jobs.length < this.size) {
      const { value } = this.jobs.next()
      if (value === undefined) {
        this.all = true
        break
      }
      jobs.push(value)
    }
    this.size = Math.min(MOST, 2 * this.size)
    await this.tally.enter(jobs)
    const missing = await this.missing(jobs)
    const open = new Set(missing)
    for (const job of jobs) if (!open.has(job)) this.tally.leave(job)
    return missing
  }
}
