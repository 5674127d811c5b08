import type { ReportProgress } from '../app/look/report.js'
import { visible } from '../core/index.js'
import { duration, shorten } from '../text/index.js'
import { canRewrite, notify } from './terminal.js'

/** How far long work is. */
export interface State {
  readonly done: number
  /** The most it can become; 0: it may end at any moment. */
  readonly total: number
  /** Of `done`, how many were there before. */
  readonly reused: number
  /** A few words: where it stands, who leads. */
  readonly leaders: string
}

/** Milliseconds between two looks: often enough to seem alive on a terminal, seldom enough to keep a log short. */
const EVERY = { terminal: 250, log: 5000 }
/** A look may take up to this part of the time: a table of very many matches is not made in no time. */
const SHARE = 0.02

/**
 * Shows how far a run is: one line that is written over on a terminal, a plain line every few seconds elsewhere. `look` is only
 * called when something is shown.
 */
export class Progress {
  private readonly began = performance.now()
  private readonly terminal = canRewrite(process.stderr)
  private timer: NodeJS.Timeout | undefined
  private shown = false
  private ended = false

  constructor(
    private readonly what: string,
    private readonly look: () => State,
    /** Awaited before each look. */
    private readonly ready?: () => Promise<void>,
  ) {
    this.wait(0)
  }

  /** A line that stays, above the progress. */
  note(text: string): void {
    this.wipe()
    notify(text)
  }

  end(): void {
    this.ended = true
    clearTimeout(this.timer)
    this.wipe()
  }

  private wait(cost: number): void {
    const every = this.terminal ? EVERY.terminal : EVERY.log
    this.timer = setTimeout(() => void this.show(), Math.max(every, cost / SHARE)).unref()
  }

  private async show(): Promise<void> {
    await this.ready?.()
    if (this.ended) return
    const began = performance.now()
    const line = this.line()
    if (this.terminal) {
      process.stderr.write(`\r${shorten(line, Math.max(20, (process.stderr.columns || 80) - 1))}\u001b[K`)
      this.shown = true
    } else notify(line)
    this.wait(performance.now() - began)
  }

  private wipe(): void {
    if (this.shown) process.stderr.write('\r\u001b[K')
    this.shown = false
  }

  private line(): string {
    const { done, total, reused, leaders } = this.look()
    const fresh = done - reused
    const rate = fresh / ((performance.now() - this.began) / 1000)
    const left = total === 0 ? '' : `, about ${duration(((total - done) / rate) * 1000)} left`
    const share =
      total === 0 ? `${done} matches` : `${done} of ${total} matches (${Math.floor((100 * done) / total)} %)`
    const speed = fresh > 0 ? `, ${rate.toFixed(rate < 10 ? 1 : 0)}/s${left}` : ', just begun'
    return visible(`${this.what}: ${share}${speed}${leaders && `; ${leaders}`}`)
  }
}

/** Shows on the terminal how far a report is. */
export class ReportDisplay {
  private progress: Progress | undefined
  private now: ReportProgress | undefined

  see(now: ReportProgress): void {
    if (now.doing !== this.now?.doing) {
      this.end()
      this.progress = new Progress(now.doing, () => this.state())
    }
    this.now = now
  }

  /** `otherwise` shows notices while there is no progress line. */
  notice(text: string, otherwise: (text: string) => void): void {
    if (this.progress === undefined) otherwise(text)
    else this.progress.note(visible(text))
  }

  end(): void {
    this.progress?.end()
    this.progress = undefined
  }

  private state(): State {
    const { done, total } = this.now ?? { done: 0, total: 0 }
    return { done, total, reused: 0, leaders: '' }
  }
}
