import { useMemo, useState } from 'react'
import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { Grid, useDrawnWidth } from '../chart.js'
import type { ReportRounds } from '../document.js'
import { figure } from '../format.js'
import { Press, Select } from '../parts.js'
import { useReport } from '../shared.js'

/** In pixels, like all below. */
const WIDTH = 900
/** Below this names are cut shorter. */
const NARROW = 560
const HEIGHT = 380
const LEFT = 44
/** Room for the names, and letters that fit there. */
const NAMES = { wide: { right: 170, letters: 17 }, narrow: { right: 126, letters: 12 } }
/** What the name of a round needs. */
const ROUND = 30
const TOP = 14
const BOTTOM = HEIGHT - 34
/** What a label needs, and how many have room. */
const LABEL = 17
const ROOM = Math.floor((BOTTOM - TOP) / LABEL) + 1
/** From the end of the lines to their labels. */
const LEADER = 22

export function Rounds({ rounds }: { readonly rounds: ReportRounds }) {
  const { document, place, go, nameOf } = useReport()
  const { entrants, standings } = document
  /** The total (of mean scores: the mean) up to each round; else the points of each. */
  const [summed, setSummed] = useState(true)
  const found = entrants.findIndex(({ name }) => name === place.bot)
  const chosen = found < 0 ? (standings.rows[0]?.entrant ?? 0) : found
  const [svg, width] = useDrawnWidth(WIDTH)
  const { right, letters } = width < NARROW ? NAMES.narrow : NAMES.wide
  const end = width - right
  const drawing = useMemo(() => drawingOf(rounds, summed, end), [rounds, summed, end])
  const { x, y, values, path } = drawing
  const others = standings.rows.map(({ entrant }) => entrant).filter((entrant) => entrant !== chosen)
  // Of a crowd the highest are labelled; the pointer names the others.
  const labelled = [chosen, ...others.slice(0, ROOM - 1)]
  const points = values[chosen] ?? []
  const last = points.findLastIndex((value) => value !== null)
  const texts = points.map((value, i) => (value !== null ? figure(value) : i < last ? 'bye' : 'out'))
  // As many round names as have room.
  const each = Math.ceil(rounds.labels.length / Math.max(1, Math.floor((end - LEFT) / ROUND)))
  const shown = rounds.labels.map((label, i) => [x(i), label] as const).filter((_, i) => i % each === 0)
  const tab = (own: boolean, text: string) => (
    <Press className="tab" aria-pressed={summed === own} onClick={() => setSummed(own)}>
      {text}
    </Press>
  )
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
          {tab(true, rounds.matches ? 'Mean so far' : 'Total so far')}
          {tab(false, `In each ${rounds.unit}`)}
        </span>
      </figcaption>
      <svg
        ref={svg}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`points by ${rounds.unit}: ${nameOf(chosen)} ${texts.join(', ')}`}
      >
        <Grid
          y={y}
          lines={6}
          x={[LEFT, end]}
          below={[[LEFT - 24, rounds.unit === 'round' ? 'round' : 'rep.'], ...shown]}
          height={BOTTOM + 18}
        />
        {others.map((entrant) => (
          <g key={entrant} className="hovered">
            <title>{nameOf(entrant)}</title>
            <path className="curve other" d={path(entrant)} />
            <path className="curve reach" d={path(entrant)} />
          </g>
        ))}
        <path className="curve chosen" d={path(chosen)} />
        {points.map((value, i) => value !== null && <circle key={i} className="dot" cx={x(i)} cy={y(value)} r="3.5" />)}
        {labelsOf(labelled, drawing).map(({ entrant, from, at, to }) => (
          <g key={entrant} className={entrant === chosen ? 'end chosen' : 'end'}>
            <path d={`M${from + 3} ${at}H${end + 3}L${end + LEADER - 4} ${to}`} />
            <text x={end + LEADER} y={to} dy="0.32em">
              <title>{nameOf(entrant)}</title>
              {shortened(nameOf(entrant), letters)}
            </text>
          </g>
        ))}
        {standings.rows.length > labelled.length && (
          <text className="axis" x={end + LEADER} y={HEIGHT - 2}>
            and {standings.rows.length - labelled.length} more
          </text>
        )}
      </svg>
    </figure>
  )
}

/** `end`: the lines' right end, in pixels. */
function drawingOf({ labels, points, matches }: ReportRounds, summed: boolean, end: number) {
  const values = points.map((row, entrant) => {
    let [sum, n] = [0, 0]
    return row.map((value, i) => {
      if (value === null || !summed) return value
      const weight = matches?.[entrant]?.[i]
      sum += value * (weight ?? 1)
      n += weight ?? 0
      return Math.round((weight === undefined ? sum : sum / n) * 1e6) / 1e6
    })
  })
  const flat = values.flat().filter((value) => value !== null)
  const x = scaleLinear([0, Math.max(1, labels.length - 1)], [LEFT, end])
  const y = scaleLinear([Math.min(0, ...flat), Math.max(1, ...flat)], [BOTTOM, TOP]).nice(6)
  const draw = line<readonly [round: number, value: number]>()
    .x(([i]) => x(i))
    .y(([, value]) => y(value))
  // A line goes on after a bye. It ends where an entrant is out.
  const path = (entrant: number): string =>
    draw((values[entrant] ?? []).flatMap((value, i) => (value === null ? [] : [[i, value] as const]))) ?? ''
  return { x, y, values, path }
}

/** `at`: the height of a line's end; `to`: of its label, moved until none covers another. */
function labelsOf(entrants: readonly number[], { x, y, values }: ReturnType<typeof drawingOf>) {
  const labels = entrants.map((entrant) => {
    const own = values[entrant] ?? []
    const last = own.findLastIndex((value) => value !== null)
    const at = y(own[last] ?? 0)
    return { entrant, from: x(Math.max(0, last)), at, to: at }
  })
  labels.sort((a, b) => a.at - b.at)
  let least = TOP
  for (const label of labels) {
    label.to = Math.max(label.to, least)
    least = label.to + LABEL
  }
  let most = BOTTOM
  for (const label of labels.toReversed()) {
    label.to = Math.min(label.to, most)
    most = label.to - LABEL
  }
  return labels
}

/** Without its middle: names that are alike differ at their ends. */
function shortened(name: string, most: number): string {
  const letters = [...name]
  if (letters.length <= most) return name
  const head = Math.ceil((most - 1) / 2)
  return `${letters.slice(0, head).join('')}…${letters.slice(head + 1 - most).join('')}`
}
