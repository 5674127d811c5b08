import { lookAt } from './clock.js'
import type { Credit } from './waiting.js'

/**
 * Calls once after that many milliseconds, unless called off. Answers that already lie in the pipe are always read before the call.
 * What the bot itself waited for the machine (`credit`) is given on top as often as it grows, up to the hard stop; `busy` gives
 * that this came first. Where that is not known, and this process itself was kept from running (its timer fires late), the bot is
 * given the lateness on top, once.
 */
export class Deadline {
  private began = 0
  private due: number | undefined
  private limit = 0
  private patient = false
  private timer: NodeJS.Timeout | undefined
  private timerAt = 0

  constructor(
    private readonly onTime: (busy: boolean) => void,
    private readonly credit?: () => Credit,
    /** It is late, too, where it has ended meanwhile, and ran for longer than its limit; else its answer in time may be in the pipe. */
    private readonly untilEnd = false,
  ) {}

  /** Sets it, in milliseconds from now. A timer that is still armed for less is used again: most questions are answered long before. */
  set(limit: number, now = performance.now()): void {
    this.limit = Math.min(limit, LONGEST_MS)
    this.patient = this.credit === undefined
    this.began = now
    this.wait(now + this.limit)
  }

  /** Calls it off, until it is set again. */
  off(): void {
    this.due = undefined
  }

  /** Calls it off and lets go of the timer, which otherwise keeps this process alive until it fires. */
  clear(): void {
    this.due = undefined
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private wait(due: number): void {
    this.due = due
    if (this.timer !== undefined && this.timerAt <= due) return
    clearTimeout(this.timer)
    this.arm(due)
  }

  private arm(at: number): void {
    this.timerAt = at
    const ms = Math.max(1, Math.ceil(at - performance.now()))
    this.timer = setTimeout(() => this.fire(), Math.min(ms, LONGEST_MS))
  }

  private fire(): void {
    this.timer = undefined
    const { due } = this
    if (due === undefined) return
    const late = performance.now() - due
    if (late < 0) return this.arm(due)
    if (late > SLIP_MS && this.patient) {
      this.patient = false
      const more = Math.min(late, this.limit)
      this.limit += more
      return this.wait(performance.now() + more)
    }
    const look = this.look()
    if (look.verdict === 'in time') return this.wait(Math.max(inMs(look.until), performance.now() + 1))
    const end = () => {
      if (this.due !== due) return
      this.due = undefined
      this.onTime(look.verdict === 'busy')
    }
    if (this.untilEnd && look.verdict === 'late' && look.longest > inNs(this.limit)) end()
    else afterReading(end)
  }

  private look() {
    // This process may wait for its core while it reads the bot's books: what passes meanwhile is not in them.
    const [began, limit, now] = [this.began, this.limit, performance.now()].map(inNs) as [bigint, bigint, bigint]
    const { sure, maybe, longest = 0n } = this.credit?.() ?? { sure: 0n, maybe: 0n }
    return this.credit === undefined
      ? ({ verdict: 'late', until: now, longest } as const)
      : { ...lookAt(began, limit, now, sure, maybe), longest }
  }
}
const inNs = (ms: number): bigint => BigInt(Math.round(ms * 1e6))
const inMs = (ns: bigint): number => Number(ns) / 1e6

/** Calls `onTime` after that many milliseconds, as a Deadline does for a program that is to end by then. Returns a way to call it off. */
export function deadline(limit: number, onTime: (busy: boolean) => void, credit?: () => Credit): () => void {
  const until = new Deadline(onTime, credit, true)
  until.set(limit)
  return () => until.clear()
}

/**
 * Calls once all that lies in the pipes now has been read. Timers run before the pipes are polled, and what comes from a pipe
 * runs in the middle of a poll: one more whole turn of the loop is needed.
 */
export function afterReading(then: () => void): void {
  setImmediate(() => setImmediate(then))
}

/** Lateness of a timer, in milliseconds, that is more than the machine's usual. */
const SLIP_MS = 25
/** What a timer of Node can hold: 24 days. */
const LONGEST_MS = 2 ** 31 - 1
