import type { Answer, GameDefinition, Legal, Outcome, Player, Question } from '../core/index.js'
import type { SeatEvent } from '../match/index.js'

/** Without the game's time limits. In a match played again, moves are made again while views are the same. */
export abstract class Person implements Player {
  /** Moves of this match with views as JSON, and those of the void match before it that are to be made again. */
  private made: { readonly seen: string; readonly action: string }[] = []
  private before: typeof this.made = []

  constructor(protected readonly definition: GameDefinition) {}

  protected abstract decide(view: unknown, legal: Legal): Promise<string>

  abstract dismiss(): void

  async begin(): Promise<void> {
    this.before = [...this.made, ...this.before]
    this.made = []
  }

  async ask({ view, legal }: Question): Promise<Answer> {
    const began = performance.now()
    const seen = JSON.stringify(view)
    const again = this.before.shift()
    const isSame = again?.seen === seen
    if (isSame) this.moveAgain(again.action)
    else this.before = []
    const action = isSame ? again.action : await this.decide(view, legal?.(view) ?? this.definition.game.legal(view))
    this.made.push({ seen, action })
    return { output: { out: action }, wallUs: (performance.now() - began) * 1000, thoughtUs: 0 }
  }

  async ready(): Promise<Answer> {
    return { output: {}, wallUs: 0 }
  }
  send(): void {
    // The next question shows all.
  }
  async end(): Promise<void> {
    // The match may be void.
  }

  protected moveAgain(_action: string): void {
    // Nobody looks.
  }
}

/** Characters of a match's newest events that are kept, as JSON. */
const KEPT = 2 * 1024 ** 2

/** A person in a browser, or a program that learns: a question waits for its answer. */
export class RemotePlayer extends Person {
  asked: { readonly view: unknown; readonly legal: Legal } | undefined
  outcome: Outcome | undefined
  /** What its seat has seen and done, from number `first` on. */
  events: SeatEvent[] = []
  first = 0
  turn = 0
  private sizes: number[] = []
  private size = 0
  private answer: ((action: string) => void) | undefined
  private waiting: (() => void)[] = []
  private gone = false

  constructor(
    definition: GameDefinition,
    private readonly most = KEPT,
  ) {
    super(definition)
  }

  see(event: SeatEvent): void {
    if (event.kind === 'began') {
      this.events = []
      this.sizes = []
      this.size = this.first = this.turn = 0
    }
    if (event.kind === 'moved') this.turn++
    if (event.kind === 'ended') this.outcome = event.outcome
    const { length } = JSON.stringify(event)
    this.events.push(event)
    this.sizes.push(length)
    this.size += length
    if (this.size <= this.most) return
    // Half goes at once: to drop each alone would move all others.
    let dropped = 0
    while (dropped < this.events.length - 1 && this.size > this.most / 2) this.size -= this.sizes[dropped++] ?? 0
    this.events.splice(0, dropped)
    this.sizes.splice(0, dropped)
    this.first += dropped
  }

  /** False: no question is open. */
  move(action: string): boolean {
    const { answer } = this
    if (answer === undefined) return false
    this.answer = undefined
    this.asked = undefined
    answer(action)
    return true
  }

  /** Resolves at a question or the match's end. */
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

  dismiss(): void {
    this.gone = true
    this.move('')
  }

  protected decide(view: unknown, legal: Legal): Promise<string> {
    if (this.gone) return Promise.resolve('')
    return new Promise((done) => {
      this.answer = done
      this.asked = { view, legal }
      this.wake()
    })
  }

  private wake(): void {
    for (const done of this.waiting.splice(0)) done()
  }
}
