import { isFault, lookUp, type Move } from '../../core/index.js'
import { type Beat, type BoardProps, Bubble, NameTag, Stage, useStep, viewer } from '../../viewer-kit/index.js'
import { CLAIMS, NAMES, cardsOf } from './cards.js'
import type { Card, Claim } from './cards.js'
import { lastLine } from './line.js'
import type { State } from './rules.js'
import { actions } from './text.js'
import type { View } from './view.js'

/** What is drawn of a table; '?' is a card that this reader may not see. */
interface Scene {
  readonly hands: readonly string[]
  readonly lost: readonly string[]
  readonly coins: readonly number[]
  /** On offer in an exchange. */
  readonly drawn: string
  readonly deck: number | undefined
  readonly file: string
  readonly calls: number
}

function seen(view: View, seat: number): Scene {
  const pair = <T,>(own: T, other: T): readonly T[] => (seat === 0 ? [own, other] : [other, own])
  return {
    hands: pair(view.cards, '?'.repeat(view.theirCards)),
    lost: pair(view.lost, view.theirLost),
    coins: pair(view.coins, view.theirCoins),
    drawn: view.drawn,
    deck: undefined,
    file: view.file,
    calls: view.turn,
  }
}

const WIDTH = 800
const HEIGHT = 400

function Board({ scene, before, moves, seats, order, beat }: BoardProps<Scene>) {
  return (
    <Stage
      width={WIDTH}
      height={HEIGHT}
      className="coup"
      label={labelOf(
        scene,
        moves,
        seats.map(({ name }) => name),
      )}
    >
      <rect className="felt" x="8" y="8" width={WIDTH - 16} height={HEIGHT - 16} rx="28" />
      {order.map((seat, side) => {
        const x = side === 0 ? 205 : WIDTH - 205
        const info = seats[seat]
        const move = moves[seat] ?? null
        return (
          <g key={seat}>
            {info && <NameTag seat={info} x={x} y={48} />}
            <Coins x={x} n={scene.coins[seat] ?? 0} was={before?.coins[seat]} />
            <Hand
              x={x}
              cards={scene.hands[seat] ?? ''}
              lost={scene.lost[seat] ?? ''}
              was={before?.lost[seat] ?? ''}
              beat={beat}
            />
            {move !== null && (
              <Bubble
                x={x}
                y={334}
                text={isFault(move) ? move.fault : inWords(move)}
                kind={isFault(move) ? 'fault' : move === 'p' || move === 'end' ? 'quiet' : 'act'}
              />
            )}
          </g>
        )
      })}
      <Middle scene={scene} />
    </Stage>
  )
}

/** The signs of a turn as what they mean. */
const turnInWords = (line: string): string => [...line].map((sign) => lookUp(actions, sign) ?? sign).join(', ')

/** Between the two: the deck, what is on offer, and the turn so far. */
function Middle({ scene }: { readonly scene: Scene }) {
  return (
    <g transform={`translate(${WIDTH / 2} 0)`}>
      <g transform="translate(-32 108)">
        {[8, 4, 0].map((shift) => (
          <rect key={shift} className="back" x={shift} y={-shift} width="64" height="92" rx="8" />
        ))}
      </g>
      <text className="small" y="222" textAnchor="middle">
        {scene.deck === undefined ? 'the court deck' : `${scene.deck} in the deck`}
      </text>
      {scene.drawn !== '' &&
        ['on offer:', ...cardsOf(scene.drawn).map((card) => NAMES[card])].map((line, i) => (
          <text key={i} className="small" y={248 + 17 * i} textAnchor="middle">
            {line}
          </text>
        ))}
      <text className="small" y="372" textAnchor="middle">
        {lastLine(scene.file) === '' ? 'a turn begins' : `this turn: ${turnInWords(lastLine(scene.file))}`}
      </text>
    </g>
  )
}

/** A hand, open or face down, and beside it what was given up. */
function Hand({
  x,
  cards,
  lost,
  was,
  beat,
}: {
  readonly x: number
  readonly cards: string
  readonly lost: string
  readonly was: string
  readonly beat: Beat
}) {
  const all = [...[...cards].map((card) => ({ card, gone: false })), ...[...lost].map((card) => ({ card, gone: true }))]
  const width = 104
  return (
    <g transform={`translate(${x - (all.length * width) / 2} 156)`}>
      {all.map(({ card, gone }, i) => (
        <CardFace
          key={`${card}${i}`}
          x={i * width + 6}
          card={card}
          gone={gone}
          fresh={gone && i >= cards.length + was.length}
          beat={beat}
        />
      ))}
    </g>
  )
}

function CardFace({
  x,
  card,
  gone,
  fresh,
  beat,
}: {
  readonly x: number
  readonly card: string
  readonly gone: boolean
  readonly fresh: boolean
  readonly beat: Beat
}) {
  const ref = useStep<SVGGElement>(
    beat,
    fresh ? [{ transform: 'scaleX(0.05)' }, { transform: 'scaleX(1)' }] : undefined,
    [0.2, 0.8],
  )
  const name = NAMES[card as Card]
  return (
    <g transform={`translate(${x} 0)`}>
      <g ref={ref} className={gone ? 'card gone' : 'card'}>
        <rect className={name ? `face ${name.toLowerCase()}` : 'back'} width="92" height="128" rx="10" />
        {name ? (
          <>
            <path className="sigil" d={SIGILS[card as Card]} transform="translate(46 52)" />
            <text
              className="card-name"
              x="46"
              y="108"
              textAnchor="middle"
              {...(name.length > 8 && { textLength: 76, lengthAdjust: 'spacingAndGlyphs' })}
            >
              {name}
            </text>
          </>
        ) : (
          <path className="weave" d="M16 20l60 88M76 20l-60 88M46 14v100M12 64h68" />
        )}
        {gone && <path className="strike" d="M8 120 84 8" />}
      </g>
    </g>
  )
}

/** One drawing a character, around its middle. */
const SIGILS: Readonly<Record<Card, string>> = {
  '~': 'M-22-16h44v26H2l-12 14V10h-12z',
  '^': 'M0-30 7 8h-14zM-16 8h32v6h-12v16h-8V14h-12z',
  '*': 'M0-28a6 6 0 0 1 4 11v5h12v7H4V18q14-2 18-14l6 10Q18 28 0 28T-28 14l6-10q4 12 18 14V-5h-12v-7h12v-5a6 6 0 0 1 4-11z',
  '!': 'M0-26q14 0 14 16 12 6 12 36h-52q0-30 12-36 0-16 14-16z',
  $: 'M-28 20V-12l14 14L0-22 14 2l14-14v32z',
}

/** Coins as a row of discs, and what came or went. */
function Coins({ x, n, was }: { readonly x: number; readonly n: number; readonly was: number | undefined }) {
  const change = was === undefined ? 0 : n - was
  const drawn = Math.min(n, 12)
  return (
    <g transform={`translate(${x} 92)`}>
      {Array.from({ length: drawn }, (_, i) => (
        <circle key={i} className="coin" cx={(i - (drawn - 1) / 2) * 17} cy="0" r="9" />
      ))}
      <text className="small" y="32" textAnchor="middle">
        {n === 1 ? '1 coin' : `${n} coins`}
        {change !== 0 && <tspan className="strong"> {change > 0 ? `+${change}` : `−${-change}`}</tspan>}
      </text>
    </g>
  )
}

const word = (action: string): string => actions[action] ?? action

/** A claim names the character that it claims. */
function inWords(action: string): string {
  const card = CLAIMS[action as Claim]
  return card === undefined || 'dacs'.includes(action) ? word(action) : `${word(action)} as the ${NAMES[card]}`
}

function labelOf(scene: Scene, moves: readonly (Move<string> | null)[], names: readonly string[]): string {
  return names
    .map((name, seat) => {
      const move = moves[seat] ?? null
      const did = move === null ? 'was not asked' : isFault(move) ? move.fault : inWords(move)
      const cards = [...(scene.hands[seat] ?? '')].map((card) => NAMES[card as Card] ?? 'a hidden card')
      const coins = scene.coins[seat] === 1 ? '1 coin' : `${scene.coins[seat]} coins`
      return `${name}: ${did}, ${coins}, ${cards.join(' and ') || 'no cards'}`
    })
    .join('; ')
}

export default viewer<Scene, State, View>({
  game: 'coup',
  scene: ({ hands, lost, coins, drawn, deck, file, turn }) => ({
    hands,
    lost,
    coins,
    drawn,
    deck: deck.length,
    file,
    calls: turn,
  }),
  seen,
  Board,
  open: (_before, action) => (action.startsWith('keep ') ? null : action),
  tallies: [
    { name: 'coins', of: ({ coins }, seat) => coins[seat] ?? null },
    { name: 'cards', of: ({ hands }, seat) => hands[seat]?.length ?? null },
  ],
  events: (before, moves, after) =>
    moves.flatMap((move, seat) => {
      if (typeof move !== 'string') return []
      const hand = before.hands[seat === 0 ? 0 : 1]
      const claimed = CLAIMS[move as Claim]
      const gone = after.lost[seat === 0 ? 0 : 1].slice(before.lost[seat === 0 ? 0 : 1].length)
      return [
        ...(claimed !== undefined && !hand.includes(claimed)
          ? [{ kind: 'bluff', seat, text: `bluffs: ${inWords(move)}` } as const]
          : []),
        ...(move === 'q' ? [{ kind: 'other', seat, text: 'challenges' } as const] : []),
        ...(gone === ''
          ? []
          : [
              {
                kind: 'death',
                seat,
                text: `loses the ${cardsOf(gone)
                  .map((card) => NAMES[card])
                  .join(' and ')}`,
              } as const,
            ]),
      ]
    }),
})
