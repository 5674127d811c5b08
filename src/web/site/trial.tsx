import { useMemo, useState } from 'react'
import { type FaultKind, type MatchRecord, visible } from '../../core/index.js'
import type { ComputedMatch } from '../document.js'
import { counted } from '../format.js'
import { definitionOf } from '../games.js'
import { Press } from '../press.js'
import { ask, slotIn, useAction, useApi } from './api.js'
import type { Contest, SiteGame, List } from './facts.js'
import { Film } from './match.js'
import { go, pathTo, useAddress } from './router.js'
import { Problem } from './shell.js'

/** What the API tells of a match that counts for nothing. */
interface TrialFacts {
  readonly record: MatchRecord
  /** Of the bot on trial. */
  readonly seat: number
  readonly faults: readonly {
    readonly seat: number
    readonly turn: number
    readonly fault: FaultKind
    readonly why?: string
    readonly said?: string
  }[]
  readonly stderr: string
  /** Of a game that the page does not know. */
  readonly positions?: ComputedMatch
}

/** The last trial of a page, and whether its replay is shown. */
interface TrialPlace {
  readonly last: TrialFacts | undefined
  readonly set: (trial: TrialFacts) => void
  /** The replay is to be seen. */
  readonly shown: TrialFacts | undefined
  /** The page's address, and that of a place in the replay. */
  readonly path: string
  readonly film: (turn?: number, as?: number) => string
}

/** Keeps the last trial of the page at this address; the way back from its replay leads to the page as it was. */
export function useTrial(path: string): TrialPlace {
  const [last, set] = useState<TrialFacts>()
  const { query } = useAddress()
  const film = (turn?: number, as?: number): string => {
    const words = Object.entries({ replay: 'trial', turn, as }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    )
    return `${path}${path.includes('?') ? '&' : '?'}${words.join('&')}`
  }
  return { last, set, shown: query.get('replay') === 'trial' ? last : undefined, path, film }
}

interface TrialProps {
  readonly contest: string
  /** The id of an entry, or of a bot that is not entered yet. */
  readonly entry: string
  /** Who is no opponent: it itself. */
  readonly but?: string
  readonly place: TrialPlace
}

/** Lets a bot play others of its owner's choice; the match counts for nothing. */
export function Trial({ contest, entry, but, place }: TrialProps) {
  const { data } = useApi<Contest>(pathTo(['contests', contest]))
  const games = useApi<List<SiteGame>>('/games').data?.items
  const game = games?.find(({ id }) => id === data?.game)
  const entrants = (data?.entrants ?? []).filter((one) => one !== but)
  const house = (game?.house ?? []).filter((one) => one !== but && !entrants.includes(one))
  const [chosen, setChosen] = useState<readonly string[]>([])
  const all = [...entrants, ...house]
  const needed = Math.max(1, (game?.seats.min ?? 2) - 1)
  const opponents = Array.from({ length: needed }, (_, n) => chosen[n] ?? all[n % Math.max(1, all.length)] ?? '')
  const play = useAction(async () => {
    const path = pathTo(['contests', contest, 'trials'])
    place.set(await ask<TrialFacts>('POST', path, { entry, opponents }, { slot: slotIn(contest) }))
  })
  if (all.length === 0) return null
  return (
    <section aria-labelledby="trial">
      <h3 id="trial">Try it</h3>
      <p className="group-of">
        {opponents.map((opponent, n) => (
          // Seats have no other name than their number.
          <label key={n}>
            {n === 0 ? 'A match that counts for nothing, against' : 'and'}
            <select value={opponent} onChange={(event) => setChosen(opponents.with(n, event.currentTarget.value))}>
              <Names label="In the contest" names={entrants} />
              <Names label="House bots" names={house} />
            </select>
          </label>
        ))}
        <Press resting={play.busy} onClick={() => play.run()}>
          {play.busy ? 'They play …' : 'Play it'}
        </Press>
      </p>
      {play.problem && <Problem problem={play.problem} />}
      {place.last && <TrialReport trial={place.last} onWatch={() => go(place.film())} />}
    </section>
  )
}

function Names({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <optgroup label={label}>
      {names.map((name) => (
        <option key={name} value={name}>
          {visible(name)}
        </option>
      ))}
    </optgroup>
  )
}

function verdictOf({ record, seat }: TrialFacts): string {
  const { place } = record.outcome
  if (place[seat] !== 1) return 'It lost'
  return place.filter((one) => one === 1).length > 1 ? 'It drew' : 'It won'
}

/** Whether the page can replay it. */
const isShown = ({ record: { game, version }, positions }: TrialFacts): boolean =>
  positions !== undefined || definitionOf(game)?.game.version === version

/** How a trial went. */
function TrialReport({ trial, onWatch }: { readonly trial: TrialFacts; readonly onWatch: () => void }) {
  const { record, faults, stderr } = trial
  const own = faults.filter(({ seat }) => seat === trial.seat)
  return (
    <div role="status">
      <p>
        <b>{verdictOf(trial)}</b> after {counted(record.steps.length, 'turn')} ({visible(record.outcome.reason)}).{' '}
        {own.length === 0 ? 'It was never faulted.' : `${counted(own.length, 'fault')}:`}
      </p>
      {own.length > 0 && (
        <ul>
          {own.slice(0, 10).map(({ turn, fault, why, said }) => (
            <li key={turn}>
              Turn {turn + 1}: {fault}
              {why !== undefined && `, ${visible(why)}`}
              {said !== undefined && (
                <>
                  ; it answered <code>{visible(said)}</code>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {isShown(trial) && (
        <p>
          <button type="button" onClick={onWatch}>
            Watch it turn by turn
          </button>
        </p>
      )}
      {stderr !== '' && (
        <>
          <h4>What it wrote to its standard error</h4>
          <pre className="log short" tabIndex={0} role="region" aria-label="standard error of the trial">
            {stderr.split('\n').map(visible).join('\n')}
          </pre>
        </>
      )}
    </div>
  )
}

interface TrialFilmProps {
  readonly trial: TrialFacts
  readonly place: TrialPlace
  readonly contest: string
  /** The bot's. */
  readonly name: string
}

/** A trial turn by turn. */
export function TrialFilm({ trial, place, contest, name }: TrialFilmProps) {
  const { record, positions } = trial
  const packed = useMemo(() => (positions ? { record, positions } : { record }), [record, positions])
  const note = (
    <p className="inner verdict-of">
      {verdictOf(trial)}. It counts for nothing.{' '}
      <button type="button" className="plain" onClick={() => go(place.path, true)}>
        Back to {visible(name)}
      </button>
    </p>
  )
  return <Film packed={packed} contest={contest} own={place.film} note={note} />
}
