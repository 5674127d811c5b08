import { useEffect, useMemo, useState } from 'react'
import { visible } from '../../core/index.js'
import { counted, versus } from '../format.js'
import { definitionOf } from '../games.js'
import { Press } from '../press.js'
import { ask, slotIn, useAction, useApi } from './api.js'
import { Above } from './entry.js'
import type { Contest, List, Scrimmage, SiteGame } from './facts.js'
import { useTicks } from './live-match.js'
import { Film } from './match.js'
import { go, Link, pathTo, useAddress } from './router.js'
import { Problem, Shell, Waiting } from './shell.js'

/** Lets a bot play others of its owner's choice; the match counts for nothing. */
export function TryIt({ contest, name }: { readonly contest: string; readonly name: string }) {
  const { data } = useApi<Contest>(pathTo(['contests', contest]))
  const games = useApi<List<SiteGame>>('/games').data?.items
  const game = games?.find(({ id }) => id === data?.game)
  const entrants = (data?.entrants ?? []).filter((one) => one !== name)
  const house = (game?.house ?? []).filter((one) => one !== name && !entrants.includes(one))
  const [chosen, setChosen] = useState<readonly string[]>([])
  const all = [...entrants, ...house]
  const needed = Math.max(1, (game?.seats.min ?? 2) - 1)
  const opponents = Array.from({ length: needed }, (_, n) => chosen[n] ?? all[n % Math.max(1, all.length)] ?? '')
  const play = useAction(async () => {
    const path = pathTo(['contests', contest, 'scrimmages'])
    const { id } = await ask<{ id: string }>('POST', path, { bots: [name, ...opponents] }, { slot: slotIn(contest) })
    go(pathTo(['scrimmages', id], { contest }))
  })
  if (all.length === 0) return null
  return (
    <section aria-labelledby="try">
      <h3 id="try">Try it</h3>
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
          Play it
        </Press>
      </p>
      {play.problem && <Problem problem={play.problem} />}
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

/** Milliseconds between two looks at a scrimmage that is not over. */
const LOOK_MS = 500
const TITLES = {
  waiting: 'It waits for its turn',
  playing: 'It is played',
  over: 'It is over',
  failed: 'It ended early',
}

/** A match that counts for nothing: how it stands, how it went, and then turn by turn. */
export function ScrimmagePage({ id, contest }: { readonly id: string; readonly contest: string | undefined }) {
  const { query } = useAddress()
  const [over, setOver] = useState(false)
  const looks = useTicks(over ? undefined : LOOK_MS)
  const { data, problem } = useApi<Scrimmage>(pathTo(['scrimmages', id]), looks, slotIn(contest))
  // One that is gone does not come back.
  const isGone = problem?.status === 404
  useEffect(() => setOver(isGone || data?.state === 'over' || data?.state === 'failed'), [isGone, data?.state])
  const place = (turn?: number, as?: number): string => pathTo(['scrimmages', id], { contest, replay: 'yes', turn, as })
  if (data?.record !== undefined && query.get('replay') === 'yes')
    return <ScrimmageFilm scrimmage={data} place={place} back={pathTo(['scrimmages', id], { contest })} />
  return (
    <Shell
      title={data === undefined ? 'A scrimmage' : versus(data.bots.map(visible))}
      above={<Above contest={contest} />}
    >
      {data === undefined ? (
        <Waiting problem={problem} what="the match" />
      ) : (
        <section aria-labelledby="state">
          <h2 id="state">{TITLES[data.state]}</h2>
          <p className="quiet">It counts for nothing: the table stays as it is. Only you and the host see it.</p>
          {data.why !== undefined && <p>{visible(data.why)}</p>}
          {data.record !== undefined && <Outcome scrimmage={data} onWatch={() => go(place())} />}
          {over && contest !== undefined && <BackToBots contest={contest} bots={data.bots} />}
        </section>
      )}
    </Shell>
  )
}

/** Leads back to the bots that are in the contest. */
function BackToBots({ contest, bots }: { readonly contest: string; readonly bots: readonly string[] }) {
  const entrants = useApi<Contest>(pathTo(['contests', contest])).data?.entrants ?? []
  return (
    <p className="group-of">
      {[...new Set(bots)]
        .filter((name) => entrants.includes(name))
        .map((name) => (
          <Link key={name} to={pathTo(['contests', contest, 'bots', name])}>
            {visible(name)}
          </Link>
        ))}
    </p>
  )
}

/** How it went, for the first of the bots: it is the one that was tried. */
function Outcome({ scrimmage, onWatch }: { readonly scrimmage: Scrimmage; readonly onWatch: () => void }) {
  const { record, faults = [], stderr = [], positions } = scrimmage
  if (record === undefined) return null
  const { place, reason } = record.outcome
  const winners = record.seats.filter((_, seat) => place[seat] === 1).map(({ entrant }) => visible(entrant))
  const isShown = positions !== undefined || definitionOf(record.game)?.game.version === record.version
  return (
    <div role="status">
      <p>
        <b>{winners.length === 1 ? `${winners[0]} won` : `${winners.join(' and ')} drew`}</b> after{' '}
        {counted(record.steps.length, 'turn')} ({visible(reason)}).{' '}
        {faults.length === 0 ? 'Nobody was faulted.' : `${counted(faults.length, 'fault')}:`}
      </p>
      {faults.length > 0 && (
        <ul>
          {faults.slice(0, 10).map(({ seat, turn, fault, why, said }) => (
            <li key={`${seat} ${turn}`}>
              {visible(record.seats[seat]?.entrant ?? '')}, turn {turn + 1}: {fault}
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
      {isShown && (
        <p>
          <button type="button" onClick={onWatch}>
            Watch it turn by turn
          </button>
        </p>
      )}
      {stderr.map(({ name, text }) => (
        <div key={name}>
          <h3>What {visible(name)} wrote to its standard error</h3>
          <pre className="log short" tabIndex={0} role="region" aria-label={`standard error of ${visible(name)}`}>
            {text.split('\n').map(visible).join('\n')}
          </pre>
        </div>
      ))}
    </div>
  )
}

interface FilmProps {
  readonly scrimmage: Scrimmage
  readonly place: (turn?: number, as?: number) => string
  readonly back: string
}

/** A scrimmage turn by turn. */
function ScrimmageFilm({ scrimmage: { record, positions, contest }, place, back }: FilmProps) {
  const packed = useMemo(() => record && { record, positions }, [record, positions])
  if (packed === undefined) return null
  const note = (
    <p className="inner verdict-of">
      A scrimmage: it counts for nothing.{' '}
      <button type="button" className="plain" onClick={() => go(back, true)}>
        How it went
      </button>
    </p>
  )
  return <Film packed={packed} contest={contest} own={place} note={note} />
}
