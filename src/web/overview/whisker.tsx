import { type ScaleLinear, scaleLinear } from 'd3-scale'
import { figure } from '../format.js'

const WIDTH = 220

interface Interval {
  readonly rating: number
  readonly low: number
  readonly high: number
}

/** One scale for all intervals of a table. */
export function whiskerScale(rows: readonly Interval[]): ScaleLinear<number, number> {
  const low = Math.min(...rows.map((row) => row.low))
  const high = Math.max(...rows.map((row) => row.high))
  return scaleLinear([low, high], [6, WIDTH - 6])
}

/** A rating as a point on its interval, with the figures. */
export function Whisker({ scale, rating, low, high }: Interval & { readonly scale: ScaleLinear<number, number> }) {
  const [a, x, b] = [scale(low), scale(rating), scale(high)]
  return (
    <span className="whisker">
      <svg width={WIDTH} height="20" viewBox={`0 0 ${WIDTH} 20`} aria-hidden="true">
        <line className="zero" x1={scale(0)} x2={scale(0)} y1="0" y2="20" />
        <path d={`M${a} 10H${b}M${a} 6v8M${b} 6v8`} />
        <circle cx={x} cy="10" r="4.5" />
      </svg>
      <span>
        <b>{signed(rating)}</b>{' '}
        <span className="quiet">
          {signed(low)} to {signed(high)}
        </span>
      </span>
    </span>
  )
}

const signed = (value: number): string => `${Math.round(value) > 0 ? '+' : ''}${figure(value, 0)}`
