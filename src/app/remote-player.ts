import {
  type Answer,
  type GameDefinition,
  type Legal,
  type Outcome,
  type Player,
  type Question,
} from '../core/index.js'
import type { SeatEvent } from '../match/index.js'

/** A move, and the view that it was made on, as JSON. */
interface Made {
  readonly seen: string
  readonly action: string
}

/** Characters of the events that are kept of a match, as JSON: the newest. */
const KEPT = 2 * 1024 ** 2

/** What a person is asked now. */
export interface OpenQuestion {
  readonly view: unknown
  readonly legal: Legal
}

/**
 * A person who plays in a browser: a question waits until the site receives the answer. The game's time limits do not apply. Where a match
 * is void and played again, the moves that were made are made again for as long as the views are the same.
 */
export class RemotePlayer implements Player {
  asked: OpenQuestion | undefined
  outcome: Outcome | undefined
  /** What its seat has seen and done, from the number `first` on: of a long match not the beginning. */
  events: SeatEvent[] = []
  first = 0
  /** How often its seat has moved. */
  turn = 0
  private readonly sizes: number[] = []
  private size = 0
  private answer: ((action: string) => void) | undefined
  private made: Made[] = []
  private before: Made[] = []
  private waiting: (() => void)[] = []
  private gone = false

  constructor(
    private readonly definition: GameDefinition,
    private readonly most = KEPT,
  ) {}

  /** What its seat sees from now on. */
  see(event: SeatEvent): void {
    if (event.kind === 'began') this.events.length = this.sizes.length = this.size = this.first = this.turn = 0
    if (event.kind === 'moved') this.turn++
    if (event.kind === 'ended') this.outcome = event.outcome
    const { length } = JSON.stringify(event)
    this.events.push(event)
    this.sizes.push(length)
    this.size += length
    if (this.size > this.most) this.forget()
  }

  /** Answers the open question. False: there is none. */
  move(action: string): boolean {
    const { answer } = this
    if (answer === undefined) return false
    this.answer = undefined
    this.asked = undefined
    answer(action)
    return true
  }

  /** Resolves once it is asked something, or the match is over. */
  async asking(): Promise<void> {
    if (this.asked !== undefined || this.gone) return
    await new Promise<void>((done) => this.waiting.push(done))
  }

  /** The match is over, or cannot be played. */
  leave(): void {
    this.gone = true
    this.asked = undefined
    this.wake()
  }

  async begin(): Promise<void> {
    this.before = [...this.made, ...this.before]
    this.made = []
  }

  async ask({ view, legal }: Question): Promise<Answer> {
    const began = performance.now()
    const seen = JSON.stringify(view)
    const again = this.before.shift()
    if (again?.seen === seen) return this.moved(again, began)
    this.before = []
    if (this.gone) return this.moved({ seen, action: '' }, began)
    const action = await new Promise<string>((done) => {
      this.answer = done
      this.asked = { view, legal: legal?.(view) ?? this.definition.game.legal(view) }
      this.wake()
    })
    return this.moved({ seen, action }, began)
  }

  async ready(): Promise<Answer> {
    return { output: {}, wallUs: 0 }
  }
  send(): void {
    // The next question shows all.
  }
  dismiss(): void {
    this.gone = true
    this.move('')
  }
  async end(): Promise<void> {
    // The match may be void.
  }

  /** Drops the oldest events, half of what may be kept at once: to drop each alone would move all others. */
  private forget(): void {
    let n = 0
    for (; n < this.events.length - 1 && this.size > this.most / 2; n++) this.size -= this.sizes[n] ?? 0
    this.events.splice(0, n)
    this.sizes.splice(0, n)
    this.first += n
  }

  private moved(move: Made, began: number): Answer {
    this.made.push(move)
    return { output: { out: move.action }, wallUs: (performance.now() - began) * 1000, thoughtUs: 0 }
  }

  private wake(): void {
    const { waiting } = this
    this.waiting = []
    for (const done of waiting) done()
  }
}
