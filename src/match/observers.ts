import { type Answer, type Outcome, type Seat, isFault } from '../core/index.js'
import type { Due, FullEvent, LiveStep, SeatEvent } from './events.js'
import { faultsOf } from './judge.js'

interface Now {
  readonly state: unknown
  view(seat: Seat): unknown
  /** Those that have no answer yet. */
  readonly questions: readonly Due[]
  readonly outcome: Outcome | undefined
}

interface SeatObserver {
  readonly seat: Seat
  readonly see: (event: SeatEvent) => void
  shown: string
}

/** The observers of a match, each with its projection of what happens. */
export class Observers {
  private readonly full = new Set<(event: FullEvent) => void>()
  private readonly bySeat = new Set<SeatObserver>()

  constructor(private readonly seats: number) {}

  addFull(see: (event: FullEvent) => void, { state, questions, outcome }: Now): () => void {
    // Each is an observer of its own, though two may have the same function.
    const one = (event: FullEvent): void => see(event)
    one({ kind: 'began', seats: this.seats, state })
    for (const question of questions) one({ kind: 'asked', question })
    if (outcome !== undefined) one({ kind: 'ended', outcome })
    this.full.add(one)
    return () => void this.full.delete(one)
  }

  addSeat(seat: Seat, see: (event: SeatEvent) => void, now: Now): () => void {
    const view = now.view(seat)
    const one = { seat, see, shown: textOf(view) }
    see({ kind: 'began', seat, seats: this.seats, view })
    for (const question of now.questions) notifyAsked(one, question)
    if (now.outcome !== undefined) see({ kind: 'ended', outcome: now.outcome })
    this.bySeat.add(one)
    return () => void this.bySeat.delete(one)
  }

  asked(questions: readonly Due[]): void {
    for (const question of questions) {
      this.notifyFull({ kind: 'asked', question })
      for (const one of this.bySeat) notifyAsked(one, question)
    }
  }

  answered(seat: Seat, answer: Answer): void {
    this.notifyFull({ kind: 'answered', seat, answer })
  }

  stepped(step: LiveStep, view: (seat: Seat) => unknown): void {
    this.notifyFull({ kind: 'moved', ...step })
    for (const { turn, ...fault } of faultsOf(step.moves, step.number))
      this.notifyFull({ kind: 'fault', step: turn, ...fault })
    for (const one of this.bySeat) {
      const move = step.moves[one.seat]
      if (isFault(move)) one.see({ kind: 'fault', ...move })
      else if (move !== undefined) one.see({ kind: 'moved', move })
      const seen = view(one.seat)
      const text = textOf(seen)
      // That a step was played which changes nothing for this seat is none of its business.
      if (text === one.shown) continue
      one.shown = text
      one.see({ kind: 'observed', view: seen })
    }
  }

  ended(outcome: Outcome): void {
    this.notifyFull({ kind: 'ended', outcome })
    for (const { see } of this.bySeat) see({ kind: 'ended', outcome })
  }

  private notifyFull(event: FullEvent): void {
    for (const see of this.full) see(event)
  }
}

/** Whether a seat is ready is between it and the referee. */
function notifyAsked({ seat, see }: SeatObserver, question: Due): void {
  if (question.asks === 'move' && question.seat === seat)
    see({ kind: 'asked', number: question.number, limit: question.limit })
}

const textOf = (view: unknown): string => JSON.stringify(view) ?? ''
