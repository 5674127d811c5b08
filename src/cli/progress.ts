import { duration, tell } from './terminal.js'

/** How far long work is. */
export interface State {
  readonly done: number
  /** The most it can become. */
  readonly total: number
  /** Of `done`, how many were there before. */
  readonly reused: number
  /** A few words: who leads. */
  readonly leaders: string
}

/** Milliseconds between two looks: often enough to seem alive on a terminal, seldom enough to keep a log short. */
const EVERY = { terminal: 250, log: 5000 }

/**
 * Shows how far a run is: one line that is written over on a terminal, a plain line every few seconds elsewhere. `look` is only
 * called when something is shown.
 */
export class Progress {
  private readonly began = performance.now()
  private readonly terminal = process.stderr.isTTY
  private readonly timer: NodeJS.Timeout
  private shown = false

  constructor(
    private readonly what: string,
    private readonly look: () => State,
  ) {
    this.timer = setInterval(() => this.show(), this.terminal ? EVERY.terminal : EVERY.log)
    this.timer.unref()
  }

  /** A line that stays, above the progress. */
  note(text: string): void {
    this.wipe()
    tell(text)
  }

  end(): void {
    clearInterval(this.timer)
    this.wipe()
  }

  private show(): void {
    const line = this.line()
    if (!this.terminal) return tell(line)
    process.stderr.write(`\r${line.slice(0, Math.max(20, process.stderr.columns - 1))}\u001b[K`)
    this.shown = true
  }

  private wipe(): void {
    if (this.shown) process.stderr.write('\r\u001b[K')
    this.shown = false
  }

  private line(): string {
    const { done, total, reused, leaders } = this.look()
    const passed = performance.now() - this.began
    const fresh = done - reused
    const rate = fresh / (passed / 1000)
    const left = fresh > 0 ? duration(((total - done) / rate) * 1000) : '?'
    const share = total > 0 ? Math.floor((100 * done) / total) : 0
    return `${this.what}: ${done} of ${total} matches (${share} %), ${rate.toFixed(rate < 10 ? 1 : 0)}/s, about ${left} left${leaders === '' ? '' : `; ${leaders}`}`
  }
}
