import { type CSSProperties, memo, useCallback, useEffect, useRef, useState } from 'react'
import { Mark, type SeatInfo } from '../../games/viewer-kit/index.js'
import { said } from '../format.js'
import { type Evaluation, type MoveMark, SIGNS, markOf } from './evaluation.js'
import { faultText } from './events.js'
import type { Shown } from './seen.js'

/** Pixels of a row, as the style sheet has it. */
const ROW = 28
/** Rows kept beyond what is in sight. */
const MARGIN = 8

interface Props {
  readonly seats: readonly SeatInfo[]
  /** By turn from 1, and seat. */
  readonly rows: readonly (readonly Shown[])[]
  readonly turn: number
  readonly word: (action: string) => string
  readonly sign: (action: string) => string
  readonly onTurn: (turn: number) => void
  /** What moves gave away, by turn and seat, where that is known. */
  readonly lost: Evaluation['lost'] | undefined
}

/** The list of moves in step with the board. Only the rows in sight exist. */
export function Moves({ seats, rows, turn, word, sign, onTurn, lost }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const height = box.current?.clientHeight || 420
  const crowd = seats.length > 4

  useEffect(() => {
    const element = box.current
    if (!element) return
    const at = (turn - 1) * ROW
    if (at < element.scrollTop + ROW || at > element.scrollTop + element.clientHeight - 3 * ROW) {
      element.scrollTop = at - element.clientHeight / 2
    }
  }, [turn])

  const latest = useRef(onTurn)
  latest.current = onTurn
  const turns = useCallback((to: number) => latest.current(to), [])
  const first = Math.max(0, Math.floor(top / ROW) - MARGIN)
  const end = Math.min(rows.length, Math.ceil((top + height) / ROW) + MARGIN)
  const columns = { '--seats': seats.length } as CSSProperties
  return (
    <section className={crowd ? 'moves crowd' : 'moves'} aria-label="moves">
      <div className="scroll" ref={box} tabIndex={-1} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
        <div className="row head" style={columns} aria-hidden="true">
          <span>Turn</span>
          {seats.map(({ seat, name }) => (
            <span key={seat} title={name}>
              <Mark seat={seat} />
              {!crowd && <span className="cut">{name}</span>}
            </span>
          ))}
        </div>
        <ol style={{ height: rows.length * ROW }}>
          {rows.slice(first, end).map((moves, i) => {
            const number = first + i + 1
            return (
              <Row
                key={number}
                number={number}
                moves={moves}
                lost={lost?.[number]}
                seats={seats}
                here={number === turn}
                reachable={number === Math.max(1, turn)}
                word={word}
                sign={sign}
                onTurn={turns}
              />
            )
          })}
        </ol>
      </div>
    </section>
  )
}

interface RowProps extends Pick<Props, 'seats' | 'word' | 'sign' | 'onTurn'> {
  readonly number: number
  readonly moves: readonly Shown[]
  readonly lost: readonly (number | undefined)[] | undefined
  readonly here: boolean
  /** Of all rows, the keyboard stops at the one that is shown. */
  readonly reachable: boolean
}

/** One turn; drawn again only where something of it has changed. */
const Row = memo(function Row({ number, moves, lost, seats, here, reachable, word, sign, onTurn }: RowProps) {
  return (
    <li style={{ top: (number - 1) * ROW }}>
      <button
        type="button"
        className="row"
        style={{ '--seats': seats.length } as CSSProperties}
        tabIndex={reachable ? 0 : -1}
        aria-current={here ? 'step' : undefined}
        onClick={() => onTurn(number)}
      >
        <span>{number}</span>
        {moves.map((move, seat) => {
          const mark = move === 'hidden' ? undefined : markOf(lost?.[seat])
          return (
            <span key={seat} className={kindOf(move)} title={`${titleOf(seats[seat], move, word)}${markText(mark)}`}>
              {textOf(move, seats.length > 2 ? sign : word)}
              {mark && <i className={`judged ${mark}`}>{SIGNS[mark]}</i>}
            </span>
          )
        })}
      </button>
    </li>
  )
})

function kindOf(move: Shown): string {
  if (move === null) return 'none'
  if (move === 'hidden') return 'hidden'
  return 'fault' in move ? 'fault' : 'act'
}
const markText = (mark: MoveMark | undefined): string =>
  mark === undefined ? '' : mark === 'best' ? ', a best move' : `, ${mark === 'inaccuracy' ? 'an' : 'a'} ${mark}`
function textOf(move: Shown, word: (action: string) => string): string {
  if (move === null) return '·'
  if (move === 'hidden') return '?'
  return 'fault' in move ? `! ${move.fault}` : word(move.action)
}
function titleOf(seat: SeatInfo | undefined, move: Shown, word: (action: string) => string): string {
  if (move === null) return said(seat?.name, 'was not due')
  if (move === 'hidden') return 'hidden from this seat'
  return `${seat?.name}: ${'fault' in move ? faultText(move) : word(move.action)}`
}
