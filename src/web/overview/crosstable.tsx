import { useState, type KeyboardEvent } from 'react'
import type { ReportCrosstable, ReportMeeting } from '../document.js'
import { counted, figure, percent } from '../format.js'
import { useReport } from '../shared.js'

/** Who did how well against whom: an HTML table whose cells lead to their matches. */
export function Crosstable() {
  const { document, nameOf, isChosen } = useReport()
  const { crosstable } = document
  const { order, meetings } = crosstable
  const middle = crosstable.scores && middleOf(crosstable)
  const [chosen, setChosen] = useState<readonly [row: number, column: number]>([0, 0])
  const [row, column] = meetings[chosen[0]]?.[chosen[1]] ? chosen : firstMet(crosstable)
  /** Tab reaches one cell, and the arrow keys the others. */
  const tabOf = (i: number, j: number) => ({
    tabIndex: i === row && j === column ? 0 : -1,
    onFocus: () => setChosen([i, j]),
  })
  return (
    <>
      <p>
        {crosstable.scores
          ? 'A row’s mean score against each opponent, blue above and orange below the middle of the field,'
          : crosstable.ahead
            ? 'How often a row finished ahead of each opponent, in per cent with draws for a half,'
            : 'A row’s share of the points against each opponent,'}{' '}
        and over how many matches; the fewer, the paler. Choose a cell to see its matches; the arrow keys go from one to
        the next.
        {order.length < document.standings.rows.length &&
          ` The first ${figure(order.length)} of ${counted(document.standings.rows.length, 'entrant', 'entrants')}.`}
      </p>
      <div className="scrollable panel" role="region" aria-label="the table of meetings" tabIndex={0}>
        <table className="cross" onKeyDown={moveAmongCells}>
          <thead>
            <tr>
              <th scope="col">against</th>
              {order.map((entrant, i) => (
                <th key={entrant} scope="col" title={nameOf(entrant)}>
                  <span className="nth">{i + 1}</span>
                  <span className="slant">{nameOf(entrant)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {order.map((entrant, i) => (
              <tr key={entrant} className={isChosen({ entrant }) ? 'chosen' : undefined}>
                <th scope="row">
                  <span className="nth">{i + 1}</span> {nameOf(entrant)}
                </th>
                {order.map((rival, j) => (
                  <Meeting
                    key={rival}
                    meeting={meetings[i]?.[j] ?? null}
                    entrant={entrant}
                    rival={rival}
                    middle={middle}
                    tab={tabOf(i, j)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="flow small quiet" aria-hidden="true">
        <span>
          {crosstable.scores ? 'least' : 'loses all'} <span className="ramp" />{' '}
          {crosstable.scores ? 'most' : 'wins all'}
        </span>
        <span>large: {crosstable.scores ? 'mean score' : 'per cent of the matches'}, small: how many matches</span>
      </p>
    </>
  )
}

function firstMet({ meetings }: ReportCrosstable): readonly [row: number, column: number] {
  const row = meetings.findIndex((one) => one.some((meeting) => meeting !== null))
  return [row, meetings[row]?.findIndex((meeting) => meeting !== null) ?? -1]
}

interface MeetingProps {
  /** null: they have not met. */
  readonly meeting: ReportMeeting | null
  readonly entrant: number
  readonly rival: number
  readonly middle: Middle | undefined
  readonly tab: { readonly tabIndex: number; readonly onFocus: () => void }
}

/** A cell: how an entrant did against another. It leads to their matches. */
function Meeting({ meeting, entrant, rival, middle, tab }: MeetingProps) {
  const { document, href, nameOf } = useReport()
  if (!meeting) return <td className={entrant === rival ? 'self' : undefined} />
  const { entrants } = document
  const [name, other] = [nameOf(entrant), nameOf(rival)]
  const text = middle ? figure(meeting.points, 2) : figure(share(meeting) * 100, 0)
  const told = middle ? `${text} a match, ${counted(meeting.n, 'match', 'matches')}` : meetingText(meeting)
  return (
    <td style={heat(middle ? (meeting.points - middle.middle) / (middle.reach || 1) : leanOf(meeting))}>
      <a
        {...tab}
        href={href({ at: 'matches', bot: entrants[entrant]?.name ?? '', rival: entrants[rival]?.name ?? '' })}
        title={`${name} against ${other}: ${told}`}
      >
        <span className="unseen">
          {name} against {other}:{' '}
        </span>
        <b>{text}</b>
        <span className="unseen"> {middle ? 'a match, over' : 'per cent of'} </span>
        <small>{figure(meeting.n)}</small>
        <span className="unseen"> {meeting.n === 1 ? 'match' : 'matches'}</span>
      </a>
    </td>
  )
}

interface Middle {
  readonly middle: number
  readonly reach: number
}

/** The median of all mean scores, and how far from it the farthest lies. */
function middleOf({ meetings }: ReportCrosstable): Middle {
  const all = meetings.flatMap((row) => row.flatMap((meeting) => meeting?.points ?? [])).sort((a, b) => a - b)
  const half = Math.floor(all.length / 2)
  const middle = all.length % 2 === 1 ? (all[half] ?? 0) : ((all[half - 1] ?? 0) + (all[half] ?? 0)) / 2
  return { middle, reach: Math.max(...all.map((value) => Math.abs(value - middle)), 0) }
}

/** Blue above the middle (a lean above 0, at most 1), orange below it, the deeper the farther. */
function heat(lean: number): { backgroundColor: string } {
  const side = lean >= 0 ? 'var(--high)' : 'var(--low)'
  return { backgroundColor: `color-mix(in oklab, ${side} ${Math.round(Math.abs(lean) * 100)}%, var(--even))` }
}

/** A win 1, a draw half: what colours compare, whatever the contest pays. */
const share = ({ n, wins, draws }: ReportMeeting): number => (wins + draws / 2) / n

const meetingText = (meeting: ReportMeeting): string =>
  `${counted(meeting.wins, 'win')}, ${counted(meeting.draws, 'draw')}, ${counted(meeting.losses, 'loss', 'losses')}; ${percent(share(meeting))} of ${counted(meeting.n, 'match', 'matches')}`

/** How far above a half, of 1. The share is drawn towards the middle as if two more matches had been even, so a cell of few matches is pale. */
const leanOf = ({ n, wins, draws }: ReportMeeting): number => ((wins + draws / 2 + 1) / (n + 2) - 0.5) * 2

const STEPS = new Map<string, readonly [row: number, column: number]>([
  ['ArrowUp', [-1, 0]],
  ['ArrowDown', [1, 0]],
  ['ArrowLeft', [0, -1]],
  ['ArrowRight', [0, 1]],
])

/** Moves the focus from a cell's link to the next one in the direction of an arrow key; cells without a link are passed over. */
export function moveAmongCells(event: KeyboardEvent<HTMLTableElement>): void {
  const step = STEPS.get(event.key)
  const from = event.target instanceof Element ? event.target.closest('td') : null
  const row = from?.closest('tr')
  if (step === undefined || from === null || !row) return
  const { rows } = event.currentTarget
  let [y, x] = [row.rowIndex, from.cellIndex]
  for (;;) {
    y += step[0]
    x += step[1]
    const cell = rows[y]?.cells[x]
    if (cell === undefined) return
    const link = cell.tagName === 'TD' ? cell.querySelector('a') : null
    if (link === null) continue
    event.preventDefault()
    return link.focus()
  }
}
