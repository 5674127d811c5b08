import {
  type Answer,
  type AnyWire,
  type Asked,
  type BotInput,
  type Legal,
  type MatchRecord,
  type Me,
  type Move,
  type Outcome,
  type Seat,
  UserError,
  frozenView,
  shownView,
} from '../core/index.js'
import type { Due, FullEvent, MoveDue, ReadyDue, SeatEvent, Update } from './events.js'
import { type GameInPlay, refuseLargeView, refuseMany, refuseView } from './game-mistakes.js'
import { type JudgeContext, type PlayedSoFar, faultsOf, meAt, wireAt } from './judge.js'
import { toldClock, toldLimits } from './clocks.js'
import { eventsOf } from './observers.js'

/*
 * Theory of operation.
 *
 * This is the one place that knows the order of a match's conversation: every seat answers that it is ready, is sent the start, and is
 * then asked, and sent what became of it, step by step until the end. It is synchronous and starts nothing. A driver repeats until
 * `over`: send each of `updates`, ask each of `due()`, hand in each `answer()` in any order, `advance()`.
 * Where the positions come from is the business of `Steps`: of the answers (a live match), or of a record (a replay). A driver may
 * lead some of the seats only: the others are then neither sent nor asked anything.
 */

/** By seat; undefined: was not asked, null: has not answered yet. */
export type SeatAnswers = readonly (Answer | null | undefined)[]

/** Where the positions of a match come from. */
export interface Steps {
  /** What is played, where that is a live match: mistakes of the game are reported with its file. */
  readonly game?: GameInPlay
  readonly state: unknown
  /** The seats that owe a move, once a position; none: the match is over. */
  due(): readonly Seat[]
  /** Takes whether the seats are ready. Returns those that are not, which are asked nothing any more. */
  ready(answers: SeatAnswers): readonly Seat[]
  /**
   * Goes to the next position. `view` gives what a seat sees in this one, and `legal` its legal actions. Returns the moves, by seat.
   */
  play(
    answers: SeatAnswers,
    view: (seat: Seat) => unknown,
    legal: (seat: Seat) => Legal,
  ): readonly (Move<string> | undefined)[]
  /** Once no seat is due. */
  outcome(): Outcome
  record(outcome: Outcome): MatchRecord
  /** What has been played; it grows. Absent: it is known elsewhere, as of a replay. */
  soFar?(): PlayedSoFar
}

export interface Conversation {
  /** The limit of that name in milliseconds. */
  limit(seat: Seat, name: string): number
  /** What the contest says of limits: what the bots are told of their time. */
  readonly limits: Readonly<Record<string, number>>
  /** Milliseconds that a seat has left; undefined: there is no bank. */
  left(seat: Seat): number | undefined
  /** The seats that take part. Absent: all. */
  readonly seats?: readonly Seat[]
}

/** A match as a state machine: what is to be sent and asked now, and what follows from the answers. */
export class MatchState {
  /** What is to be sent, in this order, before anything is asked. */
  updates: readonly Update[] = []
  /** The seats that have just turned out not to be ready: they are to be dismissed. */
  dismissed: readonly Seat[] = []
  private questions: readonly Due[] = []
  private readonly answers: (Answer | null | undefined)[]
  private open = 0
  /** How many have been played. */
  steps = 0
  private end: Outcome | undefined
  /** All that have turned out not to be ready. */
  private unready: readonly Seat[] = NONE
  /** By seat how many of its moves it was asked for. */
  private readonly asked: number[]
  /** What each seat sees of the position, as far as anyone has looked. */
  private readonly views: unknown[]
  /** The legal actions in these, as far as anyone has wanted them. */
  private readonly actions: (Legal | undefined)[]
  private readonly seats: readonly Seat[]
  /** Those that are sent what becomes of a step. */
  private readonly listeners: readonly Seat[]
  private readonly observers = new Set<(event: FullEvent) => void>()

  constructor(
    private readonly context: JudgeContext,
    private readonly source: Steps,
    private readonly conversation: Conversation,
  ) {
    const all = context.me.map(({ seat }) => seat)
    this.seats = conversation.seats ?? all
    this.listeners = this.seats.filter((seat) => wireAt(context, seat).update !== undefined)
    this.answers = all.map(() => undefined)
    this.views = all.map(() => UNSEEN)
    this.actions = all.map(() => undefined)
    this.asked = all.map(() => 0)
    const ready = this.seats.flatMap((seat) => this.readyOf(seat))
    if (ready.length > 0) this.pose(ready)
    else this.start()
  }

  /** Whether all has been asked; the last `updates` may still have to be sent. */
  get over(): boolean {
    return this.end !== undefined
  }

  /** The questions of now, by ascending seat where the game gives the seats so. Empty where none of the seats is asked. */
  due(): readonly Due[] {
    return this.questions
  }

  answer(seat: Seat, answer: Answer): void {
    if (this.answers[seat] !== null) throw new Error(`seat ${seat} owes no answer`)
    this.answers[seat] = answer
    this.open--
    this.notify(() => ({ kind: 'answered', seat, answer }))
  }

  /**
   * Goes on once every question is answered: to the start, to the next position, or to the end. Throws what the game throws, and a
   * UserError where the game breaks its own rules.
   */
  advance(): void {
    if (this.open > 0 || this.over) throw new Error('there are questions without an answer, or the match is over')
    if (this.questions[0]?.asks === 'ready') {
      this.unready = this.dismissed = this.source.ready(this.answers)
      this.start()
    } else this.step()
  }

  record(): MatchRecord {
    if (this.end === undefined) throw new Error('the match is not over')
    return this.source.record(this.end)
  }

  /** What has been played of a live match; it grows on. */
  soFar(): PlayedSoFar | undefined {
    return this.source.soFar?.()
  }

  /**
   * Reports the match as a seat may see it, or all of it, from now on; first what can be seen now. Nothing is computed for a match
   * that is not observed. Returns how to stop.
   */
  observe(who: 'all', see: (event: FullEvent) => void): () => void
  observe(who: Seat, see: (event: SeatEvent) => void): () => void
  observe(who: Seat | 'all', see: ((event: FullEvent) => void) | ((event: SeatEvent) => void)): () => void {
    // Each is an observer of its own, though two may have the same function.
    const observer =
      who === 'all'
        ? (event: FullEvent): void => (see as (event: FullEvent) => void)(event)
        : eventsOf(who, see as (event: SeatEvent) => void, () => this.shown(who))
    observer({ kind: 'began', seats: this.context.wires.length, state: this.source.state })
    for (const question of this.questions)
      if (this.answers[question.seat] === null) observer({ kind: 'asked', question })
    if (this.end !== undefined) observer({ kind: 'ended', outcome: this.end })
    this.observers.add(observer)
    return () => void this.observers.delete(observer)
  }

  private notify(event: () => FullEvent): void {
    for (const observer of this.observers) observer(event())
  }

  private start(): void {
    this.updates = this.updatesFor('start')
    this.next()
  }

  private step(): void {
    const { source } = this
    const before = source.state
    const moves = source.play(this.answers, this.view, this.legalOf)
    this.views.fill(UNSEEN)
    this.actions.fill(undefined)
    this.dismissed = NONE
    const { state } = source
    try {
      this.notify(() => ({ kind: 'moved', number: this.steps, before, moves, after: state }))
      if (this.observers.size > 0)
        for (const { turn, ...fault } of faultsOf(moves, this.steps))
          this.notify(() => ({ kind: 'fault', step: turn, ...fault }))
    } catch (error) {
      for (const seat of this.seats) this.blamed(error, seat, before)
      throw error
    }
    this.steps++
    this.updates = this.updatesFor('update')
    this.next()
  }

  /** Asks in the position that has been reached, or ends the match. */
  private next(): void {
    const due = this.source.due()
    if (due.length > 0) return this.pose(this.questionsTo(due))
    const outcome = (this.end = this.source.outcome())
    this.pose(NONE)
    this.updates = [...this.updates, ...this.updatesFor('end')]
    this.notify(() => ({ kind: 'ended', outcome }))
  }

  private pose(questions: readonly Due[]): void {
    this.answers.fill(undefined)
    for (const { seat } of questions) this.answers[seat] = null
    this.questions = questions
    this.open = questions.length
    for (const question of questions) this.notify(() => ({ kind: 'asked', question }))
  }

  private readyOf(seat: Seat): readonly ReadyDue[] {
    const { ready } = wireAt(this.context, seat)
    if (ready?.at !== 'match') return NONE
    return [{ asks: 'ready', seat, input: ready.input, limit: this.conversation.limit(seat, ready.within) }]
  }

  private questionsTo(due: readonly Seat[]): readonly MoveDue[] {
    const { conversation, context, legal } = this
    const questions: MoveDue[] = []
    for (const seat of due) {
      if (conversation.seats?.includes(seat) === false || this.unready.includes(seat)) continue
      const number = this.asked[seat] ?? 0
      this.asked[seat] = number + 1
      const clock = toldClock(conversation.limits, wireAt(context, seat), conversation.left(seat))
      const [view, input, skips] = this.askOf(seat, { n: number, clock })
      const limit = Math.min(conversation.limit(seat, 'turn'), clock.left ?? Infinity)
      questions.push({ asks: 'move', seat, input, view, number, limit, legal, skips })
    }
    return questions
  }

  private askOf(seat: Seat, asked: Asked): readonly [view: unknown, input: BotInput, skips: MoveDue['skips']] {
    try {
      const view = this.view(seat)
      const [wire, me] = [wireAt(this.context, seat), meAt(this.context, seat)]
      const input = wire.ask(view, me, () => this.legal(view), asked)
      if (wire.transport !== 'lines') return [view, input, undefined]
      const before = wire.sync?.input.lines
      return [
        view,
        before ? { ...input, lines: [...before, ...(input.lines ?? [])] } : input,
        skipsOf(wire, view, me, asked),
      ]
    } catch (error) {
      throw this.blamed(error, seat)
    }
  }

  /** What was thrown while a view was made or written down. Throws where no text can be made of the view: that is the game's mistake. */
  private blamed(error: unknown, seat: Seat, state = this.source.state): unknown {
    const { game } = this.source
    if (game?.file !== undefined && !(error instanceof UserError))
      refuseView(game, game.definition.game.view(state, seat), seat)
    return error
  }

  private updatesFor(when: Update['when']): readonly Update[] {
    let updates: Update[] | undefined
    for (const seat of when === 'update' ? this.listeners : this.seats) {
      const input = this.inputOf(when, seat)
      if (input !== undefined) (updates ??= []).push({ seat, when, input })
    }
    return updates ?? NONE
  }

  private inputOf(when: Update['when'], seat: Seat): BotInput | undefined {
    const wire = wireAt(this.context, seat)
    if (wire[when] === undefined) return undefined
    try {
      const [view, me] = [this.view(seat), meAt(this.context, seat)]
      if (when === 'end') return wire.end?.(view, this.end as Outcome, me)
      return when === 'start'
        ? wire.start?.(view, me, toldLimits(this.conversation.limits, wire))
        : wire.update?.(view, me)
    } catch (error) {
      throw this.blamed(error, seat)
    }
  }

  private readonly legal = (view: unknown): Legal => {
    const seat = this.views.indexOf(view)
    return seat < 0 ? this.context.definition.game.legal(view) : this.legalOf(seat)
  }

  private readonly legalOf = (seat: Seat): Legal => (this.actions[seat] ??= this.newLegal(seat))

  private newLegal(seat: Seat): Legal {
    const legal = this.context.definition.game.legal(this.view(seat))
    const { game } = this.source
    if (game?.file !== undefined) refuseMany(game, legal, seat, this.steps + 1)
    return legal
  }

  /** What a seat sees of the position, deeply frozen but for modules: a caller in this process lends the view to the module. */
  private readonly view = (seat: Seat): unknown => {
    const seen = this.views[seat]
    if (seen !== UNSEEN) return seen
    const view: unknown = this.context.definition.game.view(this.source.state, seat)
    const { game } = this.source
    // What ships with agon is tested.
    if (game?.file !== undefined) refuseLargeView(game, view, seat, this.steps + 1)
    return (this.views[seat] = wireAt(this.context, seat).transport === 'module' ? view : frozenView(view))
  }

  private readonly shown = (seat: Seat): unknown => shownView(this.view(seat))
}

/**
 * What tells the lines that are no answer: up to the one that ends what came before, those that answer an earlier question, and those that
 * the wire reads nothing in.
 */
function skipsOf(wire: AnyWire, view: unknown, me: Me, { n }: Asked): (line: string) => boolean {
  let isPast = wire.sync === undefined
  return (line) => {
    if (isPast) return (wire.numberOf?.(line) ?? n) < n || wire.read({ out: line }, view, me) === undefined
    isPast = wire.sync?.ok(line) === true
    return true
  }
}

const UNSEEN = Symbol('unseen')
const NONE: readonly never[] = []
