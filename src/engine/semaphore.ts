import pLimit, { type LimitFunction } from 'p-limit'
import type { Answer, Player, Question, Say } from '../core/index.js'

/** Lets this process do what else waits, once. */
export const rest = (): Promise<void> => new Promise((done) => setImmediate(done))

/** Runs at most so many pieces of work at once; the others wait their turn, first come, first served. */
export type Semaphore = LimitFunction
/** `concurrency`: from 1. */
export const semaphore = (concurrency: number): Semaphore => pLimit(concurrency)

/** A player whose clock runs only while it has a place at the semaphore: what it is asked waits until then. */
export class ThrottledPlayer implements Player {
  constructor(
    private readonly player: Player,
    private readonly limit: Semaphore,
  ) {}

  begin(key: string): Promise<void> {
    return this.player.begin(key)
  }
  ready(say: Say | undefined, limit: number): Promise<Answer> {
    return this.limit(() => this.player.ready(say, limit))
  }
  tell(say: Say): Promise<void> | void {
    return this.player.tell(say)
  }
  ask(question: Question): Promise<Answer> {
    return this.limit(() => this.player.ask(question))
  }
  dismiss(): void {
    this.player.dismiss()
  }
  end(): Promise<void> {
    return this.player.end()
  }
}
