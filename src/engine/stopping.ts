/** The run was ended while this was played. */
export class StoppedError extends Error {}

/** Ends a run, and tells everything that waits for it. */
export class Stopping {
  private readonly stops = new Set<() => void>()
  private is = false

  get stopped(): boolean {
    return this.is
  }

  stop(): void {
    this.is = true
    for (const stop of this.stops) stop()
  }

  /** Waits for work, unless the run is ended before (`StoppedError`): its result is then ignored. */
  async unless<T>(work: Promise<T>): Promise<T> {
    let stop: (() => void) | undefined
    try {
      return await new Promise<T>((done, failed) => {
        stop = () => failed(new StoppedError())
        this.stops.add(stop)
        work.then(done, failed)
        if (this.is) stop()
      })
    } finally {
      if (stop) this.stops.delete(stop)
    }
  }
}
