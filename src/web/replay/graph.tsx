import { useMemo, useState } from 'react'
import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { MARKS, type Tally, markShape, seatColour } from '../../games/viewer-kit/index.js'
import { Grid, useDrawnWidth } from '../chart.js'
import { capital, figure } from '../format.js'
import { Press } from '../parts.js'
import { useReplay } from './match.js'

const WIDTH = 720
const HEIGHT = 150
const LEFT = 40
const RIGHT = 12
const TOP = 10
const BOTTOM = HEIGHT - 22
/** Pixels that the number of a turn needs. */
const TURN = 80
const TOLD = 8

/** A number of the state over the whole match, a line a seat; a click goes to that turn. */
export function Graph() {
  const { scenes, tallies, seats, turn, playback } = useReplay()
  const [chosen, setChosen] = useState(0)
  const tally = tallies[chosen] ?? tallies[0]
  const [svg, width] = useDrawnWidth(WIDTH)
  const drawn = useMemo(() => tally && drawingOf(scenes, seats.length, tally, width), [scenes, seats, tally, width])
  if (!tally || !drawn) return null
  const { x, y, values, paths, isKnown } = drawn
  const turns = x.ticks(Math.min(scenes.length - 1, width / TURN)).filter(Number.isInteger)
  const point = (event: React.PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const at = x.invert(((event.clientX - box.left) / box.width) * width)
    playback.to(Math.round(at))
  }
  const now = values.map((row) => row[turn] ?? null)
  const told = seats.slice(0, TOLD).map(({ seat, name }) => {
    const value = now[seat] ?? null
    return `${name} ${value === null ? 'unknown' : figure(value)}`
  })
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
      {!isKnown && <p className="quiet">Not known to this seat.</p>}
      <svg
        ref={svg}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${tally.name} by turn: ${told.join(', ')} at turn ${turn}`}
        onPointerDown={point}
        onPointerMove={(event) => event.buttons === 1 && point(event)}
      >
        <Grid y={y} lines={4} x={[LEFT, width - RIGHT]} below={turns.map((at) => [x(at), at])} height={HEIGHT - 6} />
        {paths.map((path, seat) => (
          <path
            key={seat}
            className="curve"
            d={path}
            style={{ stroke: seatColour(seat) }}
            strokeDasharray={seat >= MARKS ? '5 3' : undefined}
          />
        ))}
        <line className="cursor" x1={x(turn)} x2={x(turn)} y1={TOP} y2={BOTTOM} />
        {now.map(
          (value, seat) =>
            value !== null && (
              <g key={seat} transform={`translate(${x(turn) - 5.5} ${y(value) - 5.5}) scale(0.69)`}>
                {markShape(seat)}
              </g>
            ),
        )}
      </svg>
    </figure>
  )
}

function drawingOf(scenes: readonly unknown[], seats: number, tally: Tally<unknown>, width: number) {
  const values = Array.from({ length: seats }, (_, seat) => scenes.map((scene, turn) => tally.of(scene, seat, turn)))
  const known = values.flat().filter((value) => value !== null)
  const [low, high] = known.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [0, 1])
  const x = scaleLinear([0, Math.max(1, scenes.length - 1)], [LEFT, width - RIGHT])
  const y = scaleLinear([low, high], [BOTTOM, TOP]).nice(4)
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, turn) => x(turn))
    .y((value) => y(value ?? 0))
    .digits(1)
  return { x, y, values, paths: values.map((row) => path(row) ?? ''), isKnown: known.length > 0 }
}
