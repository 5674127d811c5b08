import { type RefCallback, useCallback, useState } from 'react'

/** Pixels: between two widths that are this near nothing is drawn anew. */
const STEP = 10
/** No chart is narrower. */
const LEAST = 280

/** Pixels: in less room a board is drawn narrow. */
const NARROW = 560

/** Whether there is so little room that a board is drawn narrow. The first of the two is the `ref` of what holds the board. */
export function useNarrow(): readonly [RefCallback<HTMLElement>, boolean] {
  const [narrow, setNarrow] = useState(false)
  const watch = useCallback((holder: HTMLElement) => {
    const measure = (): void => {
      const room = holder.getBoundingClientRect().width
      if (room > 0) setNarrow(room < NARROW)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(holder)
    return () => observer.disconnect()
  }, [])
  return [watch, narrow]
}

/**
 * The width at which a chart is drawn that fills what it stands in: as it is meant to be, or what there is where that is less, so that
 * its words are as large on a phone as elsewhere. In pixels, as is `meant`. The first of the two is the chart's `ref`.
 */
export function useDrawnWidth(meant: number): readonly [RefCallback<SVGSVGElement>, number] {
  const [width, setWidth] = useState(meant)
  const watch = useCallback(
    (svg: SVGSVGElement) => {
      const measure = (): void => {
        const room = svg.getBoundingClientRect().width
        // What is not shown has no width of its own.
        if (room > 0) setWidth(Math.min(meant, Math.max(LEAST, Math.round(room / STEP) * STEP)))
      }
      measure()
      const observer = new ResizeObserver(measure)
      observer.observe(svg)
      return () => observer.disconnect()
    },
    [meant],
  )
  return [watch, width]
}
