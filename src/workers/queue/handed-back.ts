/** So often a worker hands back all of a batch, without playing any other meanwhile, until others are given the run's batches. */
const TIMES = 5
/** Milliseconds between two returns that are counted: a run that is paused gets back as many at once as the worker has slots. */
const APART_MS = 1000
/** Milliseconds until it is given another one. */
const AVOIDED_MS = 60_000

interface Returns {
  readonly times: number
  /** When the last of them was counted. */
  readonly at: number
}

/** Workers that hand back what they are given, again and again: whatever is wrong with them, they would keep a run waiting without end. */
export class HandedBack {
  private readonly returns = new Map<string, Returns>()

  /** `now`: milliseconds of a clock that only goes forward. `onAvoided`: a worker gets no more for a while. */
  constructor(
    private readonly onAvoided: (worker: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A worker has ended a batch; `isAll`: it played nothing of it. */
  see(worker: string, isAll: boolean): void {
    const { times, at } = this.returns.get(worker) ?? { times: 0, at: -Infinity }
    const now = this.now()
    if (!isAll) this.returns.delete(worker)
    else if (now - at >= APART_MS) {
      this.returns.set(worker, { times: times + 1, at: now })
      if (times + 1 === TIMES) this.onAvoided(worker)
    }
  }

  /** The workers that get no batches now. */
  get avoided(): readonly string[] {
    const now = this.now()
    return [...this.returns].flatMap(([worker, { times, at }]) =>
      times >= TIMES && now - at < AVOIDED_MS ? [worker] : [],
    )
  }
}
