import { Deadline } from './deadline.js'
import type { Running } from './process.js'

/** A question is watched when its answer is not there after a tenth of its limit, but after this many milliseconds at least and at most. */
const SOONEST_MS = 2
const LATEST_MS = 20

/**
 * Calls once the own time of a question is up, for a process that stays and has no sandbox: what it waited for a core because of others is
 * credited, as the launcher of sandboxes does. A look at its books costs more than a quick answer, so that they begin only when the
 * answer is not there after a moment.
 */
export class PlainClock {
  private readonly deadline: Deadline
  private open = false
  private watched = false
  private began = 0
  private delay = 0
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly running: () => Running | undefined,
    onTime: (busy: boolean) => void,
  ) {
    this.deadline = new Deadline(
      (busy) => {
        this.open = false
        onTime(busy)
      },
      () => {
        this.watch()
        return this.running()?.credit?.() ?? { sure: 0n, maybe: 0n }
      },
    )
  }

  set(limit: number, now = performance.now()): void {
    this.open = true
    this.watched = false
    this.began = now
    this.delay = Math.min(Math.max(limit / 10, SOONEST_MS), LATEST_MS)
    this.deadline.set(limit, now)
    if (this.timer === undefined) this.arm(this.delay)
  }

  off(): void {
    this.open = false
    this.deadline.off()
  }

  clear(): void {
    this.open = false
    this.deadline.clear()
    clearTimeout(this.timer)
    this.timer = undefined
  }

  /** One timer for many questions: most are answered before it fires, and it looks then which one is open. */
  private arm(ms: number): void {
    this.timer = setTimeout(() => this.look(), Math.ceil(ms))
  }

  private look(): void {
    this.timer = undefined
    if (!this.open || this.watched) return
    const left = this.delay - (performance.now() - this.began)
    if (left > 0) this.arm(left)
    else this.watch()
  }

  private watch(): void {
    if (this.watched) return
    this.watched = true
    this.running()?.creditFrom?.(this.began)
  }
}
