import { setImmediate, setTimeout as after } from 'node:timers/promises'
import { tooMany } from './answers.js'

/** How many of something are open at once. */
export class Places {
  private readonly taken = new Map<string, number>()

  /** Takes a place of each share, which has so many. Returns a function that gives them back, once; undefined: a share has none left. */
  take(...shares: readonly (readonly [whose: string, most: number])[]): (() => void) | undefined {
    if (shares.some(([whose, most]) => this.count(whose) >= most)) return undefined
    for (const [whose] of shares) this.taken.set(whose, this.count(whose) + 1)
    let held = true
    return () => {
      for (const [whose] of held ? shares : [])
        if (this.count(whose) > 1) this.taken.set(whose, this.count(whose) - 1)
        else this.taken.delete(whose)
      held = false
    }
  }

  count(whose: string): number {
    return this.taken.get(whose) ?? 0
  }
}

/** Pieces of work that may wait: of one address, and in all. */
const WAITING = { each: 8, all: 200 }
/** Milliseconds of a pause at most. */
const PAUSE_MS = 100

/**
 * Work on the thread that answers everybody, such as a search through thousands of matches: one piece at a time, each followed by a
 * pause as long as it took. So half of the thread is left for quick requests, however many slow ones there are.
 */
export class SlowWork {
  private readonly waiting = new Places()
  private last: Promise<unknown> = Promise.resolve()

  constructor(private readonly most = WAITING) {}

  /** Does a piece when its turn comes. `from`: whose it is. Throws a Refusal where too many wait. */
  async run<T>(from: string, work: () => Promise<T>): Promise<T> {
    const free = this.waiting.take([`from ${from}`, this.most.each], ['all', this.most.all])
    if (free === undefined)
      throw tooMany('too much is being looked up just now: try again in a few seconds', { wait: 2 })
    let took = 0
    const piece = this.last.then(async () => {
      const began = performance.now()
      try {
        return await work()
      } finally {
        took = performance.now() - began
        free()
      }
    })
    const pause = (): Promise<unknown> => (took < 1 ? setImmediate() : after(Math.min(took, PAUSE_MS)))
    this.last = piece.then(pause, pause)
    return piece
  }
}

/** Callers that are remembered. */
const MOST = 50_000

/** Buckets that fill up as time goes by: each request takes one out. */
export class Buckets {
  private readonly by = new Map<string, { readonly left: number; readonly at: number }>()

  constructor(
    private readonly rate: { readonly burst: number; readonly perSecond: number },
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes one. Throws a Refusal with how long to wait where there is none. */
  take(who: string): void {
    const { burst, perSecond } = this.rate
    const at = this.now()
    const before = this.by.get(who) ?? { left: burst, at }
    const left = Math.min(burst, before.left + ((at - before.at) / 1000) * perSecond)
    if (left < 1) {
      const wait = Math.max(1, Math.ceil((1 - left) / perSecond))
      throw tooMany(`too many requests: try again in ${wait} s`, { wait })
    }
    // Who was here last is remembered longest.
    this.by.delete(who)
    this.by.set(who, { left: left - 1, at })
    if (this.by.size > MOST) for (const [oldest] of this.by) return void this.by.delete(oldest)
  }
}
