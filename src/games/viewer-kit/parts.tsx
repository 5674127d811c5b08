import type { ReactElement, ReactNode } from 'react'
import { isFault, type Move } from '../../core/index.js'
import { Mark, markShape, seatColour } from './mark.js'
import type { BoardProps, SeatInfo } from './types.js'

interface StageProps {
  readonly size: { readonly width: number; readonly height: number }
  readonly label: string
  readonly className?: string
  /** Not held to the window's height: a narrow board may be taller, and scrolls. */
  readonly tall: boolean
  readonly children: ReactNode
}

/** A position's drawing; words beside it say everything, so to a screen reader it is one picture. */
export function Stage({ size, label, className = '', tall, children }: StageProps): ReactElement {
  return (
    <svg
      className={`board ${tall ? 'tall ' : ''}${className}`}
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-label={label}
    >
      {children}
    </svg>
  )
}

/** For `Stage`, by seat: what it did, in words or `idle`, and what `about` says of it. */
export function labelOf(
  { seats, moves }: Pick<BoardProps<unknown>, 'seats' | 'moves'>,
  word: (action: string) => string,
  about: (seat: number) => string,
  idle = 'has not moved',
): string {
  const did = (move: Move<string> | null = null): string =>
    move === null ? idle : isFault(move) ? move.fault : word(move)
  return seats.map(({ seat, name }) => `${name}: ${did(moves[seat])}, ${about(seat)}`).join('; ')
}

/** A name of so many letters at most. */
export const shortened = (name: string, letters: number): string =>
  name.length > letters ? `${name.slice(0, letters - 1)}…` : name

interface NameTagProps {
  readonly seat: SeatInfo | undefined
  readonly x: number
  readonly y: number
  readonly anchor?: 'start' | 'middle'
  readonly most?: number
}

/** A seat's mark and name inside a drawing. */
export function NameTag({ seat, x, y, anchor = 'middle', most = 22 }: NameTagProps): ReactElement | null {
  if (seat === undefined) return null
  const name = shortened(seat.name, most)
  const left = anchor === 'start' ? x : x - name.length * 4.5 - 11
  return (
    <g className="name-tag">
      <g transform={`translate(${left} ${y - 13})`}>{markShape(seat.seat)}</g>
      <text x={left + 22} y={y}>
        {name}
      </text>
    </g>
  )
}

/** Lines of so many letters at most; a longer word stands alone. */
export function linesOf(text: string, most: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

interface MeterProps {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly value: number
  readonly most: number
  readonly label: string
  readonly seat: number
  readonly mirrored: boolean
}

/** How much of something is left, as a bar with its figure. */
export function Meter({ x, y, width, value, most, label, seat, mirrored }: MeterProps): ReactElement {
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

interface BubbleProps {
  readonly x: number
  readonly y: number
  readonly move: Move<string> | null | undefined
  readonly word?: (action: string) => string
  /** Actions with which little happens. */
  readonly quiet?: readonly string[]
}

/** What a seat says or does, in a rounded field. */
export function Bubble({ x, y, move, word = (action) => action, quiet = [] }: BubbleProps): ReactElement | null {
  if (move === null || move === undefined) return null
  const [text, kind] = isFault(move) ? [move.fault, 'fault'] : [word(move), quiet.includes(move) ? 'quiet' : 'act']
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

interface LanesProps {
  readonly order: readonly number[]
  /** What a seat did, a sign a turn. */
  readonly history: (seat: number) => string
  readonly kind: (sign: string) => string
}

/** What seats did in the latest turns, a lane each: signs in step, the newest at the right. */
export function Lanes({ order, history, kind }: LanesProps): ReactElement {
  const turns = Math.max(0, ...order.map((seat) => history(seat).length))
  const first = Math.max(0, turns - SHOWN)
  const end = Math.max(NARROW, turns - first)
  // On a narrow screen the latest turns stay.
  const far = (i: number): string => (i < end - NARROW || i >= end ? ' far' : '')
  return (
    <div className="lanes" aria-hidden="true">
      {order.map((seat) => (
        <div key={seat} className="lane">
          <Mark seat={seat} />
          {Array.from({ length: SHOWN }, (_, i) => {
            const sign = history(seat)[first + i]
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
