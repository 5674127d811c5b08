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
 * Only this file knows the order of a match's conversation: every seat answers that it is ready, is sent the start, and is then asked,
 * and sent what became of it, step by step until the end. It is synchronous and starts nothing. A driver repeats until `over`: send
 * each of `updates`, ask each of `due()`, hand in each `answer()` in any order, `advance()`. Positions come from `Steps`: by the
 * answers (a live match), or a record (a replay). A driver may lead some of the seats only: the others are neither sent nor asked
 * anything.
 */

/** By seat; undefined: not asked, null: no answer yet. */
export type SeatAnswers = readonly (Answer | null | undefined)[]

export interface Steps {
  /** A live match's game: its mistakes are reported with its file. */
  readonly game?: GameInPlay
  readonly state: unknown
  /** The seats that owe a move, once a position; none: the match is over. */
  due(): readonly Seat[]
  /** Takes whether the seats are ready. Returns those that are not, which are asked nothing more. */
  ready(answers: SeatAnswers): readonly Seat[]
  /**
   * Goes to the next position. `view`: what a seat sees in this one; `legal`: its legal actions. Returns moves by seat.
   */
  play(
    answers: SeatAnswers,
    view: (seat: Seat) => unknown,
    legal: (seat: Seat) => Legal,
  ): readonly (Move<string> | undefined)[]
  /** Once no seat is due. */
  outcome(): Outcome
  record(outcome: Outcome): MatchRecord
  /** What has been played; it grows. Absent: known elsewhere, as of a replay. */
  soFar?(): PlayedSoFar
}

export interface Conversation {
  /** The limit of that name in milliseconds. */
  limit(seat: Seat, name: string): number
  /** The contest's limits, as the bots are told them. */
  readonly limits: Readonly<Record<string, number>>
  /** Milliseconds that a seat has left; undefined: no bank. */
  left(seat: Seat): number | undefined
  /** The seats that take part. Absent: all. */
  readonly seats?: readonly Seat[]
}

/** A match as a state machine: what to send and ask now, and what follows from the answers. */
export class MatchState {
  /** To be sent, in this order, before anything is asked. */
  updates: readonly Update[] = []
  /** Seats that have just turned out not to be ready: to be dismissed. */
  dismissed: readonly Seat[] = []
  private questions: readonly Due[] = []
  private readonly answers: (Answer | null | undefined)[]
  private open = 0
  steps = 0
  private end: Outcome | undefined
  /** All that turned out not to be ready. */
  private unready: readonly Seat[] = NONE
  /** Moves that each seat was asked for. */
  private readonly asked: number[]
  /** Each seat's view of the position, if looked at. */
  private readonly views: unknown[]
  /** Legal actions in these, if wanted. */
  private readonly actions: (Legal | undefined)[]
  private readonly seats: readonly Seat[]
  /** Those that are sent steps' updates. */
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

  /** Whether all was asked; the last `updates` may still have to be sent. */
  get over(): boolean {
    return this.end !== undefined
  }

  /** Questions of now, by ascending seat if the game orders them so. Empty: no seat is asked. */
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
   * Goes on once every question is answered: to the start, the next position, or the end. Throws the game's errors, and a
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

  /** A live match so far; it grows on. */
  soFar(): PlayedSoFar | undefined {
    return this.source.soFar?.()
  }

  /**
   * Reports the match, as a seat may see it or all of it, from now on; first what can be seen now. An unobserved match costs
   * nothing. Returns how to stop.
   */
  observe(who: 'all', see: (event: FullEvent) => void): () => void
  observe(who: Seat, see: (event: SeatEvent) => void): () => void
  observe(who: Seat | 'all', see: ((event: FullEvent) => void) | ((event: SeatEvent) => void)): () => void {
    // The same function may observe twice.
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

  /** What was thrown over a view. Throws where it cannot be made a text: the game's mistake. */
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

  /** A seat's view of the position, deeply frozen but for modules, to which a caller in this process lends it. */
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
 * Tells lines that are no answer: up to the one that ends what came before, answers to an earlier question, and those in which the wire
 * reads nothing.
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
