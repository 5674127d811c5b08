import { useMemo, useState } from 'react'
import { type Teams, firstPlaces, visible } from '../../core/index.js'
import type { MatchRow } from '../document.js'
import { counted, figure, matchLabel, resultWord, teamsIn } from '../format.js'
import { Press } from '../press.js'
import { nameOf, useShared } from '../shared.js'
import { Mark } from '../../games/viewer-kit/index.js'

/** Rows that are shown at a time. */
const PAGE = 40

/** Every match that the page holds, with filters; each leads to its replay. */
export function Matches() {
  const { report, place } = useShared()
  const { document, matches } = report
  const [chosen, setChosen] = useState<Chosen>({ reason: '', faulted: false, result: '' })
  const [page, setPage] = useState(0)
  const indexOf = (name: string | undefined) => document.entrants.findIndex((entrant) => entrant.name === name)
  const bot = indexOf(place.bot)
  const rival = indexOf(place.rival)
  const found = useMemo(
    () => matches.filter((row) => fits(row, { bot, rival, ...chosen }, teamsIn(document))),
    [matches, document, bot, rival, chosen],
  )
  const pages = Math.max(1, Math.ceil(found.length / PAGE))
  const shown = Math.min(page, pages - 1)
  const { total, kept, drawn = kept } = document.matches
  return (
    <>
      {kept < total && (
        <p className="note">
          This page holds the newest {figure(kept)} of {figure(total)} matches; the archive’s records.jsonl has them
          all.
        </p>
      )}
      {drawn < kept && (
        <p className="note">
          The positions of the newest {figure(drawn)} are in this page; those of the others would make it too large, and{' '}
          <code>agon replay</code> shows them.
        </p>
      )}
      <form className="bar-of-controls" aria-label="filter the matches" onSubmit={(event) => event.preventDefault()}>
        <PlayerFilters bot={bot} rival={rival} onChange={() => setPage(0)} />
        <Endings bot={bot} chosen={chosen} onChange={(change) => setChosen({ ...chosen, ...change })} />
        <output>{counted(found.length, 'match', 'matches')}</output>
      </form>
      <div className="scrollable" role="region" aria-label="the list of matches" tabIndex={0}>
        <table className="matches">
          <thead>
            <Headings />
          </thead>
          <tbody>
            {found.slice(shown * PAGE, (shown + 1) * PAGE).map((row) => (
              <Row key={row[0]} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && <Pager shown={shown} pages={pages} onPage={setPage} />}
    </>
  )
}

interface Filter {
  /** The player, as an index; -1: anyone. */
  readonly bot: number
  /** Against whom, likewise. */
  readonly rival: number
  /** By what a match ended; empty: anything. */
  readonly reason: string
  /** Only matches with faults. */
  readonly faulted: boolean
  /** 'won', 'lost' (by the player) or 'draw'; empty: any. */
  readonly result: string
}

/** What is filtered by beside the players, which stand in the address. */
type Chosen = Pick<Filter, 'reason' | 'faulted' | 'result'>

interface PlayerFiltersProps {
  readonly bot: number
  readonly rival: number
  readonly onChange: () => void
}

/** The filters by player and opponent. What is chosen goes into the address. */
function PlayerFilters({ bot, rival, onChange }: PlayerFiltersProps) {
  const { place, go } = useShared()
  const choose = (names: { bot: string; rival: string }) => {
    onChange()
    go(
      {
        at: 'matches',
        bot: names.bot,
        rival: names.bot && names.rival ? names.rival : undefined,
      },
      true,
    )
  }
  return (
    <>
      <EntrantSelect label="Player" chosen={bot} onName={(name) => choose({ bot: name, rival: place.rival ?? '' })} />
      <EntrantSelect
        label="against"
        chosen={rival}
        onName={(name) => choose({ bot: place.bot ?? '', rival: name })}
        disabled={bot < 0}
      />
    </>
  )
}

interface EntrantSelectProps {
  readonly label: string
  /** -1: anyone. */
  readonly chosen: number
  /** Called with the name; empty: anyone. */
  readonly onName: (name: string) => void
  readonly disabled?: boolean
}

function EntrantSelect({ label, chosen, onName, disabled = false }: EntrantSelectProps) {
  const { report } = useShared()
  const { entrants, standings } = report.document
  return (
    <label>
      {label}
      <select
        value={chosen}
        disabled={disabled}
        onChange={(event) => onName(entrants[Number(event.currentTarget.value)]?.name ?? '')}
      >
        <option value={-1}>anyone</option>
        {standings.rows.map(({ entrant }) => (
          <option key={entrant} value={entrant}>
            {nameOf(report, entrant)}
          </option>
        ))}
      </select>
    </label>
  )
}

interface EndingsProps {
  readonly bot: number
  readonly chosen: Chosen
  readonly onChange: (change: Partial<Chosen>) => void
}

/** The filters by result, by what ended a match, and by faults. */
function Endings({ bot, chosen: { reason, faulted, result }, onChange }: EndingsProps) {
  const { report } = useShared()
  const { matches } = report
  const reasons = useMemo(() => [...new Set(matches.map((row) => row[3]))].sort(), [matches])
  return (
    <>
      <label>
        Result
        <select value={result} onChange={(event) => onChange({ result: event.currentTarget.value })}>
          <option value="">any</option>
          {bot >= 0 && <option value="won">{nameOf(report, bot)} first</option>}
          {bot >= 0 && <option value="lost">{nameOf(report, bot)} behind</option>}
          <option value="draw">shared first place</option>
        </select>
      </label>
      <label>
        Ended by
        <select value={reason} onChange={(event) => onChange({ reason: event.currentTarget.value })}>
          <option value="">anything</option>
          {reasons.map((each) => (
            <option key={each} value={each}>
              {visible(each)}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={faulted}
          onChange={(event) => onChange({ faulted: event.currentTarget.checked })}
        />
        with faults
      </label>
    </>
  )
}

function Headings() {
  return (
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
  )
}

function Row({ row }: { readonly row: MatchRow }) {
  const { report, href } = useShared()
  const [key, seats, places, reason, turns, faults] = row
  return (
    <tr>
      <th scope="row">
        <a href={href({ match: key, turn: 0 })}>{matchLabel(key)}</a>
      </th>
      <td className="seats">
        {seatsOf(row).map(([seat, entrant]) => (
          <span key={seat} className={places[seat] === 1 ? 'first' : undefined}>
            <Mark seat={seat} size={11} /> {nameOf(report, entrant)}
            {places[seat] === 1 && <span className="tag">{resultWord(places, seat)}</span>}
          </span>
        ))}
        {seats.length > SHOWN && <span className="quiet">and {seats.length - SHOWN} more</span>}
      </td>
      <td>{visible(reason)}</td>
      <td className="number">{figure(turns)}</td>
      <td className={faults ? 'number fault' : 'number quiet'}>
        {figure((faults ?? []).reduce((sum, n) => sum + n, 0))}
      </td>
    </tr>
  )
}

interface PagerProps {
  /** From 0. */
  readonly shown: number
  readonly pages: number
  readonly onPage: (page: number) => void
}

function Pager({ shown, pages, onPage }: PagerProps) {
  return (
    <div className="pager" role="group" aria-label="pages">
      <Press resting={shown === 0} onClick={() => onPage(shown - 1)}>
        Previous
      </Press>
      <span>
        page {shown + 1} of {figure(pages)}
      </span>
      <Press resting={shown >= pages - 1} onClick={() => onPage(shown + 1)}>
        Next
      </Press>
    </div>
  )
}

/** Of a crowd, so many are named. */
const SHOWN = 4

/** Seats with their entrants; of a crowd, the first places. */
function seatsOf([, seats, places]: MatchRow): readonly (readonly [number, number])[] {
  const all = seats.map((entrant, seat) => [seat, entrant] as const)
  return all.length <= SHOWN ? all : [...all].sort((a, b) => (places[a[0]] ?? 0) - (places[b[0]] ?? 0)).slice(0, SHOWN)
}

/** Whether a match is wanted. */
function fits(
  [, seats, places, ended, , faults]: MatchRow,
  { bot, rival, reason, faulted, result }: Filter,
  teams: Teams | undefined,
): boolean {
  if (bot >= 0 && !seats.includes(bot)) return false
  if (rival >= 0 && !seats.includes(rival)) return false
  if (reason !== '' && ended !== reason) return false
  if (faulted && !faults) return false
  const firsts = firstPlaces(places, teams?.[places.length])
  const own = places[seats.indexOf(bot)]
  if (result === 'draw') return firsts > 1
  if (result === 'won') return own === 1 && firsts === 1
  return result !== 'lost' || (own !== undefined && own > 1)
}
