import { useEffect } from 'react'
import { visible } from '../../core/index.js'
import { versus } from '../format.js'
import { Film } from './match.js'
import { go, pathTo, useAddress } from './router.js'
import { Shell, Spinner, StateTag } from './shell.js'
import { type Watching, useWatching } from './watching.js'

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
    go(pathTo(['matches', ended], { contest: id, turn: turn ?? undefined }), true)
  }, [ended, id, sealed])
  if (packed !== undefined && sealed === undefined) {
    const own = (turn?: number, as?: number) => pathTo(['contests', id, 'live'], { match, turn, as })
    return <Film packed={packed} contest={id} own={own} note={<Note watching={watching} />} />
  }
  const seats = packed?.record.seats
  return (
    <Shell
      title={seats === undefined ? 'A match' : versus(seats.map(({ entrant }) => visible(entrant)))}
      above={<a href={pathTo(['contests', id])}>The contest</a>}
    >
      <div className="empty">
        <Why watching={watching} contest={id} />
      </div>
    </Shell>
  )
}

/** That the match is being played now, or that this is not known. */
function Note({ watching: { connected, ended } }: { readonly watching: Watching }) {
  return (
    <p className="beside inner" role="status">
      {!connected ? (
        'The connection was lost. It is being made again; nothing is missed.'
      ) : ended === undefined ? (
        <>
          <StateTag state="playing" /> It is being played: moves appear as they are made.
        </>
      ) : (
        'It is over.'
      )}
    </p>
  )
}

interface WhyProps {
  readonly watching: Watching
  readonly contest: string
}

/** Why there is nothing to see. */
function Why({ watching: { gone, sealed, connected }, contest }: WhyProps) {
  if (gone)
    return (
      <>
        <p>
          <b>This match is not being played.</b>
        </p>
        <p>
          It may be long over, or void and still to be played again.{' '}
          <a href={pathTo(['contests', contest, 'matches'])}>All matches</a>
        </p>
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
    <Spinner>
      {connected ? 'Waiting for the first move …' : 'The connection was lost. It is being made again …'}
    </Spinner>
  )
}
