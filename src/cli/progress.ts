import { visible } from '../core/index.js'
import { duration, shorten } from '../text/index.js'
import { canRewrite, notify } from './terminal.js'

interface State {
  readonly done: number
  /** The most it can become; 0 or absent: unknown. */
  readonly total?: number
  /** Of `done`, how many were reused. */
  readonly reused?: number
  /** A few words: the standing, the leaders. */
  readonly leaders?: () => string
}

/** Milliseconds between looks: lively on a terminal, short in a log. */
const EVERY = { terminal: 250, log: 5000 }
/** A line may take this share of the time: finding the leaders of very many matches takes some. */
const SHARE = 0.02

/** Shows progress: one rewritten line on a terminal, a plain line every few seconds elsewhere. */
export class Progress {
  private readonly terminal = canRewrite(process.stderr)
  private what: string | undefined
  private look: () => State | Promise<State> = () => ({ done: 0 })
  private began = 0
  private timer: NodeJS.Timeout | undefined
  private shown = false

  follow(what: string, look: () => State | Promise<State>): void {
    const isNew = what !== this.what
    if (isNew) this.end()
    this.what = what
    this.look = look
    if (!isNew) return
    this.began = performance.now()
    this.wait(0)
  }

  /** A line that stays, above the progress if there is any. */
  note(text: string): void {
    this.wipe()
    notify(visible(text))
  }

  end(): void {
    this.what = undefined
    clearTimeout(this.timer)
    this.wipe()
  }

  private wait(cost: number): void {
    const every = this.terminal ? EVERY.terminal : EVERY.log
    this.timer = setTimeout(() => void this.show(), Math.max(every, cost / SHARE)).unref()
  }

  private async show(): Promise<void> {
    const { what } = this
    const state = await this.look()
    if (what === undefined || what !== this.what) return
    const began = performance.now()
    const line = visible(this.line(what, state))
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

  private line(what: string, { done, total = 0, reused = 0, leaders }: State): string {
    const fresh = done - reused
    const rate = fresh / ((performance.now() - this.began) / 1000)
    const left = total === 0 ? '' : `, about ${duration(((total - done) / rate) * 1000)} left`
    const share =
      total === 0 ? `${done} matches` : `${done} of ${total} matches (${Math.floor((100 * done) / total)} %)`
    const speed = fresh > 0 ? `, ${rate.toFixed(rate < 10 ? 1 : 0)}/s${left}` : ', just begun'
    const led = leaders?.() ?? ''
    return `${what}: ${share}${speed}${led && `; ${led}`}`
  }
}
