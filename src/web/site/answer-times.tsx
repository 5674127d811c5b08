import { useDrawnWidth } from '../drawn-width.js'
import { duration, figure } from '../format.js'
import type { AnswerTimes } from './facts.js'

/** In pixels. */
const WIDTH = 600
const HEIGHT = 120
/** Pixels that a time needs at the axis. */
const TIME = 70

/** How long its answers took, as a histogram whose classes double. */
export function Times({ times: { n, median, p99, max, limit, classes } }: { readonly times: AnswerTimes }) {
  const most = Math.max(1, ...classes.map((one) => one.n))
  const [svg, width] = useDrawnWidth(WIDTH)
  const step = width / Math.max(1, classes.length)
  const each = Math.ceil(TIME / step)
  return (
    <figure className="chart">
      <figcaption>
        Wall time of its last {figure(n)} answers: median {duration(median)}, 99 % below {duration(p99)}, slowest{' '}
        {duration(max)}
        {limit !== null && `; it may take ${duration(limit * 1000)}`}.
      </figcaption>
      <svg ref={svg} viewBox={`0 0 ${width} ${HEIGHT + 24}`} role="img" aria-label="how many answers took how long">
        {classes.map((one, i) => (
          <g key={one.below}>
            <title>
              {figure(one.n)} below {duration(one.below)}
            </title>
            <rect
              className="own"
              x={i * step + 2}
              width={Math.max(1, step - 4)}
              y={HEIGHT - (HEIGHT * one.n) / most}
              height={(HEIGHT * one.n) / most}
            />
            {i % each === 0 && (
              <text className="axis" x={i * step + 2} y={HEIGHT + 18}>
                {duration(one.below)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </figure>
  )
}
