import { visible } from '../core/index.js'
import { Mark } from '../games/viewer-kit/index.js'
import { figure, matchLabel, resultWord } from './format.js'
import { type Column, Table, numbers } from './parts.js'

/** A match in a list, which leads to its replay. */
export interface ListedMatch {
  readonly key: string
  readonly href: string
  readonly seats: readonly {
    readonly name: string
    readonly place: number
    /** The address of the entrant's page. */
    readonly href?: string
    readonly version?: number
    /** The kinds of its faults, where they are known. */
    readonly faults?: readonly string[]
  }[]
  readonly reason: string
  readonly turns: number
  readonly faults: number
  /** When it was stored, in ISO 8601. */
  readonly at?: string
}

interface MatchListProps {
  readonly matches: readonly ListedMatch[]
  /** Whose matches they are: how each ended for it stands first. */
  readonly of?: string
  readonly label?: string
}

/** Matches, a row each. On a phone a match is named by its players, and how it ended stands below them. */
export function MatchList({ matches, of, label = 'the list of matches' }: MatchListProps) {
  const columns: Column<ListedMatch>[] = [
    { head: 'Match', names: true, cell: ({ key, href }) => <a href={href}>{matchLabel(key)}</a> },
    ...(of === undefined ? [] : [{ head: 'Result', cell: (match: ListedMatch) => resultOf(match, of) }]),
    { head: 'Players', kind: 'seats', cell: Players },
    { head: 'Ended by', cell: ({ reason }) => visible(reason) },
    numbers('Turns', ({ turns }) => figure(turns)),
    numbers('Faults', ({ faults }) => faultCount(faults)),
  ]
  if (matches.some(({ at }) => at !== undefined)) columns.push({ head: 'Played', kind: 'quiet played', cell: Played })
  return <Table label={label} kind="matches stacked" columns={columns} rows={matches} keyOf={({ href }) => href} />
}

/** How many faults, and in the colour of faults if there are any. */
export const faultCount = (n: number, none = '0') => (
  <span className={n > 0 ? 'fault' : 'quiet'}>{n > 0 ? figure(n) : none}</span>
)

/** Of a crowd, so many are named. */
const NAMED = 4

/** Seats with their entrants; of a crowd, the first places. */
function Players({ seats }: ListedMatch) {
  const places = seats.map(({ place }) => place)
  const shown = seats.map((own, seat) => ({ ...own, seat }))
  if (seats.length > NAMED) shown.sort((a, b) => a.place - b.place)
  return (
    <>
      {shown.slice(0, NAMED).map(({ name, place, href, version, faults = [], seat }) => (
        <span key={seat} className={place === 1 ? 'first' : undefined}>
          <Mark seat={seat} size={11} /> {href === undefined ? visible(name) : <a href={href}>{visible(name)}</a>}
          {version !== undefined && <span className="quiet">v{version}</span>}
          {place === 1 && <span className="tag">{resultWord(places, seat)}</span>}
          {faults.length > 0 && <span className="tag fault">{[...new Set(faults)].join(', ')}</span>}
        </span>
      ))}
      {seats.length > NAMED && <span className="quiet">and {figure(seats.length - NAMED)} more</span>}
    </>
  )
}

const Played = ({ at }: ListedMatch) =>
  at !== undefined && (
    <time dateTime={at}>{new Date(at).toLocaleString('en', { dateStyle: 'short', timeStyle: 'medium' })}</time>
  )

/** 'won', 'drew', 'lost' or '3rd of 5'. */
function resultOf({ seats }: ListedMatch, name: string): string {
  const seat = seats.findIndex((one) => one.name === name)
  const places = seats.map(({ place }) => place)
  const word = resultWord(places, seat)
  return /^\d/.test(word) ? `${word} of ${seats.length}` : word
}
