import { memo, useMemo, useState } from 'react'
import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { useDrawnWidth } from '../drawn-width.js'
import { capital, figure } from '../format.js'
import { Press } from '../parts.js'
import type { OpenMatch } from './match.js'
import { MARKS, type SeatInfo, type Tally, markShape, seatColour } from '../../games/viewer-kit/index.js'

const WIDTH = 720
const HEIGHT = 150
const LEFT = 40
const RIGHT = 12
const TOP = 10
const BOTTOM = 22

interface Props {
  readonly match: OpenMatch
  readonly turn: number
  readonly onTurn: (turn: number) => void
}

/** A number of the state over the whole match, a line a seat; a click goes to that turn. */
export function Graph({ match: { scenes, tallies, seats }, turn, onTurn }: Props) {
  const [chosen, setChosen] = useState(0)
  const tally = tallies[chosen] ?? tallies[0]
  const last = Math.max(1, scenes.length - 1)
  const [svg, width] = useDrawnWidth(WIDTH)
  const drawn = useMemo(() => drawingOf(scenes, seats, tally, last, width), [scenes, seats, tally, last, width])
  if (!tally) return null
  const point = (event: React.PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const at = ((event.clientX - box.left) / box.width) * width
    onTurn(Math.round(Math.min(last, Math.max(0, drawn?.x.invert(at) ?? 0))))
  }
  return (
    <figure className="graph">
      <figcaption>
        {tallies.length === 1
          ? capital(tally.name)
          : tallies.map(({ name }, i) => (
              <Press key={name} className="tab" aria-pressed={i === chosen} onClick={() => setChosen(i)}>
                {capital(name)}
              </Press>
            ))}
      </figcaption>
      {drawn ? (
        <svg
          ref={svg}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="img"
          aria-label={`${tally.name} by turn: ${seats
            .slice(0, 8)
            .map(({ seat, name }) => `${name} ${figureOf(drawn.values[seat]?.[turn])}`)
            .join(', ')} at turn ${turn}`}
          onPointerDown={point}
          onPointerMove={(event) => event.buttons === 1 && point(event)}
        >
          <Curves drawn={drawn} last={last} />
          <line className="cursor" x1={drawn.x(turn)} x2={drawn.x(turn)} y1={TOP} y2={HEIGHT - BOTTOM} />
          {drawn.values.map((row, seat) => {
            const value = row[turn] ?? null
            return value === null ? null : (
              <g key={seat} transform={`translate(${drawn.x(turn) - 5.5} ${drawn.y(value) - 5.5}) scale(0.69)`}>
                {markShape(seat)}
              </g>
            )
          })}
        </svg>
      ) : (
        <p className="empty">Not known to this seat.</p>
      )}
    </figure>
  )
}

type Drawing = NonNullable<ReturnType<typeof drawingOf>>

/** The scales, the values by seat and turn, and a path a seat; undefined where nothing is known. */
function drawingOf(
  scenes: readonly unknown[],
  seats: readonly SeatInfo[],
  tally: Tally<unknown> | undefined,
  last: number,
  width: number,
) {
  const values = seats.map(({ seat }) => scenes.map((scene, turn) => tally?.of(scene, seat, turn) ?? null))
  const known = values.flat().filter((value) => value !== null)
  if (known.length === 0) return undefined
  const [low, high] = known.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [0, 1])
  const x = scaleLinear([0, last], [LEFT, width - RIGHT])
  const y = scaleLinear([low, high], [HEIGHT - BOTTOM, TOP]).nice(4)
  const path = line<number>()
    .defined((i) => i >= 0)
    .x((i) => x(i))
  const paths = values.map((row) => path.y((i) => y(row[i] ?? 0))(thinned(row)) ?? '')
  return { x, y, values, paths, width }
}

/** Points that a path has at most; a long match has more turns than the graph has dots. */
const POINTS = 400

/** The places of a row that its path goes through: of each stretch the least and the most; −1 where it is broken. */
function thinned(row: readonly (number | null)[]): readonly number[] {
  const size = Math.ceil((2 * row.length) / POINTS)
  const all = row.map((value, i) => (value === null ? -1 : i))
  if (size <= 2) return all
  return Array.from({ length: Math.ceil(row.length / size) }, (_, k) => {
    const stretch = all.slice(k * size, (k + 1) * size).filter((i) => i >= 0)
    if (stretch.length === 0) return [-1]
    const by = (better: (a: number, b: number) => boolean) =>
      stretch.reduce((best, i) => (better(row[i] ?? 0, row[best] ?? 0) ? i : best))
    return [by((a, b) => a < b), by((a, b) => a > b)].sort((a, b) => a - b)
  })
    .concat([[row.length - 1]])
    .flat()
}

/** What of the graph does not move. */
const Curves = memo(function Curves({ drawn, last }: { readonly drawn: Drawing; readonly last: number }) {
  return (
    <>
      {drawn.y.ticks(4).map((tick) => (
        <g key={tick} className="grid" transform={`translate(0 ${drawn.y(tick)})`}>
          <line x1={LEFT} x2={drawn.width - RIGHT} />
          <text x={LEFT - 6} dy="0.32em" textAnchor="end">
            {figure(tick)}
          </text>
        </g>
      ))}
      {drawn.x
        .ticks(Math.min(last, drawn.width / 80))
        .filter(Number.isInteger)
        .map((tick) => (
          <text key={tick} className="axis" x={drawn.x(tick)} y={HEIGHT - 6} textAnchor="middle">
            {tick}
          </text>
        ))}
      {drawn.paths.map((path, seat) => (
        <path
          key={seat}
          className="curve"
          d={path}
          style={{ stroke: seatColour(seat) }}
          strokeDasharray={seat >= MARKS ? '5 3' : undefined}
        />
      ))}
    </>
  )
})

const figureOf = (value: number | null | undefined): string =>
  value === null || value === undefined ? 'unknown' : figure(value)
