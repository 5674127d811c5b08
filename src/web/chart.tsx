import { type RefCallback, useCallback, useState } from 'react'
import type { ScaleLinear } from 'd3-scale'
import { figure } from './format.js'

/** Pixels: between two widths that are this near nothing is drawn anew. */
const STEP = 10
const LEAST = 280
/** Pixels: in less room a board is drawn narrow. */
const NARROW = 560

/** The width in pixels of an element, of which the first is the `ref`; undefined: it is not shown. */
function useWidth<E extends Element>(): readonly [RefCallback<E>, number | undefined] {
  const [width, setWidth] = useState<number>()
  const watch = useCallback((element: E) => {
    const measure = (): void => {
      const room = element.getBoundingClientRect().width
      if (room > 0) setWidth(Math.round(room / STEP) * STEP)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [watch, width]
}

/** Whether there is so little room that a board is drawn narrow. The first of the two is the `ref` of what holds the board. */
export function useNarrow(): readonly [RefCallback<HTMLElement>, boolean] {
  const [watch, width = NARROW] = useWidth()
  return [watch, width < NARROW]
}

/** The pixels of a chart: `meant`, or less where less is there, so words stay large on phones. First: its `ref`. */
export function useDrawnWidth(meant: number): readonly [RefCallback<SVGSVGElement>, number] {
  const [watch, width = meant] = useWidth<SVGSVGElement>()
  return [watch, Math.min(meant, Math.max(LEAST, width))]
}

interface GridProps {
  readonly y: ScaleLinear<number, number>
  readonly lines: number
  readonly x: readonly [from: number, to: number]
  /** What stands below them, at which places; and at which height. */
  readonly below: readonly (readonly [x: number, text: string | number])[]
  readonly height: number
}

/** Lines behind a chart with their figures, and what stands below it. */
export const Grid = ({ y, lines, x: [from, to], below, height }: GridProps) => (
  <>
    {y.ticks(lines).map((tick) => (
      <g key={tick} className="grid" transform={`translate(0 ${y(tick)})`}>
        <line x1={from} x2={to} />
        <text x={from - 7} dy="0.32em" textAnchor="end">
          {figure(tick)}
        </text>
      </g>
    ))}
    {below.map(([x, text]) => (
      <text key={text} className="axis" x={x} y={height} textAnchor="middle">
        {text}
      </text>
    ))}
  </>
)
