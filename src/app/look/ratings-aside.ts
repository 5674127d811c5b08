import { threadOf } from '../../files/index.js'
import type { StoredRun } from '../../store/index.js'
import type { RatedRun, RatingTask } from './rating-worker.js'

/** Milliseconds between ratings of a run under way. */
const EVERY_MS = 5000
/** Runs whose ratings are kept. */
const KEPT = 200

export interface KnownRatings extends RatedRun {
  /** What they were computed of. */
  readonly of: string
}

interface Asked {
  known?: KnownRatings
  tried?: string
  busy: boolean
  /** When it may be rated again while played, on the clock of `now`. */
  next: number
}

/**
 * Ratings, computed aside: whoever asks gets the last ones at once. A run under way is rated again at most every five
 * seconds, or as long after a rating as that took; one that is over, at once. One run at a time: the machine is the
 * bots'.
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
      // Who asks next has it computed again.
      if (!signal.aborted) this.notice(`the ratings of ${id} could not be computed: ${String(error)}`)
    }
    const ended = this.now()
    asked.next = Math.max(began + EVERY_MS, 2 * ended - began)
    asked.busy = false
  }
}

/** Rates a run in a thread, which gives its memory back. Rejects where the thread fails, or the signal ends it. */
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
