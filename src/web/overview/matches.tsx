import { useMemo, useState } from 'react'
import { visible } from '../../core/index.js'
import type { MatchRow } from '../document.js'
import { counted, figure } from '../format.js'
import { formatPlace } from '../hash.js'
import { nameOf, useShared } from '../shared.js'
import { Mark } from '../../viewer-kit/index.js'

/** Rows that are shown at a time. */
const PAGE = 40

/** Every match that the page holds, with filters; each leads to its replay. */
export function Matches() {
  const { report, place, go } = useShared()
  const { document, matches } = report
  const [reason, setReason] = useState('')
  const [faulted, setFaulted] = useState(false)
  const [result, setResult] = useState('')
  const [page, setPage] = useState(0)
  const reasons = useMemo(() => [...new Set(matches.map((row) => row[3]))].sort(), [matches])
  const indexOf = (name: string | undefined) => document.entrants.findIndex((entrant) => entrant.name === name)
  const bot = indexOf(place.bot)
  const rival = indexOf(place.rival)
  const found = useMemo(
    () => matches.filter((row) => fits(row, { bot, rival, reason, faulted, result })),
    [matches, bot, rival, reason, faulted, result],
  )
  const pages = Math.max(1, Math.ceil(found.length / PAGE))
  const shown = Math.min(page, pages - 1)
  const { total, kept } = document.matches
  const sorted = document.standings.rows.map(({ entrant }) => entrant)
  const entrantSelect = (label: string, chosen: number, set: (name: string) => void, disabled = false) => (
    <label>
      {label}
      <select
        value={chosen}
        disabled={disabled}
        onChange={(event) => set(document.entrants[Number(event.currentTarget.value)]?.name ?? '')}
      >
        <option value={-1}>anyone</option>
        {sorted.map((entrant) => (
          <option key={entrant} value={entrant}>
            {nameOf(report, entrant)}
          </option>
        ))}
      </select>
    </label>
  )
  const choose = (names: { bot?: string; rival?: string }) => {
    setPage(0)
    go(
      {
        at: 'matches',
        ...(names.bot && { bot: names.bot }),
        ...(names.bot && names.rival && { rival: names.rival }),
      },
      true,
    )
  }
  return (
    <>
      {kept < total && (
        <p className="note">
          This page holds the newest {figure(kept)} of {figure(total)} matches; the archive’s records.jsonl has them
          all.
        </p>
      )}
      <form className="bar-of-controls" aria-label="filter the matches" onSubmit={(event) => event.preventDefault()}>
        {entrantSelect('Player', bot, (name) => choose({ bot: name, rival: place.rival ?? '' }))}
        {entrantSelect('against', rival, (name) => choose({ bot: place.bot ?? '', rival: name }), bot < 0)}
        <label>
          Result
          <select value={result} onChange={(event) => setResult(event.currentTarget.value)}>
            <option value="">any</option>
            {bot >= 0 && <option value="won">{nameOf(report, bot)} first</option>}
            {bot >= 0 && <option value="lost">{nameOf(report, bot)} behind</option>}
            <option value="draw">shared first place</option>
          </select>
        </label>
        <label>
          Ended by
          <select value={reason} onChange={(event) => setReason(event.currentTarget.value)}>
            <option value="">anything</option>
            {reasons.map((each) => (
              <option key={each} value={each}>
                {visible(each)}
              </option>
            ))}
          </select>
        </label>
        <label className="check">
          <input type="checkbox" checked={faulted} onChange={(event) => setFaulted(event.currentTarget.checked)} />
          with faults
        </label>
        <output>{counted(found.length, 'match', 'matches')}</output>
      </form>
      <div className="scrollable" role="region" aria-label="the list of matches" tabIndex={0}>
        <table className="matches">
          <thead>
            <tr>
              <th scope="col">Match</th>
              <th scope="col">Players</th>
              <th scope="col">Ended by</th>
              <th scope="col" className="number">
                Turns
              </th>
              <th scope="col" className="number">
                Faults
              </th>
            </tr>
          </thead>
          <tbody>
            {found.slice(shown * PAGE, (shown + 1) * PAGE).map((row) => (
              <tr key={row[0]}>
                <th scope="row">
                  <a href={formatPlace({ match: row[0], turn: 0 })}>{visible(row[0])}</a>
                </th>
                <td className="seats">
                  {seatsOf(row).map(([seat, entrant]) => (
                    <span key={seat} className={row[2][seat] === 1 ? 'first' : undefined}>
                      <Mark seat={seat} size={11} /> {nameOf(report, entrant)}
                      {row[2][seat] === 1 && (
                        <span className="tag">
                          {row[2].filter((place_) => place_ === 1).length > 1 ? 'drew' : 'won'}
                        </span>
                      )}
                    </span>
                  ))}
                  {row[1].length > SHOWN && <span className="quiet">and {row[1].length - SHOWN} more</span>}
                </td>
                <td>{visible(row[3])}</td>
                <td className="number">{figure(row[4])}</td>
                <td className={row[5] ? 'number fault' : 'number quiet'}>
                  {figure((row[5] ?? []).reduce((sum, n) => sum + n, 0))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && (
        <div className="pager" role="group" aria-label="pages">
          <button type="button" disabled={shown === 0} onClick={() => setPage(shown - 1)}>
            Previous
          </button>
          <span>
            page {shown + 1} of {figure(pages)}
          </span>
          <button type="button" disabled={shown >= pages - 1} onClick={() => setPage(shown + 1)}>
            Next
          </button>
        </div>
      )}
    </>
  )
}

/** Of a crowd, so many are named. */
const SHOWN = 4

/** Seats with their entrants; of a crowd, the first places. */
function seatsOf([, seats, places]: MatchRow): readonly (readonly [number, number])[] {
  const all = seats.map((entrant, seat) => [seat, entrant] as const)
  return all.length <= SHOWN ? all : [...all].sort((a, b) => (places[a[0]] ?? 0) - (places[b[0]] ?? 0)).slice(0, SHOWN)
}

interface Filter {
  readonly bot: number
  readonly rival: number
  readonly reason: string
  readonly faulted: boolean
  readonly result: string
}

/** Whether a match is wanted. */
function fits([, seats, places, ended, , faults]: MatchRow, { bot, rival, reason, faulted, result }: Filter): boolean {
  if (bot >= 0 && !seats.includes(bot)) return false
  if (rival >= 0 && !seats.includes(rival)) return false
  if (reason !== '' && ended !== reason) return false
  if (faulted && !faults) return false
  const firsts = places.filter((place) => place === 1).length
  const own = places[seats.indexOf(bot)]
  if (result === 'draw') return firsts > 1
  if (result === 'won') return own === 1 && firsts === 1
  return result !== 'lost' || (own !== undefined && own > 1)
}
