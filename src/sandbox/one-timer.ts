/**
 * One timer for many things in turn: it stays set and looks what is due when it fires. One each would cost more than a
 * quick answer.
 */
export class OneTimer {
  private timer: NodeJS.Timeout | undefined
  private firesAt = Infinity

  constructor(
    /** When to call next, by performance.now(); Infinity: nothing is due. */
    private readonly due: () => number,
    private readonly call: () => void,
  ) {}

  /** After each call, and where something may be due earlier than before. */
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
