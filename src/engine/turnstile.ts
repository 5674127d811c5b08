import type { Answer, Player, Question, Say } from '../core/index.js'

/** Lets this process do what else waits, once. */
export const rest = (): Promise<void> => new Promise((done) => setImmediate(done))

/** Lets so many through at once; the others wait their turn, first come, first served. */
export class Turnstile {
  private readonly waiting: (() => void)[] = []

  constructor(private free: number) {}

  async through<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--
    else await new Promise<void>((go) => this.waiting.push(go))
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.free++
      else next()
    }
  }
}

/** A player whose clock runs only while it has a place at the turnstile: what it is asked waits until then. */
export class TimedPlayer implements Player {
  constructor(
    private readonly player: Player,
    private readonly turnstile: Turnstile,
  ) {}

  begin(key: string): Promise<void> {
    return this.player.begin(key)
  }
  ready(say: Say | undefined, limit: number): Promise<Answer> {
    return this.turnstile.through(() => this.player.ready(say, limit))
  }
  tell(say: Say): Promise<void> | void {
    return this.player.tell(say)
  }
  ask(question: Question): Promise<Answer> {
    return this.turnstile.through(() => this.player.ask(question))
  }
  dismiss(): void {
    this.player.dismiss()
  }
  end(): Promise<void> {
    return this.player.end()
  }
}
