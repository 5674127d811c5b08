import { useMemo, useState } from 'react'
import { scaleLinear, scalePoint } from 'd3-scale'
import { line } from 'd3-shape'
import type { ReportRounds } from '../document.js'
import { useDrawnWidth } from '../drawn-width.js'
import { figure } from '../format.js'
import { Press, Select } from '../parts.js'
import { useReport } from '../shared.js'

const WIDTH = 900
/** Below this names are cut shorter. */
const NARROW = 560
const HEIGHT = 380
const LEFT = 44
/** Pixels for the names, and letters that they have room for. */
const NAMES = { wide: { right: 170, letters: 17 }, narrow: { right: 126, letters: 12 } }
/** Pixels that the name of a round needs. */
const ROUND = 30
const TOP = 14
const BOTTOM = 34
/** Pixels that a label needs, and how many have room. */
const LABEL = 17
const ROOM = Math.floor((HEIGHT - TOP - BOTTOM) / LABEL) + 1
/** Pixels from the end of the lines to their labels. */
const LEADER = 22

/** Points by round, a line an entrant: one of them highlighted, the others grey. */
export function Rounds({ rounds }: { readonly rounds: ReportRounds }) {
  const { document, place, go, nameOf } = useReport()
  const { entrants, standings } = document
  const [summed, setSummed] = useState(true)
  const first = standings.rows[0]?.entrant ?? 0
  const found = entrants.findIndex(({ name }) => name === place.bot)
  const chosen = found < 0 ? first : found
  return (
    <figure className="chart panel">
      <figcaption className="flow">
        <Select
          label="Highlight"
          value={chosen}
          options={standings.rows.map(({ entrant }) => [entrant, nameOf(entrant)])}
          onChoose={(one) => go({ bot: entrants[Number(one)]?.name ?? '' }, true)}
        />
        <span role="group" aria-label="what is drawn" className="tabs">
          <Press className="tab" aria-pressed={summed} onClick={() => setSummed(true)}>
            {rounds.matches ? 'Mean so far' : 'Total so far'}
          </Press>
          <Press className="tab" aria-pressed={!summed} onClick={() => setSummed(false)}>
            In each {rounds.unit}
          </Press>
        </span>
      </figcaption>
      <Chart rounds={rounds} summed={summed} chosen={chosen} />
    </figure>
  )
}

interface ChartProps {
  readonly rounds: ReportRounds
  /** Whether the total (of mean scores: the mean) up to each round is drawn; else the points of each round. */
  readonly summed: boolean
  /** The entrant that is highlighted. */
  readonly chosen: number
}

function Chart({ rounds, summed, chosen }: ChartProps) {
  const { document, nameOf } = useReport()
  const [svg, width] = useDrawnWidth(WIDTH)
  const { right, letters } = width < NARROW ? NAMES.narrow : NAMES.wide
  const end = width - right
  const drawing = useMemo(() => drawingOf(rounds, summed, end), [rounds, summed, end])
  const { x, y, values, path } = drawing
  const { rows } = document.standings
  const lines = rows.map(({ entrant }) => entrant).filter((entrant) => entrant !== chosen)
  // Of a crowd the highest are labelled; the others say who they are where the pointer rests.
  const labelled = [chosen, ...lines.slice(0, ROOM - 1)]
  const points = values[chosen] ?? []
  const last = points.findLastIndex((value) => value !== null)
  const label = points.map((value, i) => (value !== null ? figure(value) : i < last ? 'bye' : 'out')).join(', ')
  return (
    <svg
      ref={svg}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={`points by ${rounds.unit}: ${nameOf(chosen)} ${label}`}
    >
      <Axes rounds={rounds} drawing={drawing} />
      {lines.map((entrant) => (
        <g key={entrant} className="hovered">
          <title>{nameOf(entrant)}</title>
          <path className="curve other" d={path(entrant)} />
          <path className="curve reach" d={path(entrant)} />
        </g>
      ))}
      <path className="curve chosen" d={path(chosen)} />
      {points.map((value, i) =>
        value === null ? null : <circle key={rounds.labels[i]} className="dot" cx={x(i)} cy={y(value)} r="3.5" />,
      )}
      {spread(labelled.map((entrant) => endOf(drawing, entrant))).map(({ entrant, x: from, end: height, y: at }) => (
        <g key={entrant} className={entrant === chosen ? 'end chosen' : 'end'}>
          <path d={`M${from + 3} ${height}H${end + 3}L${end + LEADER - 4} ${at}`} />
          <text x={end + LEADER} y={at} dy="0.32em">
            <title>{nameOf(entrant)}</title>
            {shortened(nameOf(entrant), letters)}
          </text>
        </g>
      ))}
      {rows.length > labelled.length && (
        <text className="axis" x={end + LEADER} y={HEIGHT - 2}>
          and {rows.length - labelled.length} more
        </text>
      )}
    </svg>
  )
}

/** The grid of points with its figures, and the names of the rounds, of which as many are shown as have room. */
function Axes({ rounds, drawing: { x, y, end } }: { readonly rounds: ReportRounds; readonly drawing: Drawing }) {
  const each = Math.ceil(rounds.labels.length / Math.max(1, Math.floor((end - LEFT) / ROUND)))
  return (
    <>
      {y.ticks(6).map((tick) => (
        <g key={tick} className="grid" transform={`translate(0 ${y(tick)})`}>
          <line x1={LEFT} x2={end} />
          <text x={LEFT - 8} dy="0.32em" textAnchor="end">
            {figure(tick)}
          </text>
        </g>
      ))}
      {rounds.labels.map((label, i) =>
        i % each === 0 ? (
          <text key={label} className="axis" x={x(i)} y={HEIGHT - BOTTOM + 18} textAnchor="middle">
            {label}
          </text>
        ) : null,
      )}
      <text className="axis" x={LEFT - 8} y={HEIGHT - BOTTOM + 18} textAnchor="end">
        {rounds.unit === 'round' ? 'round' : 'rep.'}
      </text>
    </>
  )
}

type Drawing = ReturnType<typeof drawingOf>

/** `end`: where the lines end at the right, in pixels. */
function drawingOf({ labels, points, matches }: ReportRounds, summed: boolean, end: number) {
  const values = points.map((row, entrant) => {
    let [sum, n] = [0, 0]
    return row.map((value, i) => {
      if (value === null) return null
      const weight = matches?.[entrant]?.[i]
      sum += value * (weight ?? 1)
      n += weight ?? 0
      return summed ? Math.round((weight === undefined ? sum : sum / n) * 1e6) / 1e6 : value
    })
  })
  const flat = values.flat().filter((value) => value !== null)
  const place = scalePoint(
    labels.map((_, i) => i),
    [LEFT, end],
  )
  const x = (i: number): number => place(i) ?? LEFT
  const y = scaleLinear([Math.min(0, ...flat), Math.max(1, ...flat)], [HEIGHT - BOTTOM, TOP]).nice(6)
  const draw = line<readonly [round: number, value: number]>()
    .x(([i]) => x(i))
    .y(([, value]) => y(value))
  // Who has a bye goes on after it: the line does too. It ends where an entrant is out.
  const path = (entrant: number): string =>
    draw((values[entrant] ?? []).flatMap((value, i) => (value === null ? [] : [[i, value] as const]))) ?? ''
  return { x, y, values, path, end }
}

/** Where an entrant's line ends. */
function endOf({ values, x, y }: Drawing, entrant: number) {
  const own = values[entrant] ?? []
  const last = own.findLastIndex((value) => value !== null)
  return { entrant, x: x(Math.max(0, last)), end: y(own[last] ?? 0) }
}

/** Labels moved apart until none covers another, as near to the ends of their lines as that allows. */
function spread(ends: readonly ReturnType<typeof endOf>[]) {
  const labels = [...ends].sort((a, b) => a.end - b.end).map((label) => ({ ...label, y: label.end }))
  labels.forEach((label, i) => (label.y = Math.max(label.y, i === 0 ? TOP : (labels[i - 1]?.y ?? 0) + LABEL)))
  labels.toReversed().forEach((label, k) => {
    const below = labels[labels.length - k]
    label.y = Math.min(label.y, below === undefined ? HEIGHT - BOTTOM : below.y - LABEL)
  })
  return labels
}

/** Names that are alike differ at their ends. */
const shortened = (name: string, most: number): string => {
  const letters = [...name]
  const head = Math.ceil((most - 1) / 2)
  return letters.length > most ? `${letters.slice(0, head).join('')}…${letters.slice(head + 1 - most).join('')}` : name
}
