import type { JobStore, PlayedJob } from '../store/index.js'

/** Jobs that no caller waits for are stored after so many milliseconds, or when so many have come together. */
const LATER_MS = 100
const MOST = 64

interface Waiting {
  readonly job: PlayedJob
  /** No caller waits for it. */
  readonly later: boolean
  /** Whether the store had it before. */
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
  private soon = false
  private storing: Promise<void> = Promise.resolve()
  /** Why a job that no caller waited for could not be stored: then none that came after it may be. */
  private broken: Error | undefined

  constructor(
    private readonly store: Pick<JobStore, 'record'>,
    private readonly run: string,
    /** Called where a job that no caller waits for could not be stored. */
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Resolves when it is stored, with whether it was before. */
  record(job: PlayedJob): Promise<boolean> {
    return new Promise((done, failed) => {
      this.waiting.push({ job, later: false, done, failed })
      if (this.soon) return
      this.soon = true
      // Jobs that end in the same turn of the event loop are stored together.
      setImmediate(() => void this.flush())
    })
  }

  /** It is stored before long, and before `flush` resolves; then `stored` is called. Only for jobs that no other process can have stored. */
  recordLater(job: PlayedJob, stored: () => void): void {
    const done = (before: boolean): void => {
      if (before) this.failed(new Error('another process has stored a match of a tournament that this one plays'))
      else this.tell(stored)
    }
    this.waiting.push({ job, later: true, done, failed: (error) => this.fail(error) })
    if (this.waiting.length >= MOST) void this.flush()
    else this.timer ??= setTimeout(() => void this.flush(), LATER_MS)
  }

  /** Resolves when all is stored, or was reported as failed. */
  flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.soon = false
    const waiting = this.waiting
    if (waiting.length === 0) return this.storing
    this.waiting = []
    this.storing = this.storing.then(() => this.storeAll(waiting))
    return this.storing
  }

  private fail(error: unknown): void {
    this.broken ??= error instanceof Error ? error : new Error(String(error))
    this.failed(error)
  }

  /** An error of a callback does not undo what is stored. */
  private tell(stored: () => void): void {
    try {
      stored()
    } catch (error) {
      this.failed(error)
    }
  }

  private async storeAll(waiting: readonly Waiting[]): Promise<void> {
    let before: ReadonlySet<string>
    try {
      if (this.broken !== undefined) throw this.broken
      const jobs = waiting.map(({ job }) => job)
      before = await this.store.record(this.run, jobs)
    } catch (error) {
      if (waiting.length === 1) return waiting[0]?.failed(error)
      // An error in one of them must not fail the others.
      for (const one of waiting) await this.storeAll([one])
      return
    }
    for (const one of waiting) one.done(before.has(one.job.key))
  }
}
