/** One timer for many things in turn, that stays set and looks when it fires what is due. One for each would cost more than a quick answer. */
export class OneTimer {
  private timer: NodeJS.Timeout | undefined
  private firesAt = Infinity

  constructor(
    /** When to call next, by performance.now(); Infinity: nothing is due. */
    private readonly due: () => number,
    private readonly call: () => void,
  ) {}

  /** What is due has changed; after each call, and where it may be due earlier than before. */
  look(): void {
    const due = this.due()
    if (this.firesAt <= due) return
    clearTimeout(this.timer)
    this.arm(due)
  }

  /** Lets go of the timer, which otherwise keeps this process alive until it fires. */
  clear(): void {
    clearTimeout(this.timer)
    this.firesAt = Infinity
  }

  private arm(at: number): void {
    this.firesAt = at
    const ms = Math.max(1, Math.ceil(at - performance.now()))
    this.timer = setTimeout(() => this.fire(), Math.min(ms, LONGEST_MS))
  }

  private fire(): void {
    this.firesAt = Infinity
    const due = this.due()
    if (due === Infinity) return
    if (performance.now() < due) this.arm(due)
    else this.call()
  }
}

/** What a timer of Node can hold: 24 days. */
const LONGEST_MS = 2 ** 31 - 1
