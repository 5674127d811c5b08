import type { JobStore, PlayedJob } from '../store/index.js'

/** Jobs that no caller waits for are stored after so many milliseconds, or when so many have come together. */
const LATER_MS = 100
const MOST = 64

interface Waiting {
  readonly job: PlayedJob
  readonly later: boolean
  done(before: boolean): void
  failed(error: unknown): void
}

/**
 * Stores jobs in the order in which they come, many in one transaction: a transaction for each costs as much as a short match. What is
 * stored of a run that is killed is therefore always a beginning of what was played.
 */
export class Recorder {
  private waiting: Waiting[] = []
  private timer: NodeJS.Timeout | undefined
  private soon: NodeJS.Immediate | undefined
  private storing: Promise<void> = Promise.resolve()
  /** Why a job that no caller waited for could not be stored: then none that came after it may be. */
  private broken: Error | undefined

  constructor(
    private readonly store: Pick<JobStore, 'record'>,
    private readonly run: string,
  ) {}

  /** Resolves when it is stored, with whether it was before. `later`: no caller waits for it, and it is stored before long, or by `flush`. */
  record(job: PlayedJob, later = false): Promise<boolean> {
    return new Promise((done, failed) => {
      this.waiting.push({ job, later, done, failed })
      const flush = (): void => void this.flush()
      if (later && this.waiting.length < MOST) this.timer ??= setTimeout(flush, LATER_MS)
      // Jobs that end in the same turn of the event loop are stored together.
      else this.soon ??= setImmediate(flush)
    })
  }

  /** Resolves when all is stored, or was reported as failed. */
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
