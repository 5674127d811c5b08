import type { ReactElement, ReactNode } from 'react'
import { Mark, markShape, seatColour } from './mark.js'
import type { SeatInfo } from './types.js'

/** A drawing of a position; everything in it stands in words beside it, so it is one picture to a screen reader. */
export function Stage(props: {
  readonly width: number
  readonly height: number
  readonly label: string
  readonly className?: string
  /** Its height is not held to the window's: a narrow board may be taller, and is scrolled. */
  readonly tall?: boolean
  readonly children: ReactNode
}): ReactElement {
  const { width, height, label, className = '', tall = false, children } = props
  return (
    <svg
      className={`board ${tall ? 'tall ' : ''}${className}`}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      {children}
    </svg>
  )
}

/** A seat's mark and name inside a drawing. */
export function NameTag(props: {
  readonly seat: SeatInfo
  readonly x: number
  readonly y: number
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly most?: number
}): ReactElement {
  const { seat, x, y, anchor = 'middle', most = 22 } = props
  const name = seat.name.length > most ? `${seat.name.slice(0, most - 1)}…` : seat.name
  const left = anchor === 'start' ? x : anchor === 'end' ? x - name.length * 9 - 22 : x - name.length * 4.5 - 11
  return (
    <g className="name-tag">
      <g transform={`translate(${left} ${y - 13})`}>{markShape(seat.seat)}</g>
      <text x={left + 22} y={y}>
        {name}
      </text>
    </g>
  )
}

/** Splits words into lines of so many letters at most; a longer word has a line of its own. */
export function linesOf(text: string, most: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** How much of something is left, as a bar with its figure. */
export function Meter(props: {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly value: number
  readonly most: number
  readonly label: string
  readonly seat: number
  readonly mirrored?: boolean
}): ReactElement {
  const { x, y, width, value, most, label, seat, mirrored = false } = props
  const full = Math.max(0, Math.min(1, value / Math.max(1, most))) * width
  return (
    <g className="meter">
      <text x={mirrored ? x + width : x} y={y - 7} textAnchor={mirrored ? 'end' : 'start'}>
        {label} <tspan className="strong">{value}</tspan>
      </text>
      <rect className="trough" x={x} y={y} width={width} height="10" rx="5" />
      <rect x={mirrored ? x + width - full : x} y={y} width={full} height="10" rx="5" fill={seatColour(seat)} />
    </g>
  )
}

/** Words that a seat says or does, in a rounded field. */
export function Bubble(props: {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly kind?: 'act' | 'fault' | 'quiet'
}): ReactElement {
  const { x, y, text, kind = 'act' } = props
  const width = Math.max(64, text.length * 8.6 + 28)
  return (
    <g className={`bubble ${kind}`} transform={`translate(${x} ${y})`}>
      <rect x={-width / 2} y="-17" width={width} height="34" rx="17" />
      <text textAnchor="middle" dy="0.35em">
        {text}
      </text>
    </g>
  )
}

/** Turns that a lane shows, and on a narrow screen. */
const SHOWN = 26
const NARROW = 15

/** What each seat did in the latest turns, a lane a seat: signs in step, the newest at the right. */
export function Lanes(props: {
  readonly lanes: readonly {
    readonly seat: SeatInfo
    readonly signs: readonly string[]
    readonly words?: readonly string[]
  }[]
  readonly kind: (sign: string) => string
}): ReactElement {
  const { lanes, kind } = props
  const turns = Math.max(0, ...lanes.map(({ signs }) => signs.length))
  const first = Math.max(0, turns - SHOWN)
  const end = Math.max(NARROW, turns - first)
  // On a narrow screen the latest turns stay.
  const far = (i: number): string => (i < end - NARROW || i >= end ? ' far' : '')
  return (
    <div className="lanes" aria-hidden="true">
      {lanes.map(({ seat, signs }) => (
        <div key={seat.seat} className="lane">
          <Mark seat={seat.seat} />
          {Array.from({ length: SHOWN }, (_, i) => {
            const sign = signs[first + i]
            return (
              <span key={first + i} className={`chip ${sign === undefined ? 'none' : kind(sign)}${far(i)}`}>
                {sign ?? ''}
              </span>
            )
          })}
        </div>
      ))}
    </div>
  )
}
