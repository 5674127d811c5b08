import { OneTimer } from './one-timer.js'
import type { Measures } from './sandbox-spec.js'
import { type SandboxRunning, SUSPEND_MS, UPDATE_MS, WATCH_MS } from './stay.js'

/** Calls as a PlainClock does, but by the launcher's books. Suspends the process between questions. */
export class SandboxClock {
  private question = 0
  private limit = 0
  private began = 0
  private open = false
  private watched = false
  private readonly timer = new OneTimer(
    () => this.due(),
    () => this.look(),
  )
  private lateMeasures: Measures | undefined
  /** Until when the process runs unasked; undefined: it is suspended, or there is none. */
  private suspendAt: number | undefined
  private running: SandboxRunning | undefined

  constructor(private readonly onTime: (busy: boolean, cpuUs: number) => void) {}

  set(limit: number, now = performance.now()): void {
    this.question++
    this.limit = limit
    this.began = now
    this.open = true
    this.watched = false
    this.lateMeasures = undefined
    this.running?.asked()
    this.timer.look()
  }

  /** Calls it off. Where the launcher watched, it reports what the question took. */
  off(now = performance.now()): Promise<Measures | undefined> | undefined {
    const { open, lateMeasures } = this
    this.open = false
    if (open) this.idle(SUSPEND_MS, now)
    this.lateMeasures = undefined
    if (lateMeasures !== undefined) return Promise.resolve(lateMeasures)
    if (!this.watched) return undefined
    this.watched = false
    return this.running?.answered()
  }

  stir(): void {
    void this.running?.wake()
    this.idle(UPDATE_MS)
  }

  /** A process was started, perhaps within a question, whose time goes on. Reports on its forerunner do not count. */
  started(running: SandboxRunning): void {
    this.running = running
    running.onLate = (measures) => (this.running === running ? this.late(measures) : running.resume())
    this.idle(UPDATE_MS)
    if (this.open && this.watched) this.watch()
  }

  load(ms: number): void {
    this.suspendAt = undefined
    this.idle(Math.max(ms, UPDATE_MS))
  }

  rest(): void {
    this.suspendAt = undefined
    this.running?.suspend()
  }

  clear(): void {
    this.open = false
    this.suspendAt = undefined
    this.timer.clear()
  }

  /** The launcher reports a question's end of time; the process stands still. */
  private late(measures: Measures): void {
    const { running } = this
    if (measures.question === this.question && this.open) {
      running?.drain()
      if (this.open) {
        this.open = this.watched = false
        this.lateMeasures = measures
        return this.onTime(measures.busy, measures.cpuUs)
      }
    }
    running?.resume()
  }

  private idle(ms: number, now = performance.now()): void {
    this.suspendAt = Math.max(this.suspendAt ?? 0, now + ms)
    this.timer.look()
  }

  private due(): number {
    if (!this.open) return this.suspendAt ?? Infinity
    return this.watched ? Infinity : this.began + WATCH_MS
  }

  private look(): void {
    if (this.open) {
      this.watched = true
      this.watch()
    } else {
      this.suspendAt = undefined
      this.running?.suspend()
    }
  }

  private watch(): void {
    const age = performance.now() - this.began
    this.running?.watch(this.question, process.hrtime.bigint() - BigInt(Math.round(age * 1e6)), this.limit)
  }
}
