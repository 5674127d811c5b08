import { threadOf } from '../../files/index.js'
import type { StoredRun } from '../../store/index.js'
import type { RatedRun, RatingTask } from './rating-worker.js'

/** Milliseconds between two ratings of a run that is being played. */
const EVERY_MS = 5000
/** Runs whose ratings are kept. */
const KEPT = 200

/** A run's ratings as they were computed last. */
export interface KnownRatings extends RatedRun {
  /** What they were computed of, as it was given. */
  readonly of: string
}

interface Asked {
  known?: KnownRatings
  tried?: string
  busy: boolean
  /** From when on it may be rated again while it is played, on the clock of `now`. */
  next: number
}

/**
 * The ratings of runs, computed aside: whoever asks gets those of before at once. While a run is played it is rated again at most every five
 * seconds, and where that takes long as long after it; when it is over, at once. One run is rated at a time: the machine is the bots'.
 */
export class RatingsAside {
  private readonly runs = new Map<string, Asked>()
  private readonly ending = new AbortController()
  private turn: Promise<void> = Promise.resolve()

  constructor(
    private readonly rate: (run: string, signal: AbortSignal) => Promise<RatedRun>,
    private readonly notice: (text: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** `of`: a text that changes with what a run's ratings are computed of; `over`: it is not played. Undefined: nothing is computed yet. */
  of({ id }: Pick<StoredRun, 'id'>, of: string, over: boolean): KnownRatings | undefined {
    const asked = this.runs.get(id) ?? { busy: false, next: -Infinity }
    this.runs.delete(id)
    this.runs.set(id, asked)
    for (const oldest of [...this.runs.keys()].slice(0, -KEPT)) this.runs.delete(oldest)
    const isDue = this.now() >= asked.next || (over && asked.tried !== of)
    if (asked.known?.of !== of && !asked.busy && isDue) {
      asked.busy = true
      asked.tried = of
      this.turn = this.turn.then(() => this.rateNow(id, of, asked))
    }
    return asked.known
  }

  async close(): Promise<void> {
    this.ending.abort()
    await this.turn
  }

  private async rateNow(id: string, of: string, asked: Asked): Promise<void> {
    const { signal } = this.ending
    const began = this.now()
    try {
      if (!signal.aborted) asked.known = { ...(await this.rate(id, signal)), of }
    } catch (error) {
      // The table does without: who asks next has it computed again.
      if (!signal.aborted) this.notice(`the ratings of ${id} could not be computed: ${String(error)}`)
    }
    const ended = this.now()
    asked.next = Math.max(began + EVERY_MS, 2 * ended - began)
    asked.busy = false
  }
}

/** Rates a run in a thread of its own, which ends with it and gives its memory back. Rejects where the thread fails, or the signal ends it. */
export function rateInThread(task: RatingTask, signal: AbortSignal): Promise<RatedRun> {
  const worker = threadOf('app/look/rating-worker', { workerData: task })
  worker.unref()
  const end = (): void => void worker.terminate()
  signal.addEventListener('abort', end)
  return new Promise<RatedRun>((done, failed) => {
    worker.on('message', done)
    worker.on('error', failed)
    worker.on('exit', (code) => failed(new Error(`the thread ended with code ${code}`)))
  }).finally(() => signal.removeEventListener('abort', end))
}
