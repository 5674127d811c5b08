import { percent } from '../format.js'
import { type SeatInfo, seatColour } from '../../games/viewer-kit/index.js'
import type { Evaluation } from './evaluation.js'

interface Props {
  readonly evaluation: Evaluation
  readonly seats: readonly SeatInfo[]
  /** Seats from left to right. */
  readonly order: readonly number[]
  readonly turn: number
}

/** Who can expect how much of the match in a position, if both play on as well as can be. */
export function EvaluationBar({ evaluation, seats, order, turn }: Props) {
  const share = evaluation.shares[turn]
  if (share === undefined) return null
  const shareOf = (seat: number): number => (seat === 0 ? share : 1 - share)
  const words = order.map((seat) => `${seats[seat]?.name ?? ''} ${percent(shareOf(seat))}`)
  return (
    <div className="evaluation" role="img" aria-label={`evaluation: ${words.join(', ')}`}>
      {order.map((seat, side) => (
        <span key={seat} className={side === 0 ? 'left' : 'right'}>
          {percent(shareOf(seat))}
        </span>
      ))}
      <div className="trough">
        {order.map((seat) => (
          <i key={seat} style={{ width: `${100 * shareOf(seat)}%`, background: seatColour(seat) }} />
        ))}
      </div>
    </div>
  )
}
