import { visible } from '../../core/index.js'
import { counted, figure, matchLabel, resultWord } from '../format.js'
import { Mark } from '../../games/viewer-kit/index.js'
import type { MatchFacts } from './facts.js'
import { Link, pathTo } from './router.js'

/** Of a crowd, so many are named. */
const SHOWN = 4

interface MatchRowsProps {
  /** Its id; undefined: names lead nowhere. */
  readonly contest?: string
  readonly matches: readonly MatchFacts[]
  /** Whose matches they are: how each ended for it stands first. */
  readonly of?: string
  /** Tells one list of a page from another. */
  readonly label?: string
}

/** Matches, a row each; each leads to its replay. */
export function MatchRows({ contest, matches, of, label = 'the list of matches' }: MatchRowsProps) {
  return (
    <div className="scrollable" role="region" aria-label={label} tabIndex={0}>
      <table className="matches">
        <thead>
          <tr>
            <th scope="col">Match</th>
            {of !== undefined && <th scope="col">Result</th>}
            <th scope="col">Players</th>
            <th scope="col" className="wide">
              Ended by
            </th>
            <th scope="col" className="number wide">
              Turns
            </th>
            <th scope="col" className="number wide">
              Faults
            </th>
            <th scope="col" className="widest">
              Played
            </th>
          </tr>
        </thead>
        <tbody>
          {matches.map((match) => (
            <Row key={match.id} match={match} contest={contest} of={of} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ contest, match, of }: { readonly contest?: string; readonly match: MatchFacts; readonly of?: string }) {
  const { id, key, seats, turns, reason, at } = match
  const places = seats.map(({ place }) => place)
  const faults = seats.reduce((sum, seat) => sum + seat.faults.length, 0)
  const shown = seats.map((seat, i) => ({ ...seat, i }))
  if (seats.length > SHOWN) shown.sort((a, b) => a.place - b.place)
  return (
    <tr>
      <th scope="row">
        <Link to={pathTo(['matches', id], { contest })}>{matchLabel(key)}</Link>
      </th>
      {of !== undefined && <td>{resultOf(match, of)}</td>}
      <td className="seats">
        {shown.slice(0, SHOWN).map(({ name, version, place, i }) => (
          <span key={i} className={place === 1 ? 'first' : undefined}>
            <Mark seat={i} size={11} />{' '}
            {contest === undefined ? (
              visible(name)
            ) : (
              <Link to={pathTo(['contests', contest, 'bots', name])}>{visible(name)}</Link>
            )}
            {version !== undefined && <span className="quiet">v{version}</span>}
            {place === 1 && <span className="tag">{resultWord(places, i)}</span>}
          </span>
        ))}
        {seats.length > SHOWN && <span className="quiet">and {figure(seats.length - SHOWN)} more</span>}
        {/* On a phone this takes the place of the columns. */}
        <p className="narrow quiet">
          {/* No line begins with a dot. */}
          {visible(reason)}&nbsp;· <span>{counted(turns, 'turn')}</span>
          {faults > 0 && (
            <>
              &nbsp;· <b className="fault">{counted(faults, 'fault')}</b>
            </>
          )}
        </p>
      </td>
      <td className="reason wide">{visible(reason)}</td>
      <td className="number wide">{figure(turns)}</td>
      <td className={faults > 0 ? 'number wide fault' : 'number wide quiet'}>{figure(faults)}</td>
      <td className="quiet widest">
        <time dateTime={at}>{new Date(at).toLocaleString('en', { dateStyle: 'short', timeStyle: 'medium' })}</time>
      </td>
    </tr>
  )
}

/** 'won', 'drew', 'lost' or '3rd of 5'. */
function resultOf({ seats }: MatchFacts, name: string): string {
  const own = seats.findIndex((seat) => seat.name === name)
  if (own < 0) return ''
  const word = resultWord(
    seats.map(({ place }) => place),
    own,
  )
  return /^\d/.test(word) ? `${word} of ${seats.length}` : word
}
