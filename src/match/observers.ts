import { type Seat, isFault } from '../core/index.js'
import type { FullEvent, SeatEvent } from './events.js'

/**
 * Makes a match's events, from the first on, into what one seat may know. `view`: what the seat sees now. It is told nothing of other
 * seats, of readiness, or of a step that changes nothing for it.
 */
export function eventsOf(seat: Seat, see: (event: SeatEvent) => void, view: () => unknown): (event: FullEvent) => void {
  let shown = ''
  return (event) => {
    if (event.kind === 'asked' && event.question.asks === 'move' && event.question.seat === seat)
      see({ kind: 'asked', number: event.question.number, limit: event.question.limit })
    if (event.kind === 'ended') see(event)
    if (event.kind !== 'began' && event.kind !== 'moved') return
    const move = event.kind === 'moved' ? event.moves[seat] : undefined
    if (isFault(move)) see({ kind: 'fault', ...move })
    else if (move !== undefined) see({ kind: 'moved', move })
    const seen = view()
    const text = JSON.stringify(seen) ?? ''
    if (event.kind === 'began') see({ kind: 'began', seat, seats: event.seats, view: seen })
    else if (text !== shown) see({ kind: 'observed', view: seen })
    shown = text
  }
}
