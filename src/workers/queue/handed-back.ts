/** So often all of a batch of a run is handed back, without any other being played meanwhile, until the run is left alone. */
const TIMES = 5
/** Milliseconds between two returns that are counted: a run that is paused gets back as many at once as the worker has slots. */
const APART_MS = 1000
/** Milliseconds for which it is left alone. */
const AVOIDED_MS = 60_000

interface Returns {
  readonly times: number
  /** When the last of them was counted. */
  readonly at: number
}

/** The runs whose batches this worker hands back again and again: whatever is wrong, it would keep them from others without end. */
export class HandedBack {
  private readonly returns = new Map<string, Returns>()

  /** `onAvoided`: a run is left alone for a while. `now`: milliseconds of a clock that only goes forward. */
  constructor(
    private readonly onAvoided: (run: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A batch of a run has ended; `isAll`: nothing of it was played. */
  see(run: string, isAll: boolean): void {
    const { times, at } = this.returns.get(run) ?? { times: 0, at: -Infinity }
    const now = this.now()
    if (!isAll) this.returns.delete(run)
    else if (now - at >= APART_MS) {
      this.returns.set(run, { times: times + 1, at: now })
      if (times + 1 === TIMES) this.onAvoided(run)
    }
  }

  isAvoided(run: string): boolean {
    const { times, at } = this.returns.get(run) ?? { times: 0, at: -Infinity }
    return times >= TIMES && this.now() - at < AVOIDED_MS
  }
}
