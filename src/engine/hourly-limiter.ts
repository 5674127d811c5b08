import { setTimeout as after } from 'node:timers/promises'

const HOUR_MS = 3_600_000
/** Milliseconds within which an aborted call is noticed. */
const LOOK_MS = 1000

/**
 * Lets so many matches an hour begin, in a stream: at most a minute's worth at once. What was not used in the hour before is lost, so a
 * site that was away makes up for nothing.
 */
export class HourlyLimiter {
  /** When waiting matches may begin, in milliseconds since the epoch; undefined: none waits. */
  until: number | undefined
  private left = 0
  private at: number
  private last: Promise<void> = Promise.resolve()

  constructor(
    readonly hourly: number,
    private readonly now: () => number = () => performance.now(),
    private readonly wait: (ms: number) => Promise<unknown> = (ms) => after(ms, undefined, { ref: false }),
    private readonly today: () => number = () => Math.round(performance.timeOrigin + performance.now()),
  ) {
    this.at = now()
  }

  /** Resolves once so many matches may begin, in the order of the calls. An aborted call takes nothing. */
  take(matches: number, signal?: AbortSignal): Promise<void> {
    this.last = this.last.then(() => this.takeNext(matches, signal))
    return this.last
  }

  private async takeNext(matches: number, signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true) {
      const now = this.now()
      const most = Math.max(this.hourly / 60, matches)
      this.left = Math.min(most, this.left + ((now - this.at) * this.hourly) / HOUR_MS)
      this.at = now
      // Rounding of many small sums.
      if (this.left + 1e-9 >= matches) {
        this.left -= matches
        break
      }
      const lacking = Math.ceil(((matches - this.left) * HOUR_MS) / this.hourly)
      this.until = this.today() + lacking
      await this.wait(Math.min(LOOK_MS, lacking))
    }
    this.until = undefined
  }
}
