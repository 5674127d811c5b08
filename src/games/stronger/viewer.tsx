import { isFault, type Move } from '../../core/index.js'
import {
  type Beat,
  type BoardProps,
  NARROW_BOARD,
  type SeatInfo,
  Stage,
  labelOf,
  markShape,
  seatColour,
  shortened,
  useStep,
  viewer,
} from '../viewer-kit/index.js'
import { type Spot, layoutOf } from './layout.js'
import type { Contender, State, View } from './rules.js'

/** What is drawn of a fight: everything in it is open. */
interface Scene {
  /** By seat. */
  readonly bots: readonly Contender[]
  /** Life at the start, or the most that anyone has. */
  readonly life: number
}

const scene = (bots: readonly Contender[], life: number): Scene => ({
  bots: [...bots].sort((a, b) => a.seat - b.seat),
  life,
})

function Board({ scene: now, before, moves, seats, order, beat, narrow }: BoardProps<Scene>) {
  const layout = layoutOf(order.length, narrow ? NARROW_BOARD : undefined)
  const { size } = layout
  const spots = new Map(order.flatMap((seat, place) => (layout.spots[place] ? [[seat, layout.spots[place]]] : [])))
  const names = seats.map(({ name }) => name)
  const about = (seat: number): string => {
    const bot = now.bots[seat]
    return bot && bot.life > 0 ? `life ${bot.life}, power ${bot.power}` : 'dead'
  }
  const label = labelOf({ seats, moves }, (action) => word(action, names), about, 'no move')
  return (
    <Stage size={layout} tall={narrow} className="haloed" label={label}>
      {layout.ring && <ellipse fill="var(--sky)" {...layout.ring} />}
      {order.map((seat) => {
        const move = moves[seat]
        const from = spots.get(seat)
        const target = typeof move === 'string' && move !== 'D' ? spots.get(Number(move)) : undefined
        return from && target ? <Blow key={seat} seat={seat} from={from} to={target} size={size} beat={beat} /> : null
      })}
      {order.map((seat) => {
        const at = spots.get(seat)
        const bot = now.bots[seat]
        const info = seats[seat]
        if (!at || !bot || !info) return null
        const lost = Math.max(0, (before?.bots[seat]?.life ?? bot.life) - bot.life)
        return (
          <Fighter
            key={seat}
            info={info}
            bot={bot}
            at={at}
            size={size}
            move={moves[seat]}
            life={now.life}
            lost={lost}
            letters={layout.letters}
          />
        )
      })}
    </Stage>
  )
}

interface FighterProps {
  readonly info: SeatInfo
  readonly bot: Contender
  readonly at: Spot
  readonly size: number
  readonly move: Move<string> | null | undefined
  readonly life: number
  readonly lost: number
  readonly letters: number
}

function Fighter({ info, bot, at, size, move, life, lost, letters }: FighterProps) {
  const dead = bot.life <= 0
  const ring = 2 * Math.PI * size
  const full = Math.max(0, Math.min(1, bot.life / Math.max(1, life)))
  return (
    <g transform={`translate(${at.x} ${at.y})`} opacity={dead ? 0.5 : 1}>
      <title>{`${info.name}: ${standing(bot, lost)}`}</title>
      {at.aside && letters > 0 && (
        <path className="line" stroke="var(--line)" strokeWidth="1.5" d={leaderOf(at, at.aside, size)} />
      )}
      <circle fill="var(--surface)" stroke="var(--line)" strokeWidth="6" r={size} />
      {!dead && (
        <circle
          fill="none"
          strokeWidth="6"
          r={size}
          style={{ stroke: seatColour(info.seat) }}
          strokeDasharray={`${full * ring} ${ring}`}
          transform="rotate(-90)"
        />
      )}
      <g transform={`scale(${size / 16}) translate(-8 -8)`}>{markShape(info.seat)}</g>
      {dead && (
        <path
          className="line"
          stroke="var(--ink)"
          strokeWidth="3.5"
          d={`M${-size * 0.6} ${-size * 0.6}L${size * 0.6} ${size * 0.6}M${-size * 0.6} ${size * 0.6}L${size * 0.6} ${-size * 0.6}`}
        />
      )}
      {move === 'D' && (
        <circle
          fill="none"
          stroke="var(--ink)"
          strokeWidth="2.5"
          strokeDasharray="5 4"
          r={size + Math.min(7, size / 3)}
        />
      )}
      {isFault(move) && (
        <text className="fault" y={-size - 8} textAnchor="middle">
          {letters > 0 && !at.aside ? `! ${move.fault}` : '!'}
        </text>
      )}
      {letters > 0 && (
        <Words
          info={info}
          bot={bot}
          lost={lost}
          letters={letters}
          x={at.aside ? at.aside.x - at.x : 0}
          y={at.aside ? at.aside.y - at.y - 3 : at.above ? -size - 26 : size + 24}
          anchor={at.aside?.anchor ?? 'middle'}
        />
      )}
    </g>
  )
}

/** From a bot's edge to the words at the side; from its middle. */
function leaderOf({ x, y }: Spot, aside: NonNullable<Spot['aside']>, size: number): string {
  const [dx, dy] = [aside.x + (aside.anchor === 'end' ? 6 : -6) - x, aside.y - y]
  const length = Math.hypot(dx, dy)
  return `M${(dx / length) * (size + 3)} ${(dy / length) * (size + 3)}L${dx} ${dy}`
}

const standing = ({ life, power }: Contender, lost: number): string =>
  life <= 0 ? 'dead' : `life ${life}${lost > 0 ? ` (−${lost})` : ''} · power ${power}`

interface WordsProps extends Pick<FighterProps, 'info' | 'bot' | 'lost' | 'letters'> {
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
}

/** A bot's name, and below it what it has. */
function Words({ info: { name }, bot, lost, letters, x, y, anchor }: WordsProps) {
  return (
    <>
      <text className="name" textAnchor={anchor} x={x} y={y}>
        {shortened(name, letters)}
      </text>
      <text className="small" textAnchor={anchor} x={x} y={y + 15}>
        {standing(bot, lost)}
      </text>
    </>
  )
}

interface BlowProps {
  readonly seat: number
  readonly from: Spot
  readonly to: Spot
  readonly size: number
  readonly beat: Beat
}

/** An attack, from its bot to the struck one's edge. */
function Blow({ seat, from, to, size, beat }: BlowProps) {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const ref = useStep<SVGPathElement>(beat, [{ strokeDashoffset: length }, { strokeDashoffset: 0 }], [0, 0.7])
  if (length < 1)
    return (
      <circle
        fill="none"
        strokeWidth="3"
        cx={from.x}
        cy={from.y + (from.above ? 1 : -1) * (size + size / 2 + 2)}
        r={size / 2}
        style={{ stroke: seatColour(seat) }}
      />
    )
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length]
  const end = { x: to.x - dx * (size + 6), y: to.y - dy * (size + 6) }
  const bend = { x: (from.x + to.x) / 2 - dy * 26, y: (from.y + to.y) / 2 + dx * 26 }
  const tip = Math.atan2(end.y - bend.y, end.x - bend.x)
  return (
    <g style={{ stroke: seatColour(seat), fill: seatColour(seat) }}>
      <path
        ref={ref}
        className="line"
        strokeWidth="3"
        opacity="0.85"
        d={`M${from.x + dx * (size + 4)} ${from.y + dy * (size + 4)}Q${bend.x} ${bend.y} ${end.x} ${end.y}`}
        strokeDasharray={length * 1.2}
      />
      <path
        stroke="none"
        d="M0 0-13-6v12z"
        transform={`translate(${end.x} ${end.y}) rotate(${(tip * 180) / Math.PI})`}
      />
    </g>
  )
}

const word = (action: string, names: readonly string[]): string =>
  action === 'D' ? 'defend' : `attack ${names[Number(action)] ?? action}`

export default viewer<Scene, State, View>({
  game: 'stronger',
  scene: ({ bots, options }) => scene(bots, options.life),
  seen: ({ bots }) => scene(bots, Math.max(...bots.map(({ life }) => life))),
  Board,
  word,
  sign: (action, names) => (action === 'D' ? '–' : (names[Number(action)] ?? action).slice(0, 3)),
  tallies: [
    { name: 'life', of: ({ bots }, seat) => Math.max(0, bots[seat]?.life ?? 0) },
    { name: 'power', of: ({ bots }, seat) => bots[seat]?.power ?? null },
  ],
  events: (before, _moves, after) =>
    after.bots.flatMap(({ seat, life }) => {
      const was = before.bots.find((bot) => bot.seat === seat)
      return was && was.life > 0 && life <= 0 ? [{ kind: 'death', seat, text: 'dies' } as const] : []
    }),
})
