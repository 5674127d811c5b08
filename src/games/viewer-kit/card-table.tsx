import type { ReactElement } from 'react'
import { Bubble, NameTag, Stage, labelOf, linesOf } from './parts.js'
import { type BoardProps, NARROW_BOARD } from './types.js'

/** What a game of cards and chips shows; '': a card that this reader may not see. */
export interface CardScene {
  /** By seat. */
  readonly cards: readonly string[]
  /** What each seat has in the pot. */
  readonly chips: readonly number[]
  /** On the table between them; absent: no such card. */
  readonly table?: string
  /** What was said so far. */
  readonly said: string
}

/** Where things stand on a table. */
interface Layout {
  readonly width: number
  readonly height: number
  /** From the edge to the middle of a hand. */
  readonly side: number
  /** Letters of a name, and of a line of what was said. */
  readonly letters: number
  readonly line: number
  /** Between two chips. */
  readonly chip: number
}
const WIDE: Layout = { width: 720, height: 356, side: 160, letters: 22, line: 100, chip: 17 }
const NARROW: Layout = { width: NARROW_BOARD, height: 396, side: 78, letters: 11, line: 44, chip: 10.5 }
/** Chips that are drawn one by one. */
const DRAWN = 13
/** Where what was said begins, and the distance of its lines. */
const SAID = 332
const LINE = 18

/** Two hands of a card, what both have in the pot, and what was said. */
export function CardTable({ scene, moves, seats, order, narrow }: BoardProps<CardScene>): ReactElement {
  const layout = narrow ? NARROW : WIDE
  const { width, height, side: inset, letters, line, chip } = layout
  return (
    <Stage size={layout} tall={narrow} label={label(scene, { seats, moves })}>
      <rect className="felt" x="8" y="8" width={width - 16} height={height - 16} rx="28" />
      {order.map((seat, side) => {
        const x = side === 0 ? inset : width - inset
        return (
          <g key={seat}>
            <NameTag seat={seats[seat]} x={x} y={46} most={letters} />
            <Chips x={x} y={76} apart={chip} n={scene.chips[seat] ?? 0} />
            <Face x={x} y={122} card={scene.cards[seat] ?? ''} />
            <Bubble x={x} y={284} move={moves[seat]} />
          </g>
        )
      })}
      {scene.table !== undefined && <Face x={width / 2} y={122} card={scene.table} />}
      {linesOf(scene.said, line).map((words, i) => (
        <text key={i} className="small" x={width / 2} y={SAID + LINE * i} textAnchor="middle">
          {words}
        </text>
      ))}
    </Stage>
  )
}

function Face({ x, y, card }: { readonly x: number; readonly y: number; readonly card: string }) {
  return (
    <g transform={`translate(${x - 46} ${y})`}>
      <rect className={card === '' ? 'back' : 'face'} width="92" height="128" rx="10" />
      {card === '' ? (
        <path className="weave" d="M16 20l60 88M76 20l-60 88M46 14v100M12 64h68" />
      ) : (
        <text className="strong" style={{ fontSize: 54 }} x="46" y="84" textAnchor="middle">
          {card}
        </text>
      )}
    </g>
  )
}

interface ChipsProps {
  readonly x: number
  readonly y: number
  readonly apart: number
  readonly n: number
}

function Chips({ x, y, apart, n }: ChipsProps) {
  const drawn = Math.min(n, DRAWN)
  return (
    <g transform={`translate(${x} ${y})`}>
      {Array.from({ length: drawn }, (_, i) => (
        <circle key={i} className="coin" cx={(i - (drawn - 1) / 2) * apart} cy="0" r="9" />
      ))}
      <text className="small" y="30" textAnchor="middle">
        {n === 1 ? '1 chip' : `${n} chips`}
      </text>
    </g>
  )
}

function label({ cards, chips, table, said }: CardScene, step: Pick<BoardProps<CardScene>, 'seats' | 'moves'>): string {
  const about = (seat: number): string => `holds ${cards[seat] || 'a hidden card'}, ${chips[seat]} in the pot`
  const sides = labelOf(step, (action) => action, about, 'was not asked')
  const middle = table === undefined ? [] : [table === '' ? 'no card on the table' : `${table} on the table`]
  return [sides, ...middle, said].join('; ')
}
