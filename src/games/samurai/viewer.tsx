import { type Move, lookUp } from '../../core/index.js'
import {
  type Beat,
  type BoardProps,
  Bubble,
  type KeyEvent,
  Lanes,
  Meter,
  NARROW_BOARD,
  NameTag,
  type SeatInfo,
  Stage,
  labelOf,
  seatColour,
  useStep,
  viewer,
} from '../viewer-kit/index.js'
import { actions } from './text.js'
import type { Samurai, State, View } from './rules.js'

/** What is drawn of a fight: everything in it is open. */
interface Scene {
  readonly samurai: readonly Samurai[]
  /** Honour that grants the Sword of the Gods. */
  readonly sword: number
  /** Health at the start. */
  readonly health: number
}

/** Health at the start where a view does not tell it. */
const HEALTH = 20

function seen(view: View, seat: number): Scene {
  const own = { history: view.history, health: view.health, honour: view.honour }
  const enemy = { history: view.enemyHistory, health: view.enemyHealth, honour: view.enemyHonour }
  return { samurai: seat === 0 ? [own, enemy] : [enemy, own], sword: view.sword, health: HEALTH }
}

/** Scenery and figures are drawn so wide, with the ground there. */
const DRAWN = 800
const GROUND = 330
/** From the middle of the drawing to a figure. */
const APART = 150

/** Places to the right and down. Words are as large on every board; the drawing is not. */
const WIDE = {
  drawing: { width: DRAWN, height: 390, scale: 1, ground: GROUND },
  words: { health: 42, honour: 88, sword: 120, said: 132, edge: 30, bar: 200, letters: 22 },
}
const NARROW: Layout = {
  drawing: { width: NARROW_BOARD, height: 330, scale: 0.6, ground: 270 },
  words: { health: 30, honour: 70, sword: 100, said: 128, edge: 14, bar: 150, letters: 11 },
}
type Layout = typeof WIDE

function Board({ scene, before, moves, seats, order, beat, narrow }: BoardProps<Scene>) {
  const layout = narrow ? NARROW : WIDE
  const { width, height, scale, ground } = layout.drawing
  const about = (seat: number): string => `health ${scene.samurai[seat]?.health}, honour ${scene.samurai[seat]?.honour}`
  const fighters = order.flatMap((seat, side) => {
    const [one, info] = [scene.samurai[seat], seats[seat]]
    return one && info ? [{ one, info, move: moves[seat], mirrored: side === 1 }] : []
  })
  return (
    <>
      <Stage size={layout.drawing} tall={narrow} className="sky" label={labelOf({ seats, moves }, word, about)}>
        <g transform={`translate(${(width - DRAWN * scale) / 2} ${ground - GROUND * scale}) scale(${scale})`}>
          <circle fill="var(--disc)" cx={DRAWN / 2} cy="190" r="104" />
          <path fill="var(--ridge)" d={`M0 ${GROUND}q120-70 210-40 70-60 150-30 90-90 190 0 110-40 250 70v60H0z`} />
          <rect fill="var(--land)" y={GROUND} width={DRAWN} height={(height - ground) / scale} />
          {fighters.map(({ one, info: { seat }, move, mirrored }) => (
            <Fighter
              key={seat}
              seat={seat}
              mirrored={mirrored}
              action={typeof move === 'string' ? move : 'W'}
              fallen={one.health <= 0 || one.honour < 0}
              sword={one.honour >= scene.sword}
              hit={one.health < (before?.samurai[seat]?.health ?? one.health)}
              beat={beat}
            />
          ))}
        </g>
        {fighters.map((fighter) => (
          <Side key={fighter.info.seat} {...fighter} scene={scene} layout={layout} />
        ))}
      </Stage>
      <Lanes
        order={order}
        history={(seat) => scene.samurai[seat]?.history ?? ''}
        kind={(sign) => ('IPO'.includes(sign) ? 'strike' : sign === 'B' ? 'gain' : sign === 'G' ? 'ward' : 'idle')}
      />
    </>
  )
}

interface SideProps {
  readonly one: Samurai
  readonly move: Move<string> | null | undefined
  readonly info: SeatInfo
  readonly scene: Scene
  /** On the right. */
  readonly mirrored: boolean
  readonly layout: Layout
}

/** One half's words: who fights, what it has and does. */
function Side({ one, move, info, scene, mirrored, layout }: SideProps) {
  const { width, scale, ground } = layout.drawing
  const { health, honour, sword, said, bar, letters } = layout.words
  const x = width / 2 + (mirrored ? 1 : -1) * APART * scale
  const edge = mirrored ? width - layout.words.edge - bar : layout.words.edge
  const meter = { x: edge, width: bar, seat: info.seat, mirrored }
  return (
    <g>
      <NameTag seat={info} x={x} y={ground + 34} most={letters} />
      <Meter {...meter} y={health} value={one.health} most={scene.health} label="health" />
      <Meter {...meter} y={honour} value={one.honour} most={scene.sword} label="honour" />
      {one.honour >= scene.sword && (
        <text className="small" x={mirrored ? edge + bar : edge} y={sword} textAnchor={mirrored ? 'end' : 'start'}>
          Sword of the Gods
        </text>
      )}
      <Bubble x={x} y={said} move={move} word={word} quiet={['W']} />
    </g>
  )
}

/** Degrees of the body's lean and the sword; and how far it steps forward. */
const POSES: Readonly<Record<string, { readonly lean: number; readonly arm: number; readonly step: number }>> = {
  W: { lean: 0, arm: 62, step: 0 },
  B: { lean: 44, arm: 80, step: -6 },
  G: { lean: -4, arm: -78, step: -10 },
  I: { lean: 14, arm: 2, step: 58 },
  P: { lean: 6, arm: -42, step: 40 },
  O: { lean: 10, arm: -118, step: 48 },
}

interface FighterProps {
  readonly seat: number
  readonly mirrored: boolean
  readonly action: string
  readonly fallen: boolean
  readonly sword: boolean
  readonly hit: boolean
  readonly beat: Beat
}

/** How who has fallen lies: above the name. */
const LYING = 'translate(0px, -34px) rotate(-82deg)'

function Fighter({ seat, mirrored, action, fallen, sword, hit, beat }: FighterProps) {
  const pose = lookUp(POSES, action) ?? { lean: 0, arm: 62, step: 0 }
  const step = useStep<SVGGElement>(
    beat,
    [{ transform: 'translate(0px, 0px)' }, { transform: `translate(${pose.step}px, 0px)` }],
    [0, 0.35],
  )
  const lean = useStep<SVGGElement>(
    beat,
    [{ transform: 'rotate(0deg)' }, { transform: `rotate(${pose.lean}deg)` }],
    [0, 0.4],
  )
  const arm = useStep<SVGGElement>(
    beat,
    action === 'O'
      ? [
          { transform: 'rotate(62deg)' },
          { transform: 'rotate(-118deg)', offset: 0.5 },
          { transform: 'rotate(24deg)', offset: 0.8 },
          { transform: 'rotate(-118deg)' },
        ]
      : [{ transform: 'rotate(62deg)' }, { transform: `rotate(${pose.arm}deg)` }],
    [0, 0.8],
  )
  const fall = useStep<SVGGElement>(
    beat,
    fallen ? [{ transform: 'translate(0px, 0px) rotate(0deg)' }, { transform: LYING }] : undefined,
    [0.55, 1],
  )
  const flash = useStep<SVGPathElement>(
    beat,
    hit ? [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 0.85 }] : undefined,
    [0.4, 1],
  )
  return (
    <g transform={`translate(${DRAWN / 2 + (mirrored ? 1 : -1) * APART} ${GROUND}) scale(${mirrored ? -1 : 1} 1)`}>
      <g ref={step} style={{ transform: `translate(${pose.step}px, 0px)` }}>
        <g ref={fall} style={fallen ? { transform: LYING } : undefined}>
          <path fill="var(--ink)" d="M-16-84h32l20 84H6L0-40-6 0h-30z" />
          <g ref={lean} style={{ transform: `rotate(${pose.lean}deg)`, transformOrigin: '0 -84px' }}>
            <path d="M-22-146q22-12 44 0l-4 66q-18 6-36 0z" fill={seatColour(seat)} />
            <path fill="var(--surface)" opacity="0.85" d="M-19-92q18 8 37 0v10q-18 8-36 0z" />
            <circle fill="var(--skin)" cx="1" cy="-164" r="14" />
            <path fill="var(--ink)" d="M-14-168q2-15 16-15 12 0 14 12-14-6-30 3zM-4-183q2-10 8-8 3 6-2 10z" />
            <g ref={arm} style={{ transform: `rotate(${pose.arm}deg)`, transformOrigin: '4px -130px' }}>
              <path className="line" stroke="var(--skin)" strokeWidth="10" d="M4-130H42" />
              <path
                className="line"
                stroke={sword ? 'var(--seat-5)' : 'var(--metal)'}
                strokeWidth={sword ? 6 : 4}
                d="M38-134v8M38-130h92q8 0 12-5"
              />
            </g>
          </g>
        </g>
      </g>
      {hit && (
        <path
          ref={flash}
          fill="var(--seat-5)"
          stroke="var(--ink)"
          opacity="0.85"
          d="M12-128l6-22 8 20 20-8-12 18 18 10-22 2 2 22-14-16-16 14 4-20-20-6z"
        />
      )}
    </g>
  )
}

const word = (action: string): string => actions[action] ?? action

export default viewer<Scene, State, View>({
  game: 'samurai',
  scene: ({ samurai, options }) => ({ samurai, sword: options.sword, health: options.health }),
  seen,
  Board,
  tallies: [
    { name: 'health', of: ({ samurai }, seat) => samurai[seat]?.health ?? null },
    { name: 'honour', of: ({ samurai }, seat) => samurai[seat]?.honour ?? null },
  ],
  events: (before, _moves, after) =>
    after.samurai.flatMap((one, seat): readonly KeyEvent[] => {
      const was = before.samurai[seat === 0 ? 0 : 1]
      const { sword } = after.options
      if (one.health <= 0 || one.honour < 0)
        return [{ kind: 'death', seat, text: one.honour < 0 ? 'is struck down by the gods' : 'is killed' }]
      if (one.honour >= sword && was.honour < sword)
        return [{ kind: 'other', seat, text: 'takes the Sword of the Gods' }]
      return one.health < was.health ? [{ kind: 'hit', seat, text: `loses ${was.health - one.health} health` }] : []
    }),
})
