import { afterReading } from './deadline.js'

/**
 * Calls once what is awaited is overdue. One timer for many: most is there long before it fires, and it looks then what is awaited.
 * What already lies in the pipes is read before the call.
 */
export class Watchdog {
  private timer: NodeJS.Timeout | undefined
  private timerAt = Infinity

  constructor(
    /** When what is awaited now is overdue, by performance.now(); Infinity: nothing is. */
    private readonly until: () => number,
    private readonly overdue: () => void,
  ) {}

  /** Something more is awaited. */
  look(): void {
    const until = this.until()
    if (this.timerAt <= until) return
    clearTimeout(this.timer)
    this.arm(until)
  }

  close(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.timerAt = Infinity
  }

  private arm(until: number): void {
    this.timerAt = until
    const ms = Math.min(Math.max(1, Math.ceil(until - performance.now())), LONGEST_MS)
    this.timer = setTimeout(() => this.fire(), ms).unref()
  }

  private fire(): void {
    this.timer = undefined
    this.timerAt = Infinity
    const until = this.until()
    if (until === Infinity) return
    if (performance.now() < until) return this.arm(until)
    afterReading(() => {
      if (performance.now() >= this.until()) this.overdue()
      else this.look()
    })
  }
}
/** What a timer of Node can hold: 24 days. */
const LONGEST_MS = 2 ** 31 - 1
