import { useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { figure, matchLabel, versus } from '../format.js'
import { useApi } from './api.js'
import type { Contest, List, LiveMatch } from './facts.js'
import { Film } from './match.js'
import { Link, go, pathTo, useAddress } from './router.js'
import { Empty, Shell } from './shell.js'
import { type Watching, useWatching } from './watching.js'

/** Milliseconds between two looks at what is being played. */
const LOOK_MS = 2000
/** Matches under way that are listed, and seats of one that are named. */
const LISTED = 8
const NAMED = 4

/** The matches of a contest that are being played; each leads to where it is watched. */
export function UnderWay({ contest, state }: { readonly contest: string; readonly state: Contest['state'] }) {
  const playing = state === 'playing'
  const looks = useTicks(playing ? LOOK_MS : undefined)
  const { data } = useApi<List<LiveMatch>>(playing ? pathTo(['contests', contest, 'live']) : undefined, looks)
  if (!playing || data === undefined || data.items.length === 0) return null
  return (
    <section id="live" aria-labelledby="live-heading">
      <h2 id="live-heading">Being played</h2>
      <ul className="under-way">
        {data.items.slice(0, LISTED).map(({ key, seats, matches }) => (
          <li key={key}>
            <Link to={pathTo(['contests', contest, 'live'], { match: key })}>
              {versus(seats.slice(0, NAMED).map(({ name }) => visible(name)))}
              {seats.length > NAMED && ` and ${figure(seats.length - NAMED)} more`}
            </Link>{' '}
            <span className="quiet">
              {matchLabel(key)}
              {matches > 1 && `, ${figure(matches)} matches`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Counts up, as long as the page is looked at; undefined: it does not. */
export function useTicks(ms: number | undefined): number {
  const [ticks, setTicks] = useState(0)
  useEffect(() => {
    if (ms === undefined) return undefined
    const timer = setInterval(() => document.visibilityState === 'visible' && setTicks((n) => n + 1), ms)
    return () => clearInterval(timer)
  }, [ms])
  return ticks
}

/** A match move by move while it is played. Once it is over the page is that of its replay. */
export function LivePage({ id }: { readonly id: string }) {
  const { query } = useAddress()
  const match = query.get('match') ?? ''
  const watching = useWatching(id, match)
  const { ended, packed, sealed } = watching
  useEffect(() => {
    if (ended === undefined) return
    // A spectator who could see it stays at the same step; one who could not begins at the start.
    const turn = sealed === undefined ? new URLSearchParams(location.search).get('turn') : undefined
    go(pathTo(['matches', ended.match], { contest: id, turn: turn ?? undefined }), true)
  }, [ended, id, sealed])
  if (packed !== undefined && sealed === undefined) {
    const own = (turn?: number, as?: number) => pathTo(['contests', id, 'live'], { match, turn, as })
    return <Film packed={packed} contest={id} own={own} note={<Note watching={watching} />} />
  }
  return (
    <Shell title={titleOf(watching)} above={<Link to={pathTo(['contests', id])}>The contest</Link>}>
      <Empty>
        <Why watching={watching} contest={id} />
      </Empty>
    </Shell>
  )
}

const titleOf = ({ seats }: Watching): string =>
  seats === undefined ? 'A match' : versus(seats.map(({ entrant }) => visible(entrant)))

/** That the match is being played now, or that this is not known. */
function Note({ watching: { connected, ended } }: { readonly watching: Watching }) {
  return (
    <p className="live-note inner" role="status">
      {!connected ? (
        'The connection was lost. It is being made again; nothing is missed.'
      ) : ended ? (
        'It is over.'
      ) : (
        <>
          <span className="state playing">
            <i aria-hidden="true" />
            live
          </span>{' '}
          It is being played: moves appear as they are made.
        </>
      )}
    </p>
  )
}

/** Why there is nothing to see. */
function Why({
  watching: { gone, sealed, connected },
  contest,
}: {
  readonly watching: Watching
  readonly contest: string
}) {
  const matches = <Link to={pathTo(['contests', contest, 'matches'])}>All matches</Link>
  if (gone)
    return (
      <>
        <p>
          <b>This match is not being played.</b>
        </p>
        <p>It may be long over, or void and still to be played again. {matches}</p>
      </>
    )
  if (sealed)
    return (
      <>
        <p role="status">
          <b>It is being played.</b>
        </p>
        <p>
          {sealed === 'hidden'
            ? 'This game hides something from its players, so it cannot be watched while it is played.'
            : 'This game has chance, and the same luck is dealt again with other seats.'}{' '}
          The replay opens here by itself once all matches that share its luck are over.
        </p>
      </>
    )
  return (
    <p className="waiting" role="status">
      <span className="spinner" aria-hidden="true" />{' '}
      {connected ? 'Waiting for the first move …' : 'The connection was lost. It is being made again …'}
    </p>
  )
}
