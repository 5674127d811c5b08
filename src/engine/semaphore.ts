import type { Answer, BotInput, Player, Question } from '../core/index.js'
import { PassingPlayer } from '../core/passing-player.js'

/** Runs at most so many pieces of work at once, first come, first served. */
export class Semaphore {
  private free: number
  private readonly waiting: (() => void)[] = []

  /** `concurrency`: from 1. */
  constructor(concurrency: number) {
    if (!(concurrency >= 1)) throw new RangeError(`${concurrency} at once: must be 1 or more`)
    this.free = concurrency
  }

  /** Takes a place, to be given back by `release`. Undefined: taken; else it is when that resolves. */
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

  async run<T>(work: () => Promise<T> | T): Promise<T> {
    const waiting = this.acquire()
    if (waiting !== undefined) await waiting
    try {
      return await work()
    } finally {
      this.release()
    }
  }
}

/** A player whose questions, and so its clock, wait for a place at the semaphore. */
export class ThrottledPlayer extends PassingPlayer {
  constructor(
    player: Player,
    private readonly semaphore: Semaphore,
  ) {
    super(player)
  }

  override ready(input: BotInput | undefined, limit: number): Promise<Answer> {
    return this.semaphore.run(() => this.player.ready(input, limit))
  }
  override ask(question: Question): Promise<Answer> | Answer {
    const { semaphore } = this
    const waiting = semaphore.acquire()
    return waiting === undefined ? this.askNow(question) : waiting.then(() => this.askNow(question))
  }

  private askNow(question: Question): Promise<Answer> | Answer {
    let answer: Promise<Answer> | Answer | undefined
    try {
      answer = this.player.ask(question)
    } finally {
      if (answer === undefined || !('then' in answer)) this.semaphore.release()
    }
    return 'then' in answer ? answer.finally(() => this.semaphore.release()) : answer
  }
}
