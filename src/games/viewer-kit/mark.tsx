import type { ReactElement } from 'react'

/** Shapes beside colours (Okabe and Ito's, by the style sheet) tell seats apart: no one needs the colours. */
const SHAPES: readonly ReactElement[] = [
  <circle key="0" cx="8" cy="8" r="6" />,
  <rect key="1" x="2.5" y="2.5" width="11" height="11" rx="1.5" />,
  <path key="2" d="M8 1.5 15 14H1z" />,
  <path key="3" d="M8 .8 15.2 8 8 15.2.8 8z" />,
  <path key="4" d="M8 1.2 15 6.3 12.3 14.5H3.7L1 6.3z" />,
  <path key="5" d="M6 1.5h4V6h4.5v4H10v4.5H6V10H1.5V6H6z" />,
  <path key="6" d="M1 2h14L8 14.5z" />,
]

/** Seats with their own colour and shape; after these they recur with a hole. */
export const MARKS = SHAPES.length

export const seatColour = (seat: number): string => `var(--seat-${seat % MARKS})`

/** The shape of a seat for a drawing that is 16 units wide. */
export function markShape(seat: number): ReactElement {
  return (
    <g fill={seatColour(seat)}>
      {SHAPES[seat % MARKS]}
      {seat >= MARKS && <circle cx="8" cy="8" r="2.6" fill="var(--surface)" />}
    </g>
  )
}

/** A seat's mark in running text; beside its name, so silent to a screen reader. */
export function Mark({ seat, size = 14 }: { readonly seat: number; readonly size?: number }): ReactElement {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {markShape(seat)}
    </svg>
  )
}
