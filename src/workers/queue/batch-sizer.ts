/** Milliseconds that a batch is to take, at most. */
const LONG_MS = 2000
/** How much the last batch counts. */
const WEIGHT = 0.3
/** Jobs of a batch, at most. */
const MOST = 2000

/** How many jobs make a batch: as many as take a second or two, and no more than leave some for everybody. */
export class BatchSizer {
  /** Milliseconds a job; undefined: none was played yet. */
  private each: number | undefined

  /** So many jobs took so many milliseconds. */
  see(jobs: number, ms: number): void {
    if (jobs === 0) return
    const each = ms / jobs
    this.each = this.each === undefined ? each : this.each + WEIGHT * (each - this.each)
  }

  /** Of so many that wait, for so many slots. */
  size(waiting: number, slots: number): number {
    if (this.each === undefined) return 1
    const long = Math.floor(LONG_MS / Math.max(this.each, 0.01))
    return Math.max(1, Math.min(long, MOST, Math.ceil(waiting / (2 * slots))))
  }
}
