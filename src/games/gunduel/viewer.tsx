import type { Move } from '../../core/index.js'
import {
  type Beat,
  type BoardProps,
  Bubble,
  Lanes,
  NARROW_BOARD,
  NameTag,
  Stage,
  labelOf,
  seatColour,
  useStep,
  viewer,
} from '../viewer-kit/index.js'
import { actions, roundsText } from './text.js'
import type { Action, State, View } from './rules.js'

/** What is drawn of a duel: everything in it is open. */
interface Scene {
  readonly ammo: readonly number[]
  readonly histories: readonly string[]
  /** Who has fallen, by seat. */
  readonly lost: readonly boolean[]
}

const scene = ({ ammo, histories, end }: State): Scene => ({ ammo, histories, lost: end?.lost ?? [] })

/** A view does not say who lost; whoever is below no rounds has burst, and words say the rest. */
function seen(view: View, seat: number): Scene {
  const pair = <T,>(own: T, other: T): readonly T[] => (seat === 0 ? [own, other] : [other, own])
  return {
    ammo: pair(view.ammo, view.opponentAmmo),
    histories: pair(view.history, view.opponentHistory),
    lost: pair(view.ammo < 0, view.opponentAmmo < 0),
  }
}

/** Scenery and figures are drawn so wide, with the ground there. */
const DRAWN = 800
const GROUND = 320

/** Where things stand. Words are as large on every board; the drawing is not. */
interface Layout {
  readonly width: number
  readonly height: number
  /** Of the drawing. */
  readonly scale: number
  /** From the middle of the drawing to a figure. */
  readonly apart: number
  /** How far down what a seat does stands, and the ground. */
  readonly said: number
  readonly ground: number
  /** Letters of a name. */
  readonly letters: number
}
const WIDE: Layout = { width: DRAWN, height: 390, scale: 1, apart: 210, said: 90, ground: GROUND, letters: 22 }
const NARROW: Layout = { width: NARROW_BOARD, height: 266, scale: 0.6, apart: 150, said: 40, ground: 192, letters: 11 }

function Board({ scene: now, moves, seats, order, beat, narrow }: BoardProps<Scene>) {
  const layout = narrow ? NARROW : WIDE
  const { width, height, scale, apart, said, ground, letters } = layout
  const [left, right] = [DRAWN / 2 - apart, DRAWN / 2 + apart]
  const about = (seat: number): string => `${roundsText(now.ammo[seat])}${now.lost[seat] ? ', fallen' : ''}`
  return (
    <>
      <Stage size={layout} tall={narrow} className="sky" label={labelOf({ seats, moves }, word, about)}>
        <g transform={`translate(${(width - DRAWN * scale) / 2} ${ground - GROUND * scale}) scale(${scale})`}>
          <circle fill="var(--disc)" cx={DRAWN / 2} cy="170" r="92" />
          <path
            fill="var(--ridge)"
            d={`M0 ${GROUND - 36}l90-34 70 22 120-52 96 44 110-30 104 40 90-26 120 36v${GROUND}H0z`}
          />
          <rect fill="var(--land)" y={GROUND} width={DRAWN} height={(height - ground) / scale} />
          {order.map((seat, side) => (
            <Duellist
              key={seat}
              seat={seat}
              x={side === 0 ? left : right}
              mirrored={side === 1}
              move={moves[seat]}
              fallen={now.lost[seat] ?? false}
              beat={beat}
            />
          ))}
          {order.map((seat, side) => (
            <Shot
              key={seat}
              move={moves[seat]}
              from={side === 0 ? left + 74 : right - 74}
              to={side === 0 ? right - 40 : left + 40}
              beat={beat}
            />
          ))}
        </g>
        {order.map((seat, side) => {
          const x = width / 2 + (side === 0 ? -1 : 1) * apart * scale
          return (
            <g key={seat}>
              <NameTag seat={seats[seat]} x={x} y={ground + 30} most={letters} />
              <Rounds x={x} y={ground + 50} n={now.ammo[seat] ?? 0} />
              <Bubble x={x} y={said} move={moves[seat]} word={word} />
            </g>
          )
        })}
      </Stage>
      <Lanes
        order={order}
        history={(seat) => now.histories[seat] ?? ''}
        kind={(sign) => (sign === '1' || sign === '2' ? 'strike' : sign === '0' ? 'gain' : 'ward')}
      />
    </>
  )
}

interface DuellistProps {
  readonly seat: number
  readonly x: number
  readonly mirrored: boolean
  readonly move: Move<string> | null | undefined
  readonly fallen: boolean
  readonly beat: Beat
}

/** Flat on the back, the coat above the ground. */
const FALLEN = 'translate(10px, -26px) rotate(-84deg)'

function Duellist({ seat, x, mirrored, move, fallen, beat }: DuellistProps) {
  const body = useStep<SVGGElement>(
    beat,
    fallen ? [{ transform: 'rotate(0deg)' }, { transform: FALLEN }] : undefined,
    [0.6, 1],
  )
  const action = typeof move === 'string' && !fallen ? move : undefined
  const aims = action === '1' || action === '2'
  return (
    <g transform={`translate(${x} ${GROUND}) scale(${mirrored ? -1 : 1} 1)`}>
      <g ref={body} style={fallen ? { transform: FALLEN } : undefined}>
        <path fill="var(--skin)" d="M-19-72l-5 72h15l8-58 10 58h15l-5-72z" />
        <path d="M-20-142q18-10 38 0l12 82q-30 14-62 0z" fill={seatColour(seat)} />
        <circle fill="var(--skin)" cx="0" cy="-158" r="13" />
        <path fill="var(--ink)" d="M-26-166q26-8 52 0l-10-3q-2-21-16-21t-16 21z" />
        <path
          className="line"
          stroke="var(--skin)"
          strokeWidth="10"
          d={aims ? 'M8-130 54-126' : 'M8-130 26-96 40-104'}
        />
        {aims ? (
          <path fill="var(--ink)" d="M50-133h26v7H62l-3 13h-8z" />
        ) : (
          <path fill="var(--ink)" d="M36-112h22v6H46l-3 11h-6z" />
        )}
      </g>
      {action === '-' && (
        <g stroke="var(--ink)" strokeWidth="2.5">
          <path fill="var(--metal)" d="M66-150q22-8 34 0v62q-4 30-17 42-13-12-17-42z" />
          <path className="line" strokeWidth="5" d="M76-136v.1M90-136v.1M76-100v.1M90-100v.1" />
        </g>
      )}
      {action === '=' && (
        <g className="line" stroke="var(--seat-1)" strokeWidth="6">
          <path d="M70-160q26 50 0 112" />
          <path d="M84-152q22 46 0 96" />
          <path d="M98-144q18 40 0 80" />
        </g>
      )}
    </g>
  )
}

/** What a shot leaves in the air. */
const BULLET = { className: 'line', stroke: 'var(--faint)', strokeWidth: 2, strokeDasharray: '7 6' }
const PLASMA = { className: 'line', stroke: 'var(--seat-3)', strokeWidth: 5, opacity: 0.55 }

/** Rounds in the gun, as cartridges; many of them as a figure. */
function Rounds({ x, y, n }: { readonly x: number; readonly y: number; readonly n: number }) {
  if (n < 0)
    return (
      <text className="small" x={x} y={y + 8} textAnchor="middle">
        burst
      </text>
    )
  const drawn = Math.min(n, 10)
  return (
    <g transform={`translate(${x - (drawn * 11) / 2} ${y - 4})`}>
      {Array.from({ length: drawn }, (_, i) => (
        <path
          key={i}
          fill="var(--seat-5)"
          stroke="var(--ink)"
          d="M2 16V6q0-6 3-6t3 6v10z"
          transform={`translate(${i * 11} 0)`}
        />
      ))}
      <text className="small" x={n === 0 ? 0 : drawn * 11 + 6} y="12" textAnchor={n === 0 ? 'middle' : 'start'}>
        {n === 0 ? 'no rounds' : n > 10 ? `${n} rounds` : ''}
      </text>
    </g>
  )
}

interface ShotProps extends Pick<DuellistProps, 'move' | 'beat'> {
  readonly from: number
  readonly to: number
}

/** What a shot looks like on its way. */
function Shot({ move, from, to, beat }: ShotProps) {
  const fired = move === '1' || move === '2'
  const ref = useStep<SVGGElement>(
    beat,
    fired
      ? [
          { transform: `translate(${from}px, 0px)`, opacity: 1 },
          { transform: `translate(${to}px, 0px)`, opacity: 1, offset: 0.95 },
          { transform: `translate(${to}px, 0px)`, opacity: 0 },
        ]
      : undefined,
    [0.1, 0.7],
  )
  if (!fired) return null
  const back = to < from
  return (
    <>
      <path {...(move === '2' ? PLASMA : BULLET)} d={`M${from} ${GROUND - 130}H${to}`} />
      <g ref={ref} style={{ opacity: 0 }}>
        {move === '2' ? (
          <circle fill="var(--seat-3)" stroke="var(--surface)" strokeWidth="3" cy={GROUND - 130} r="11" />
        ) : (
          <path
            fill="var(--ink)"
            d={back ? `M-10 ${GROUND - 130}l8-4h14v8h-14z` : `M10 ${GROUND - 130}l-8-4h-14v8h14z`}
          />
        )}
      </g>
    </>
  )
}

const word = (action: string): string => actions[action as Action] ?? action

export default viewer<Scene, State, View>({
  game: 'gunduel',
  scene,
  seen,
  Board,
  tallies: [{ name: 'rounds', of: ({ ammo }, seat) => ammo[seat] ?? null }],
  events: (_before, moves, after) => [
    ...moves.flatMap((move, seat) => (move === '2' ? [{ kind: 'other', seat, text: 'fires plasma' } as const] : [])),
    ...(after.end?.lost ?? []).flatMap((lost, seat) =>
      lost ? [{ kind: 'death', seat, text: `falls: ${after.end?.reason}` } as const] : [],
    ),
  ],
})
