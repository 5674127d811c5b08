import { lookUp } from '../../core/index.js'
import {
  type Beat,
  type BoardProps,
  Bubble,
  NARROW_BOARD,
  NameTag,
  Stage,
  labelOf,
  linesOf,
  useStep,
  viewer,
} from '../viewer-kit/index.js'
import { CLAIMS, NAMES, cardsOf } from './cards.js'
import type { Card, Claim } from './cards.js'
import { lastLine } from './line.js'
import type { State } from './rules.js'
import { actions, coinsText } from './text.js'
import type { View } from './view.js'

/** What is drawn of a table; '?': a card this reader may not see. */
interface Scene {
  readonly hands: readonly string[]
  readonly lost: readonly string[]
  readonly coins: readonly number[]
  /** On offer in an exchange. */
  readonly drawn: string
  /** Cards that are left; absent: this reader may not know. */
  readonly deck?: number
  readonly file: string
}

/** What of it a seat may know. */
function seen(view: View, seat: number): Scene {
  const pair = <T,>(own: T, other: T): readonly T[] => (seat === 0 ? [own, other] : [other, own])
  return {
    hands: pair(view.cards, '?'.repeat(view.theirCards)),
    lost: pair(view.lost, view.theirLost),
    coins: pair(view.coins, view.theirCoins),
    drawn: view.drawn,
    file: view.file,
  }
}

const sceneOf = (state: State): Scene => ({ ...state, deck: state.deck.length })

/** The signs of a turn as what they mean. */
const turnInWords = (line: string): string =>
  line === '' ? 'a turn begins' : `this turn: ${[...line].map((sign) => lookUp(actions, sign) ?? sign).join(', ')}`

const deckInWords = (deck?: number): string => (deck === undefined ? 'the court deck' : `${deck} in the deck`)

const word = (action: string): string => actions[action] ?? action

/** A claim names the character that it claims. */
function inWords(action: string): string {
  const card = CLAIMS[action as Claim]
  return card === undefined || 'dacs'.includes(action) ? word(action) : `${word(action)} as the ${NAMES[card]}`
}

function holdings({ hands, coins }: Scene, seat: number): string {
  const cards = [...(hands[seat] ?? '')].map((card) => NAMES[card as Card] ?? 'a hidden card')
  return `${coinsText(coins[seat])}, ${cards.join(' and ') || 'no cards'}`
}

/** The sigils' colours; shapes tell characters apart. */
const COLOURS: Readonly<Record<Card, string>> = {
  '~': 'var(--seat-2)',
  '^': 'var(--quiet)',
  '*': 'var(--seat-0)',
  '!': 'var(--seat-1)',
  $: 'var(--seat-3)',
}
/** One drawing a character, around its middle. */
const SIGILS: Readonly<Record<Card, string>> = {
  '~': 'M-22-16h44v26H2l-12 14V10h-12z',
  '^': 'M0-30 7 8h-14zM-16 8h32v6h-12v16h-8V14h-12z',
  '*': 'M0-28a6 6 0 0 1 4 11v5h12v7H4V18q14-2 18-14l6 10Q18 28 0 28T-28 14l6-10q4 12 18 14V-5h-12v-7h12v-5a6 6 0 0 1 4-11z',
  '!': 'M0-26q14 0 14 16 12 6 12 36h-52q0-30 12-36 0-16 14-16z',
  $: 'M-28 20V-12l14 14L0-22 14 2l14-14v32z',
}

/** Where a seat's things stand, to the right and down. */
interface Spots {
  readonly name: readonly [number, number]
  readonly coins: readonly [number, number]
  readonly hand: readonly [number, number]
  readonly said: readonly [number, number]
}
const beside = (x: number): Spots => ({ name: [x, 48], coins: [x, 92], hand: [x, 156], said: [x, 334] })
const below = (y: number): Spots => ({
  name: [22, y + 40],
  coins: [288, y + 92],
  hand: [120, y + 54],
  said: [NARROW_BOARD / 2, y + 204],
})
/** Both beside each other and what they share between, or all in a column. */
const WIDE = { width: 800, height: 400, spots: [beside(205), beside(595)] }
const NARROW = { width: NARROW_BOARD, height: 526, spots: [below(0), below(208)] }
/** Where what both share begins in the column, and letters of a line. */
const SHARED = 452
const LETTERS = 46

function Board({ scene, before, moves, seats, order, beat, narrow }: BoardProps<Scene>) {
  const layout = narrow ? NARROW : WIDE
  const { width, height, spots } = layout
  const about = (seat: number): string => holdings(scene, seat)
  return (
    <Stage size={layout} tall={narrow} label={labelOf({ seats, moves }, inWords, about, 'was not asked')}>
      <rect className="felt" x="8" y="8" width={width - 16} height={height - 16} rx="28" />
      {order.map((seat, side) => {
        const at = spots[side] ?? beside(0)
        return (
          <g key={seat}>
            <NameTag seat={seats[seat]} x={at.name[0]} y={at.name[1]} anchor={narrow ? 'start' : 'middle'} />
            <Coins at={at.coins} row={narrow ? 6 : 12} n={scene.coins[seat] ?? 0} was={before?.coins[seat]} />
            <Hand
              at={at.hand}
              cards={scene.hands[seat] ?? ''}
              lost={scene.lost[seat] ?? ''}
              was={before?.lost[seat] ?? ''}
              beat={beat}
            />
            <Bubble x={at.said[0]} y={at.said[1]} move={moves[seat]} word={inWords} quiet={['p', 'end']} />
          </g>
        )
      })}
      {narrow ? <Shared scene={scene} /> : <Middle scene={scene} />}
    </Stage>
  )
}

/** What both share, in lines below them. */
function Shared({ scene: { deck, drawn, file } }: { readonly scene: Scene }) {
  const offer = drawn === '' ? '' : `, on offer: ${namesOf(drawn).join(', ')}`
  const lines = [deckInWords(deck) + offer, turnInWords(lastLine(file))].flatMap((text) => linesOf(text, LETTERS))
  return lines.map((line, i) => (
    <text key={i} className="small" x={NARROW_BOARD / 2} y={SHARED + 18 * i} textAnchor="middle">
      {line}
    </text>
  ))
}

const namesOf = (cards: string): readonly string[] => cardsOf(cards).map((card) => NAMES[card])

/** Between the two: deck, offer, and the turn so far. */
function Middle({ scene }: { readonly scene: Scene }) {
  return (
    <g transform={`translate(${WIDE.width / 2} 0)`}>
      <g transform="translate(-32 108)">
        {[8, 4, 0].map((shift) => (
          <rect key={shift} className="back" x={shift} y={-shift} width="64" height="92" rx="8" />
        ))}
      </g>
      <text className="small" y="222" textAnchor="middle">
        {deckInWords(scene.deck)}
      </text>
      {scene.drawn !== '' &&
        ['on offer:', ...namesOf(scene.drawn)].map((line, i) => (
          <text key={i} className="small" y={248 + 17 * i} textAnchor="middle">
            {line}
          </text>
        ))}
      <text className="small" y="372" textAnchor="middle">
        {turnInWords(lastLine(scene.file))}
      </text>
    </g>
  )
}

interface HandProps {
  readonly at: readonly [number, number]
  readonly cards: string
  readonly lost: string
  /** What was given up before this step. */
  readonly was: string
  readonly beat: Beat
}

/** A hand, open or face down, and beside it what was given up. */
function Hand({ at, cards, lost, was, beat }: HandProps) {
  const all = [...[...cards].map((card) => ({ card, gone: false })), ...[...lost].map((card) => ({ card, gone: true }))]
  const width = 104
  return (
    <g transform={`translate(${at[0] - (all.length * width) / 2} ${at[1]})`}>
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

interface CardProps extends Pick<HandProps, 'beat'> {
  readonly x: number
  readonly card: string
  readonly gone: boolean
  readonly fresh: boolean
}

function CardFace({ x, card, gone, fresh, beat }: CardProps) {
  const ref = useStep<SVGGElement>(
    beat,
    fresh ? [{ transform: 'scaleX(0.05)' }, { transform: 'scaleX(1)' }] : undefined,
    [0.2, 0.8],
  )
  const name = NAMES[card as Card]
  return (
    <g transform={`translate(${x} 0)`}>
      <g ref={ref} opacity={gone ? 0.5 : 1} style={{ transformOrigin: '46px 64px' }}>
        <rect className={name ? 'face' : 'back'} width="92" height="128" rx="10" />
        {name ? (
          <>
            <path fill={COLOURS[card as Card]} d={SIGILS[card as Card]} transform="translate(46 52)" />
            <text
              className="strong"
              style={{ fontSize: 12.5 }}
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
        {gone && <path className="line" stroke="var(--fault)" strokeWidth="5" d="M8 120 84 8" />}
      </g>
    </g>
  )
}

interface CoinsProps {
  readonly at: readonly [number, number]
  /** So many beside each other. */
  readonly row: number
  readonly n: number
  readonly was: number | undefined
}

/** Coins as rows of discs, and what came or went. */
function Coins({ at, row, n, was }: CoinsProps) {
  const change = was === undefined ? 0 : n - was
  const drawn = Math.min(n, 12)
  return (
    <g transform={`translate(${at[0]} ${at[1]})`}>
      {Array.from({ length: drawn }, (_, i) => (
        <circle
          key={i}
          className="coin"
          cx={((i % row) - (Math.min(drawn, row) - 1) / 2) * 17}
          cy={Math.floor(i / row) * 20}
          r="9"
        />
      ))}
      <text className="small" y={32 + 20 * Math.max(0, Math.ceil(drawn / row) - 1)} textAnchor="middle">
        {coinsText(n)}
        {change !== 0 && <tspan className="strong"> {change > 0 ? `+${change}` : `−${-change}`}</tspan>}
      </text>
    </g>
  )
}

export default viewer<Scene, State, View>({
  game: 'coup',
  scene: sceneOf,
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
        ...(gone === '' ? [] : [{ kind: 'death', seat, text: `loses the ${namesOf(gone).join(' and ')}` } as const]),
      ]
    }),
})
