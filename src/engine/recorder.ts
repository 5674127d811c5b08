import type { JobStore, PlayedJob } from '../store/index.js'

/** Milliseconds, or jobs, after which jobs that no caller waits for are stored. */
const LATER_MS = 100
const MOST = 64

interface Waiting {
  readonly job: PlayedJob
  readonly later: boolean
  done(before: boolean): void
  failed(error: unknown): void
}

/**
 * Stores jobs in the order of arrival, many in one transaction: one for each costs as much as a short match. So a killed run has
 * always stored a beginning of what was played.
 */
export class Recorder {
  private waiting: Waiting[] = []
  private timer: NodeJS.Timeout | undefined
  private soon: NodeJS.Immediate | undefined
  private storing: Promise<void> = Promise.resolve()
  /** Why a job that no caller waited for could not be stored: then no later one may be. */
  private broken: Error | undefined

  constructor(
    private readonly store: Pick<JobStore, 'record'>,
    private readonly run: string,
  ) {}

  /** Resolves when it is stored, with whether it was before. `later`: no caller waits, and it is stored soon, or by `flush`. */
  record(job: PlayedJob, later = false): Promise<boolean> {
    return new Promise((done, failed) => {
      this.waiting.push({ job, later, done, failed })
      const flush = (): void => void this.flush()
      if (later && this.waiting.length < MOST) this.timer ??= setTimeout(flush, LATER_MS)
      // Jobs that end in the same turn of the event loop are stored together.
      else this.soon ??= setImmediate(flush)
    })
  }

  /** Resolves when all is stored, or reported as failed. */
  flush(): Promise<void> {
    clearTimeout(this.timer)
    clearImmediate(this.soon)
    this.timer = this.soon = undefined
    const waiting = this.waiting
    if (waiting.length === 0) return this.storing
    this.waiting = []
    this.storing = this.storing.then(() => this.storeAll(waiting))
    return this.storing
  }

  private async storeAll(waiting: readonly Waiting[]): Promise<void> {
    let before: ReadonlySet<string>
    try {
      if (this.broken !== undefined) throw this.broken
      const jobs = waiting.map(({ job }) => job)
      before = await this.store.record(this.run, jobs)
    } catch (error) {
      // An error in one of them must not fail the others.
      const [first] = waiting
      if (waiting.length > 1) for (const one of waiting) await this.storeAll([one])
      else if (first !== undefined) {
        if (first.later) this.broken ??= error instanceof Error ? error : new Error(String(error))
        first.failed(error)
      }
      return
    }
    for (const one of waiting) one.done(before.has(one.job.key))
  }
}
