import { type ScaleLinear, scaleLinear } from 'd3-scale'
import { figure } from '../format.js'

interface Interval {
  readonly rating: number
  readonly low: number
  readonly high: number
}

/** One scale for all intervals of a table. */
export function whiskerScale(rows: readonly Interval[], width = 220): ScaleLinear<number, number> {
  const low = Math.min(...rows.map((row) => row.low))
  const high = Math.max(...rows.map((row) => row.high))
  return scaleLinear([low, high], [6, width - 6])
}

/** A rating as a point on its interval, with the figures. */
export function Whisker({
  scale,
  rating,
  low,
  high,
  brief = false,
  plain = false,
}: Interval & {
  readonly scale: ScaleLinear<number, number>
  /** The interval's figures only where the pointer rests. */
  readonly brief?: boolean
  /** Figures as they are, and no whole numbers with a sign. */
  readonly plain?: boolean
}) {
  const told = plain ? (value: number) => figure(value, Math.abs(value) < 1 ? 3 : 2) : signed
  const width = (scale.range()[1] ?? 0) + 6
  const [a, x, b] = [scale(low), scale(rating), scale(high)]
  return (
    <span className="whisker">
      <svg width={width} height="20" viewBox={`0 0 ${width} 20`} aria-hidden="true">
        <line className="zero" x1={scale(0)} x2={scale(0)} y1="0" y2="20" />
        <path d={`M${a} 10H${b}M${a} 6v8M${b} 6v8`} />
        <circle cx={x} cy="10" r="4.5" />
      </svg>
      <span title={`${told(low)} to ${told(high)}`}>
        <b>{told(rating)}</b>
        {!brief && (
          <span className="quiet">
            {' '}
            {told(low)} to {told(high)}
          </span>
        )}
      </span>
    </span>
  )
}

const signed = (value: number): string => `${Math.round(value) > 0 ? '+' : ''}${figure(value, 0)}`
