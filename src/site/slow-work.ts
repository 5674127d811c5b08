import { setImmediate, setTimeout } from 'node:timers/promises'
import { Places } from './http/places.js'
import { Refusal } from './http/problems.js'

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
      throw new Refusal('too-many', 'too much is being looked up just now: try again in a few seconds', { wait: 2 })
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
    const pause = (): Promise<unknown> => (took < 1 ? setImmediate() : setTimeout(Math.min(took, PAUSE_MS)))
    this.last = piece.then(pause, pause)
    return piece
  }
}
