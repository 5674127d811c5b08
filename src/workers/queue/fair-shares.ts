/*
 * How long each run was played on a worker, so that runs take turns whatever their backlogs and batch sizes.
 *
 * A run that had nothing to play does not catch up: it goes on level with the one that had the least time since.
 */
export class FairShares {
  private readonly times = new Map<string, number>()
  /** The least time of those that had batches; it only grows. */
  private least = 0

  /** `waiting`: runs with batches now; `there`: all that go on. Others are forgotten. */
  see(waiting: ReadonlySet<string>, there: ReadonlySet<string>): void {
    for (const run of this.times.keys()) if (!there.has(run)) this.times.delete(run)
    const known = [...waiting].flatMap((run) => this.times.get(run) ?? [])
    if (known.length > 0) this.least = Math.max(this.least, Math.min(...known))
    for (const run of there) {
      const own = this.times.get(run)
      if (own === undefined || (!waiting.has(run) && own < this.least)) this.times.set(run, this.least)
    }
  }

  /** A run's batch was played for so many milliseconds. */
  add(run: string, ms: number): void {
    this.times.set(run, this.spent(run) + ms)
  }

  /** Milliseconds that it was played here, or would have been. */
  spent(run: string): number {
    return this.times.get(run) ?? 0
  }
}
