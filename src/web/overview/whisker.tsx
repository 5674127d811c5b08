import { type ScaleLinear, scaleLinear } from 'd3-scale'
import { figure } from '../format.js'

interface Interval {
  readonly rating: number
  /** null: there is no bound. */
  readonly low: number | null
  readonly high: number | null
}

/** One scale for all intervals of a table. */
export function whiskerScale(rows: readonly Interval[], width = 220): ScaleLinear<number, number> {
  const low = Math.min(...rows.map((row) => row.low ?? row.rating))
  const high = Math.max(...rows.map((row) => row.high ?? row.rating))
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
  const text = plain ? (value: number) => figure(value, Math.abs(value) < 1 ? 3 : 2) : signed
  const width = (scale.range()[1] ?? 0) + 6
  const [first, last] = scale.range()
  const ending = (end: number | null, without: string): string => (end === null ? without : text(end))
  const [a, x, b] = [low === null ? first : scale(low), scale(rating), high === null ? last : scale(high)]
  const ends = `${ending(low, '−∞')} to ${ending(high, '∞')}`
  // Where there is no bound the line has no stop.
  const stops = `${low === null ? '' : `M${a} 6v8`}${high === null ? '' : `M${b} 6v8`}`
  return (
    <span className="whisker">
      <svg width={width} height="20" viewBox={`0 0 ${width} 20`} aria-hidden="true">
        <line className="zero" x1={scale(0)} x2={scale(0)} y1="0" y2="20" />
        <path d={`M${a} 10H${b}${stops}`} />
        <circle cx={x} cy="10" r="4.5" />
      </svg>
      <span title={ends}>
        <b>{text(rating)}</b>
        {!brief && <span className="quiet"> {ends}</span>}
      </span>
    </span>
  )
}

const signed = (value: number): string => `${Math.round(value) > 0 ? '+' : ''}${figure(value, 0)}`
