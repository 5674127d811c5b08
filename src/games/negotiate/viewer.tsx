import { useEffect, useState } from 'react'
import {
  type Beat,
  type BoardProps,
  type Choice,
  NARROW_BOARD,
  Stage,
  labelOf,
  markShape,
  seatColour,
  shortened,
  useStep,
  viewer,
} from '../viewer-kit/index.js'
import { UNIT } from './settle.js'
import type { State } from './rules.js'
import { actionOf, isTermination, lordsOf } from './view.js'
import type { View } from './view.js'

/** What is drawn: provinces as rows by lord, columns by seat. */
interface Scene {
  readonly turn: number
  readonly turns: number
  readonly forces: readonly number[]
  /** Intimacy that everyone sees. */
  readonly open: readonly (readonly number[])[]
  /** With the nights; null where this reader does not know them. */
  readonly real: readonly (readonly (number | null)[])[]
  readonly strength24: readonly number[]
  readonly out: readonly boolean[]
}

const NIGHT = 'color-mix(in srgb, #24365e 26%, var(--sky))'
/** Figures beside bars: as small as can be read on a phone. */
const TINY = { fontSize: 12.5 }

function seen(view: View, seat: number): Scene {
  /** From the reader's own order, itself first, to seats. */
  const bySeat = <T,>(row: readonly T[]): readonly T[] => [
    ...row.slice(1, seat + 1),
    ...row.slice(0, 1),
    ...row.slice(seat + 1),
  ]
  const open = view.intimacy.map(bySeat)
  return {
    turn: view.turn,
    turns: view.turns,
    forces: view.forces,
    open,
    real: open.map((row, lord) => row.map((_, k) => (k === seat ? (view.real[lord] ?? 0) : null))),
    strength24: bySeat(view.strength24),
    out: view.strength24.map(() => false),
  }
}

/** Where things stand. `inset`: edges to lords. `beside`: daimyos in a row below. */
const WIDE = { width: 800, height: 480, inset: 30, beside: 8, letters: 16 }
const NARROW = { width: NARROW_BOARD, height: 520, inset: 14, beside: 2, letters: 13 }
type Layout = typeof WIDE
const TOP = 118
const BARS = 168
/** The width of a digit above a bar. */
const DIGIT = 8
/** Where the daimyos begin, and the height of a row of them. */
const DAIMYOS = 418
const ROW = 48

/** Whether a night led to this turn: even turns are nights. */
const wasNight = (turn: number): boolean => turn > 1 && (turn - 1) % 2 === 0

function Board({ scene, moves, seats, order, beat, narrow, choice }: BoardProps<Scene>) {
  const { tapped, tap } = useTaps(choice, scene.turn)
  const layout = narrow ? NARROW : WIDE
  const { width, height, inset } = layout
  const about = (seat: number): string => `strength ${strength(scene.strength24[seat] ?? 0)}`
  const column = (width - 2 * inset) / scene.forces.length
  const most = Math.max(8, ...scene.real.flat().map((degree) => degree ?? 0), ...scene.open.flat())
  const visits = moves.map((move) => (typeof move === 'string' ? lordsOf(move) : []))
  const night = wasNight(scene.turn)
  return (
    <Stage size={layout} tall={narrow} label={labelOf({ seats, moves }, word, about, 'nothing to be seen')}>
      <rect fill={night ? NIGHT : 'var(--sky)'} x="8" y="8" width={width - 16} height={height - 16} rx="20" />
      {scene.turn > 1 && (
        <g transform="translate(46 48)">
          {night ? (
            <path fill="var(--seat-5)" d="M8-17A18 18 0 1 0 8 17 14.5 14.5 0 0 1 8-17z" />
          ) : (
            <circle fill="var(--disc)" r="15" />
          )}
          <text className="small" x="30" y="5">
            {night ? 'night' : 'day'} {scene.turn - 1} of {scene.turns}
          </text>
        </g>
      )}
      {scene.forces.map((force, lord) => (
        <g key={lord} transform={`translate(${inset + lord * column} ${TOP})`}>
          <Lord
            taps={tapped.filter((each) => each === lord).length}
            onTap={tap && (() => tap(lord))}
            lord={lord}
            force={force}
            width={column}
            open={scene.open[lord] ?? []}
            real={scene.real[lord] ?? []}
            visits={visits.map((named) => named.filter((each) => each === lord).length)}
            most={most}
            order={order}
            beat={beat}
          />
        </g>
      ))}
      <Strengths scene={scene} seats={seats} order={order} moves={moves} layout={layout} />
    </Stage>
  )
}

/** Lords that a person has tapped; the last of a turn plays it. `tap` undefined: no person's turn. */
function useTaps(choice: Choice | undefined, turn: number) {
  const [tapped, setTapped] = useState<readonly number[]>([])
  useEffect(() => setTapped([]), [turn])
  const [any] = choice?.legal ?? []
  if (choice === undefined || any === undefined) return { tapped: [] }
  const tap = (lord: number): void => {
    const now = [...tapped, lord]
    const isWhole = now.length >= lordsOf(any).length
    setTapped(isWhole ? [] : now)
    if (isWhole) choice.onChoose(actionOf(now))
  }
  return { tapped, tap }
}

interface LordProps {
  readonly lord: number
  /** How often a person has chosen it so far in this turn. */
  readonly taps: number
  /** undefined: nobody is to choose. */
  readonly onTap: (() => void) | undefined
  readonly force: number
  readonly width: number
  readonly open: readonly number[]
  readonly real: readonly (number | null)[]
  readonly visits: readonly number[]
  readonly most: number
  readonly order: readonly number[]
  readonly beat: Beat
}

/** A lord with a bar a daimyo: solid what all see, hatched what nights added. */
function Lord({ lord, taps, onTap, force, width, open, real, visits, most, order, beat }: LordProps) {
  const bar = Math.min(22, (width - 4) / order.length)
  const middle = width / 2
  const degrees = order.map((seat) => real[seat] ?? open[seat] ?? 0)
  const best = Math.max(...degrees)
  const height = (degree: number) => (degree / most) * BARS
  const isTapped = taps > 0
  return (
    <g
      className={onTap && 'tapped'}
      role={onTap && 'button'}
      tabIndex={onTap && 0}
      aria-label={onTap && `negotiate with lord ${lord}${isTapped ? `, chosen ${taps} times` : ''}`}
      onClick={onTap}
      onKeyDown={(event) => {
        if (onTap === undefined || (event.key !== 'Enter' && event.key !== ' ')) return
        event.preventDefault()
        onTap()
      }}
    >
      {onTap && <rect className={isTapped ? 'tap chosen' : 'tap'} y="-62" width={width} height={BARS + 160} rx="10" />}
      <path fill="var(--skin)" d="M-19 4q19-30 38 0zM-27 4h54v5h-54z" transform={`translate(${middle} -24)`} />
      <text className="strong" style={{ fontSize: 19 }} x={middle} y="6" textAnchor="middle">
        {force}
      </text>
      <line stroke="var(--quiet)" x1="8" x2={width - 8} y1={BARS + 34} y2={BARS + 34} />
      {order.map((seat, place) => {
        const x = middle - (order.length * bar) / 2 + place * bar
        const shown = open[seat] ?? 0
        const whole = real[seat] ?? shown
        return (
          <g key={seat} transform={`translate(${x} ${BARS + 34})`}>
            <rect x="2" y={-height(shown)} width={bar - 4} height={height(shown)} fill={seatColour(seat)} rx="2" />
            {whole > shown && (
              <rect
                fill="none"
                strokeWidth="2"
                strokeDasharray="3 2"
                x="2"
                y={-height(whole)}
                width={bar - 4}
                height={height(whole - shown)}
                style={{ stroke: seatColour(seat) }}
                rx="2"
              />
            )}
            <text
              style={TINY}
              x={bar / 2}
              y={-height(whole) - 5}
              textAnchor="middle"
              {...(String(whole).length * DIGIT > bar && { textLength: bar - 2, lengthAdjust: 'spacingAndGlyphs' })}
            >
              {whole === 0 ? '' : whole}
            </text>
            <Visit seat={seat} n={visits[seat] ?? 0} x={bar / 2} beat={beat} />
          </g>
        )
      })}
      <text className="small" x={middle} y={BARS + 92} textAnchor="middle">
        lord {lord}
        {isTapped && ` ×${taps}`}
      </text>
      {best > 0 && <title>{`lord ${lord}, force ${force}`}</title>}
    </g>
  )
}

interface VisitProps {
  readonly seat: number
  readonly n: number
  readonly x: number
  readonly beat: Beat
}

/** A seat's mark under its bar, once it called on the lord. */
function Visit({ seat, n, x, beat }: VisitProps) {
  const ref = useStep<SVGGElement>(
    beat,
    n > 0
      ? [
          { transform: 'translateY(26px)', opacity: 0 },
          { transform: 'translateY(0px)', opacity: 1 },
        ]
      : undefined,
    [0, 0.5],
  )
  if (n === 0) return null
  return (
    <g ref={ref}>
      <g transform={`translate(${x - 6} 5) scale(.75)`}>{markShape(seat)}</g>
      {n > 1 && (
        <text style={TINY} x={x} y="27" textAnchor="middle">
          {x < DIGIT ? n : `×${n}`}
        </text>
      )}
    </g>
  )
}

type StrengthsProps = Pick<BoardProps<Scene>, 'scene' | 'seats' | 'order' | 'moves'> & { readonly layout: Layout }

function Strengths({ scene, seats, order, moves, layout }: StrengthsProps) {
  const { inset, letters } = layout
  const beside = Math.min(order.length, layout.beside)
  const width = (layout.width - 2 * inset) / beside
  return (
    <g transform={`translate(${inset} ${DAIMYOS})`}>
      {order.map((seat, place) => {
        const isOut = isTermination(moves[seat]) || scene.out[seat]
        return (
          <g
            key={seat}
            transform={`translate(${(place % beside) * width + (layout === WIDE ? 12 : 4)} ${Math.floor(place / beside) * ROW})`}
          >
            {markShape(seat)}
            <text className="name" x="24" y="13">
              {shortened(seats[seat]?.name ?? '', letters)}
            </text>
            <text className="small" x="24" y="34">
              strength <tspan className="strong">{strength(scene.strength24[seat] ?? 0)}</tspan>
              {isOut && (layout === WIDE ? ' · terminated' : ' · out')}
            </text>
          </g>
        )
      })}
    </g>
  )
}

/** 24ths for people: 84 is 3.5. */
const strength = (parts: number): string => (Math.round((parts / UNIT) * 100) / 100).toString().replace('-', '−')

const word = (action: string): string => `lords ${action}`

export default viewer<Scene, State, View>({
  game: 'negotiate',
  scene: ({ turn, options, forces, open, real, strength24, terminated }) => ({
    turn,
    turns: options.turns,
    forces,
    open,
    real,
    strength24,
    out: terminated,
  }),
  seen,
  Board,
  hint: 'Or tap the lords on the board.',
  word,
  sign: (action) => action,
  // By night nobody sees where another went.
  open: (before, action) => (before.turn % 2 === 0 ? null : action),
  tallies: [
    { name: 'strength', of: ({ strength24 }, seat) => (strength24[seat] ?? 0) / UNIT },
    {
      name: 'intimacy',
      of: ({ real, open }, seat) => real.reduce((sum, row, lord) => sum + (row[seat] ?? open[lord]?.[seat] ?? 0), 0),
    },
  ],
  events: (before, _moves, after) =>
    after.strength24.some((parts, seat) => parts !== before.strength24[seat]) ||
    after.options.settling.includes(before.turn)
      ? [{ kind: 'hit', text: 'the lords settle' }]
      : [],
})
