import { useState, type KeyboardEvent } from 'react'
import type { ReportCrosstable, ReportMeeting } from '../document.js'
import { counted, figure, percent } from '../format.js'
import { useReport } from '../shared.js'

export function Crosstable() {
  const { document, href, nameOf, isChosen } = useReport()
  const { entrants, standings, crosstable } = document
  const { order, meetings, scores } = crosstable
  const leanOf = leanIn(crosstable)
  const [chosen, setChosen] = useState<readonly [row: number, column: number]>([0, 0])
  const [row, column] = meetings[chosen[0]]?.[chosen[1]] ? chosen : firstMet(crosstable)
  /** How a row's entrant did against a column's, linked to their matches. Tab reaches one cell, arrow keys the others. */
  const cell = (meeting: ReportMeeting | null, i: number, j: number) => {
    if (!meeting) return <td key={j} className={i === j ? 'self' : undefined} />
    const [entrant = -1, rival = -1] = [order[i], order[j]]
    const who = `${nameOf(entrant)} against ${nameOf(rival)}`
    return (
      <td key={j} style={heat(leanOf(meeting))}>
        <a
          tabIndex={i === row && j === column ? 0 : -1}
          onFocus={() => setChosen([i, j])}
          href={href({ at: 'matches', bot: entrants[entrant]?.name, rival: entrants[rival]?.name })}
          title={`${who}: ${scores ? `${figure(meeting.points)} a match, ${matchesOf(meeting)}` : meetingText(meeting)}`}
        >
          <span className="unseen">{who}: </span>
          <b>{scores ? figure(meeting.points) : figure(share(meeting) * 100, 0)}</b>
          <span className="unseen"> {scores ? 'a match, over' : 'per cent of'} </span>
          <small>{figure(meeting.n)}</small>
          <span className="unseen"> {meeting.n === 1 ? 'match' : 'matches'}</span>
        </a>
      </td>
    )
  }
  return (
    <>
      <p>
        {scores
          ? 'A row’s mean score against each opponent, blue above and orange below the middle of the field,'
          : crosstable.ahead
            ? 'How often a row finished ahead of each opponent, in per cent with draws for a half,'
            : 'A row’s share of the points against each opponent,'}{' '}
        and over how many matches; the fewer, the paler. Choose a cell to see its matches; the arrow keys go from one to
        the next.
        {order.length < standings.rows.length &&
          ` The first ${figure(order.length)} of ${counted(standings.rows.length, 'entrant')}.`}
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
                {order.map((_, j) => cell(meetings[i]?.[j] ?? null, i, j))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="small quiet" aria-hidden="true">
        {scores ? 'least' : 'loses all'} <span className="ramp" /> {scores ? 'most' : 'wins all'}; large:{' '}
        {scores ? 'mean score' : 'per cent of the matches'}, small: how many matches
      </p>
    </>
  )
}

function firstMet({ meetings }: ReportCrosstable): readonly [row: number, column: number] {
  const row = meetings.findIndex((one) => one.some((meeting) => meeting !== null))
  return [row, meetings[row]?.findIndex((meeting) => meeting !== null) ?? -1]
}

/** How far a meeting lies above the middle, at most 1, or below it: of mean scores that is their median, of shares a half. */
function leanIn({ meetings, scores }: ReportCrosstable): (meeting: ReportMeeting) => number {
  // The share is drawn towards the middle as if two more matches had been even, so a cell of few matches is pale.
  if (!scores) return ({ n, wins, draws }) => ((wins + draws / 2 + 1) / (n + 2) - 0.5) * 2
  const all = meetings.flatMap((row) => row.flatMap((meeting) => meeting?.points ?? [])).sort((a, b) => a - b)
  const at = (all.length - 1) / 2
  const middle = ((all[Math.floor(at)] ?? 0) + (all[Math.ceil(at)] ?? 0)) / 2
  const reach = Math.max(...all.map((value) => Math.abs(value - middle)), 0) || 1
  return ({ points }) => (points - middle) / reach
}

/** Blue above the middle, orange below it, the deeper the farther. */
function heat(lean: number): { backgroundColor: string } {
  const side = lean >= 0 ? 'var(--high)' : 'var(--low)'
  return { backgroundColor: `color-mix(in oklab, ${side} ${Math.round(Math.abs(lean) * 100)}%, var(--even))` }
}

/** A win 1, a draw half: what colours compare, whatever the contest pays. */
const share = ({ n, wins, draws }: ReportMeeting): number => (wins + draws / 2) / n

const matchesOf = ({ n }: ReportMeeting): string => counted(n, 'match', 'matches')

const meetingText = (meeting: ReportMeeting): string =>
  `${counted(meeting.wins, 'win')}, ${counted(meeting.draws, 'draw')}, ${counted(meeting.losses, 'loss', 'losses')}; ${percent(share(meeting))} of ${matchesOf(meeting)}`

const STEPS = new Map<string, readonly [row: number, column: number]>([
  ['ArrowUp', [-1, 0]],
  ['ArrowDown', [1, 0]],
  ['ArrowLeft', [0, -1]],
  ['ArrowRight', [0, 1]],
])

/** Moves the focus from a cell's link to the next in an arrow key's direction, past cells without a link. */
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
