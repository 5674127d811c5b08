import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react'
import { visible } from '../../core/index.js'
import { type Tally, MARKS, Mark, markShape, seatColour } from '../../games/viewer-kit/index.js'
import { Grid, useDrawnWidth } from '../chart.js'
import { capital, duration, figure, percent, resultWord, said } from '../format.js'
import { Press } from '../parts.js'
import { SIGNS, faultText, faultsUntil, markOf } from './film.js'
import { type ReplayNow, type Shown, useReplay } from './match.js'

/** A panel for each player: how it stands, what it did, how long it took, and its faults in words. */
export function Players() {
  const match = useReplay()
  const { seats, record, tallies, scenes, turn, over } = match
  const { place } = record.outcome
  const isCrowd = seats.length > 4
  return (
    // A crowd is scrolled, which the keyboard must reach too.
    <section
      className={isCrowd ? 'players panel crowd' : 'players panel'}
      aria-label="players"
      tabIndex={isCrowd ? 0 : undefined}
    >
      {seats.map(({ seat, name, wire }) => (
        <article key={seat} className="player">
          <h2>
            <Mark seat={seat} />
            <span className="cut" title={name}>
              {name}
            </span>
            {over && <span className={`place p${place[seat]}`}>{resultWord(place, seat)}</span>}
          </h2>
          <dl>
            {tallies.map(({ name: tally, of }) => {
              const value = of(scenes[turn], seat, turn)
              return (
                <div key={tally}>
                  <dt>{tally}</dt>
                  <dd>{value === null ? '?' : figure(value)}</dd>
                </div>
              )
            })}
            {factsOf(match, seat).map(
              ([fact, text, kind]) =>
                text !== undefined && (
                  <div key={fact} className="line">
                    <dt>{fact}</dt>
                    <dd className={kind}>{text}</dd>
                  </div>
                ),
            )}
          </dl>
          <p className="wire" title="the protocol it speaks">
            {wire}
          </p>
        </article>
      ))}
    </section>
  )
}

type Fact = readonly [name: string, text: string | undefined, kind?: string]

function factsOf({ seats, film, left, rows, words, evaluation, turn }: ReplayNow, seat: number): readonly Fact[] {
  const { times, said: spoken } = film.frames[turn] ?? {}
  const move = rows[turn - 1]?.[seat] ?? null
  const didAct = move !== null && move !== 'hidden' && 'action' in move
  const faults = faultsUntil(film, seat, turn)
  const latest = faults.at(-1)
  const before = faults.length > 1 ? `${faults.length}, the last in ` : ''
  return [
    ['did', deedText(move, turn, words.word)],
    ['said', didAct && spoken?.[seat] !== undefined ? visible(spoken[seat]) : undefined],
    ['cost', evaluation && costText(evaluation.lost[turn]?.[seat] ?? null)],
    ['time', timeText(times?.[seat], move, seats[seat]?.limit ?? 0)],
    ['left', left && duration((left[turn]?.[seat] ?? 0) * 1000)],
    latest ? ['faults', `${before}turn ${latest.turn}: ${faultText(latest)}`, 'fault'] : ['faults', 'none so far'],
  ]
}

function deedText(move: Shown, turn: number, word: (action: string) => string): string {
  if (turn === 0) return 'nothing yet'
  if (move === null) return 'was not asked'
  if (move === 'hidden') return 'not known to this seat'
  return 'fault' in move ? move.fault : word(move.action)
}

/** `us`: microseconds; `limit`: milliseconds. */
function timeText(us: number | undefined, move: Shown, limit: number): string {
  if (us === undefined) return move === null ? 'was not asked' : 'not recorded'
  return `${duration(us)}, ${percent(us / 1000 / limit)} of ${duration(limit * 1000)}`
}

/** What a move gave away: '22 %, blunder', 'nothing'. */
function costText(lost: number | null): string {
  const mark = markOf(lost)
  if (lost === null) return '–'
  if (mark === 'best') return 'nothing'
  return mark === undefined ? percent(lost) : `${percent(lost)}, ${mark}`
}

/** Pixels of a row, as the style sheet has it. */
const ROW = 28
const MARGIN = 8
const NAMED = 4

/** The list of moves in step with the board. Only the rows in sight exist. */
export function Moves() {
  const { seats, names, words, rows, evaluation, turn, playback } = useReplay()
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const height = box.current?.clientHeight || 420
  const isCrowd = seats.length > NAMED

  useEffect(() => {
    const element = box.current
    if (!element) return
    const at = (turn - 1) * ROW
    if (at < element.scrollTop + ROW || at > element.scrollTop + element.clientHeight - 3 * ROW) {
      element.scrollTop = at - element.clientHeight / 2
    }
  }, [turn])

  /** A move: of more than two seats as a sign. */
  const cell = (move: Shown, seat: number, lost: number | null | undefined) => {
    const name = names[seat]
    if (move === null)
      return (
        <span key={seat} className="quiet" title={said(name, 'was not due')}>
          ·
        </span>
      )
    if (move === 'hidden')
      return (
        <span key={seat} className="hidden quiet" title="hidden from this seat">
          ?
        </span>
      )
    const mark = markOf(lost)
    const told = mark === undefined ? '' : `, ${mark === 'best' ? 'a best move' : mark}`
    const isFault = 'fault' in move
    const word = isFault ? faultText(move) : words.word(move.action)
    return (
      <span key={seat} className={isFault ? 'fault' : undefined} title={`${name}: ${word}${told}`}>
        {isFault ? `! ${move.fault}` : names.length > 2 ? words.sign(move.action) : word}
        {mark && <b className={mark === 'best' ? 'quiet' : 'fault'}> {SIGNS[mark]}</b>}
      </span>
    )
  }
  const first = Math.max(0, Math.floor(top / ROW) - MARGIN)
  const end = Math.min(rows.length, Math.ceil((top + height) / ROW) + MARGIN)
  return (
    <section
      className={isCrowd ? 'moves panel crowd' : 'moves panel'}
      aria-label="moves"
      style={{ '--seats': seats.length } as CSSProperties}
    >
      <div className="scroll" ref={box} tabIndex={-1} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
        <div className="row head" aria-hidden="true">
          <span>Turn</span>
          {seats.map(({ seat, name }) => (
            <span key={seat} title={name}>
              <Mark seat={seat} />
              {!isCrowd && <span className="cut">{name}</span>}
            </span>
          ))}
        </div>
        <ol style={{ height: rows.length * ROW }}>
          {rows.slice(first, end).map((moves, i) => {
            const number = first + i + 1
            return (
              <li key={number} style={{ top: (number - 1) * ROW }}>
                <button
                  type="button"
                  className="row"
                  // Of all rows, the keyboard stops at the one that is shown.
                  tabIndex={number === Math.max(1, turn) ? 0 : -1}
                  aria-current={number === turn ? 'step' : undefined}
                  onClick={() => playback.to(number)}
                >
                  <span>{number}</span>
                  {moves.map((move, seat) => cell(move, seat, evaluation?.lost[number]?.[seat]))}
                </button>
              </li>
            )
          })}
        </ol>
      </div>
    </section>
  )
}

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
      <figcaption className="tabs">
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
