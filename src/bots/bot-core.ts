import { pinnedCore } from '../sandbox/index.js'

/** The median of so many answers says how quick a bot is; before, it counts as quick. */
const WINDOW = 15

/** Microseconds: a bot slower than the first leaves the asking thread's core, one quicker than the second returns. */
const [SLOW_US, QUICK_US] = [150, 130]

/**
 * Whether a bot that stays shares the asking thread's core: to wake another takes five quick answers, but a thinker
 * keeps the thread.
 */
export class BotCore {
  private readonly last: number[] = []
  private at = 0
  private is = true

  /** Whether it shares the asking thread's core, if that stays on one. */
  get isShared(): boolean {
    return this.is && pinnedCore() !== undefined
  }

  answered(us: number): void {
    this.last[this.at++ % WINDOW] = us
  }

  look(): boolean {
    if (this.last.length < WINDOW || pinnedCore() === undefined) return false
    // The median is in bounds if the greater half is.
    let within = 0
    for (const us of this.last) if (this.is ? us <= SLOW_US : us < QUICK_US) within++
    const near = within > WINDOW >> 1
    if (near === this.is) return false
    this.is = near
    this.last.length = this.at = 0
    return true
  }
}
