import type { Answer, BotInput, Player, Question } from '../core/index.js'
import { PassingPlayer } from '../core/passing-player.js'

/** Runs at most so many pieces of work at once; the others wait their turn, first come, first served. */
export class Semaphore {
  private free: number
  private readonly waiting: (() => void)[] = []

  /** `concurrency`: from 1. */
  constructor(concurrency: number) {
    if (!(concurrency >= 1)) throw new RangeError(`${concurrency} at once: must be 1 or more`)
    this.free = concurrency
  }

  /** Takes a place, to be given back by `release`. Undefined: it is taken; else it is when that resolves. */
  acquire(): Promise<void> | undefined {
    if (this.free === 0) return new Promise((taken) => this.waiting.push(taken))
    this.free--
    return undefined
  }
  release(): void {
    const next = this.waiting.shift()
    if (next === undefined) this.free++
    else next()
  }

  /** Does work once it has a place: at once, if one is free. */
  run<T>(work: () => Promise<T> | T): Promise<T> | T {
    const waiting = this.acquire()
    return waiting === undefined ? this.runNow(work) : waiting.then(() => this.runNow(work))
  }

  private runNow<T>(work: () => Promise<T> | T): Promise<T> | T {
    let running: Promise<T> | undefined
    try {
      const result = work()
      if (!(result instanceof Promise)) return result
      running = result
    } finally {
      if (running === undefined) this.release()
    }
    return running.finally(() => this.release())
  }
}

/** A player whose clock runs only while it has a place at the semaphore: its questions wait until then. */
export class ThrottledPlayer extends PassingPlayer {
  constructor(
    player: Player,
    private readonly semaphore: Semaphore,
  ) {
    super(player)
  }

  override async ready(input: BotInput | undefined, limit: number): Promise<Answer> {
    return this.semaphore.run(() => this.player.ready(input, limit))
  }
  override ask(question: Question): Promise<Answer> | Answer {
    return this.semaphore.run(() => this.player.ask(question))
  }
}
