import { type CSSProperties, memo, useEffect, useRef, useState } from 'react'
import { Mark } from '../../games/viewer-kit/index.js'
import { said } from '../format.js'
import { SIGNS, markOf } from './evaluation.js'
import { faultText } from './film.js'
import type { OpenMatch, Shown } from './match.js'

/** Pixels of a row, as the style sheet has it. */
const ROW = 28
/** Rows kept beyond what is in sight. */
const MARGIN = 8
/** Seats that have room for names and words. */
const NAMED = 4

interface MovesProps {
  readonly match: OpenMatch
  readonly turn: number
  readonly onTurn: (turn: number) => void
}

/** The list of moves in step with the board. Only the rows in sight exist. */
export function Moves({ match, turn, onTurn }: MovesProps) {
  const { seats, rows } = match
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
          {rows.slice(first, end).map((_, i) => {
            const number = first + i + 1
            return (
              <Row
                key={number}
                match={match}
                number={number}
                isShown={number === turn}
                onTurn={onTurn}
                // Of all rows, the keyboard stops at the one that is shown.
                isReachable={number === Math.max(1, turn)}
              />
            )
          })}
        </ol>
      </div>
    </section>
  )
}

interface RowProps extends Omit<MovesProps, 'turn'> {
  readonly number: number
  readonly isShown: boolean
  readonly isReachable: boolean
}

/** One turn; drawn again only where something of it has changed. */
const Row = memo(function Row({ match, number, isShown, isReachable, onTurn }: RowProps) {
  const { rows, evaluation } = match
  return (
    <li style={{ top: (number - 1) * ROW }}>
      <button
        type="button"
        className="row"
        tabIndex={isReachable ? 0 : -1}
        aria-current={isShown ? 'step' : undefined}
        onClick={() => onTurn(number)}
      >
        <span>{number}</span>
        {rows[number - 1]?.map((move, seat) => {
          const mark = move === 'hidden' ? undefined : markOf(evaluation?.lost[number]?.[seat])
          const told =
            mark === undefined
              ? ''
              : mark === 'best'
                ? ', a best move'
                : `, ${mark === 'inaccuracy' ? 'an' : 'a'} ${mark}`
          const { kind, text, title } = shownIn(match, move, seat)
          return (
            <span key={seat} className={kind} title={`${title}${told}`}>
              {text}
              {mark && <b className={mark === 'best' ? 'quiet' : 'fault'}> {SIGNS[mark]}</b>}
            </span>
          )
        })}
      </button>
    </li>
  )
})

/** A move as a cell has it: of more than two seats as a sign. */
function shownIn(
  { words: { word, sign }, names }: OpenMatch,
  move: Shown,
  seat: number,
): { readonly kind?: string; readonly text: string; readonly title: string } {
  const name = names[seat]
  if (move === null) return { kind: 'quiet', text: '·', title: said(name, 'was not due') }
  if (move === 'hidden') return { kind: 'hidden quiet', text: '?', title: 'hidden from this seat' }
  if ('fault' in move) return { kind: 'fault', text: `! ${move.fault}`, title: `${name}: ${faultText(move)}` }
  const told = word(move.action)
  return { text: names.length > 2 ? sign(move.action) : told, title: `${name}: ${told}` }
}
