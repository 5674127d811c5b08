import { pinnedCore } from '../sandbox/index.js'

/** Of so many answers the middle one says how quick a bot is; before there are as many, it is held for quick. */
const WINDOW = 15

/** Microseconds: a bot that takes longer than the first leaves the core of the thread that asks, one that is quicker than the second returns. */
const [SLOW_US, QUICK_US] = [150, 130]

/** Whether a bot that stays shares the asking thread's core: waking another takes five quick answers, but a bot that thinks keeps the thread. */
export class BotCore {
  private readonly last: number[] = []
  private at = 0
  private is = true

  /** Whether it shares the core of the thread that asks, where that stays on one. */
  get isShared(): boolean {
    return this.is && pinnedCore() !== undefined
  }

  answered(us: number): void {
    this.last[this.at++ % WINDOW] = us
  }

  look(): boolean {
    if (this.last.length < WINDOW || pinnedCore() === undefined) return false
    // The median is within the bound where the greater half of them is.
    let within = 0
    for (const us of this.last) if (this.is ? us <= SLOW_US : us < QUICK_US) within++
    const near = within > WINDOW >> 1
    if (near === this.is) return false
    this.is = near
    this.last.length = this.at = 0
    return true
  }
}
