/** Milliseconds that a batch is to take, at most. */
const LONG_MS = 2000
/** No batch is to take less, where so much waits: to end it takes as long. */
const SHORT_MS = 50
/** What was measured before counts so much less with each batch: the first match of all, for which its bots are started, soon for nothing. */
const FADING = 0.5
/** Jobs of a batch, at most. */
const MOST = 2000

/** How many jobs make a batch: as many as take a second or two, and no more than leave some for everybody. */
export class BatchSizer {
  /** Those that were played, and the milliseconds that they took; the older, the less they count. */
  private jobs = 0
  private ms = 0

  /** So many jobs took so many milliseconds. */
  see(jobs: number, ms: number): void {
    if (jobs === 0) return
    this.jobs = FADING * this.jobs + jobs
    this.ms = FADING * this.ms + ms
  }

  /** Of so many that wait, for so many slots. */
  size(waiting: number, slots: number): number {
    if (this.jobs === 0) return 1
    const within = (ms: number): number => Math.floor((ms * this.jobs) / Math.max(this.ms, 0.01 * this.jobs))
    return Math.max(1, Math.min(within(LONG_MS), MOST, Math.max(within(SHORT_MS), Math.ceil(waiting / (2 * slots)))))
  }

  /** Milliseconds that so many jobs are expected to take; undefined: none was played yet. */
  msOf(jobs: number): number | undefined {
    return this.jobs === 0 ? undefined : (jobs * this.ms) / this.jobs
  }
}
