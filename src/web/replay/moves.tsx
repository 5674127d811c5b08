import { type CSSProperties, memo, useEffect, useRef, useState } from 'react'
import { Mark, type SeatInfo } from '../../games/viewer-kit/index.js'
import { said } from '../format.js'
import { type MoveMark, SIGNS, markOf } from './evaluation.js'
import { faultText } from './events.js'
import type { OpenMatch, Shown, Words } from './match.js'

/** Pixels of a row, as the style sheet has it. */
const ROW = 28
/** Rows kept beyond what is in sight. */
const MARGIN = 8
/** Seats that have room for names and words. */
const NAMED = 4

interface Props {
  readonly match: OpenMatch
  readonly turn: number
  readonly onTurn: (turn: number) => void
}

/** The list of moves in step with the board. Only the rows in sight exist. */
export function Moves({ match: { seats, rows, words, evaluation }, turn, onTurn }: Props) {
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
              <Row
                key={number}
                number={number}
                moves={moves}
                lost={evaluation?.lost[number]}
                seats={seats}
                words={words}
                here={number === turn}
                reachable={number === Math.max(1, turn)}
                onTurn={onTurn}
              />
            )
          })}
        </ol>
      </div>
    </section>
  )
}

interface RowProps {
  readonly number: number
  readonly moves: readonly Shown[]
  /** What moves gave away, by seat, where that is known. */
  readonly lost: readonly (number | null)[] | undefined
  readonly seats: readonly SeatInfo[]
  readonly words: Words
  readonly here: boolean
  /** Of all rows, the keyboard stops at the one that is shown. */
  readonly reachable: boolean
  readonly onTurn: (turn: number) => void
}

/** One turn; drawn again only where something of it has changed. */
const Row = memo(function Row({ number, moves, lost, seats, words, here, reachable, onTurn }: RowProps) {
  return (
    <li style={{ top: (number - 1) * ROW }}>
      <button
        type="button"
        className="row"
        tabIndex={reachable ? 0 : -1}
        aria-current={here ? 'step' : undefined}
        onClick={() => onTurn(number)}
      >
        <span>{number}</span>
        {moves.map((move, seat) => {
          const mark = move === 'hidden' ? undefined : markOf(lost?.[seat])
          const { kind, text, title } = shownIn(move, seats[seat], words, seats.length > 2)
          return (
            <span key={seat} className={kind} title={`${title}${markText(mark)}`}>
              {text}
              {mark && <b className={mark === 'best' ? 'quiet' : 'fault'}> {SIGNS[mark]}</b>}
            </span>
          )
        })}
      </button>
    </li>
  )
})

/** A move as a cell has it; `brief`: as a sign. */
function shownIn(
  move: Shown,
  seat: SeatInfo | undefined,
  { word, sign }: Words,
  brief: boolean,
): { readonly kind?: string; readonly text: string; readonly title: string } {
  if (move === null) return { kind: 'quiet', text: '·', title: said(seat?.name, 'was not due') }
  if (move === 'hidden') return { kind: 'hidden quiet', text: '?', title: 'hidden from this seat' }
  if ('fault' in move) return { kind: 'fault', text: `! ${move.fault}`, title: `${seat?.name}: ${faultText(move)}` }
  return { text: brief ? sign(move.action) : word(move.action), title: `${seat?.name}: ${word(move.action)}` }
}

function markText(mark: MoveMark | undefined): string {
  if (mark === undefined) return ''
  if (mark === 'best') return ', a best move'
  return `, ${mark === 'inaccuracy' ? 'an' : 'a'} ${mark}`
}
