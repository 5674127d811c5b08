import { useEffect, useState } from 'react'
import type { MatchRecord } from '../../core/index.js'
import type { ComputedMatch, PackedMatch } from '../document.js'
import { versus } from '../format.js'
import { listen } from './live.js'
import { Film } from './match.js'
import { go, pathTo, useAddress } from './router.js'
import { Shell, Spinner, StateTag } from './shell.js'

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
      title={seats === undefined ? 'A match' : versus(seats.map(({ entrant }) => entrant))}
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

/** A match while it is played, as far as the page has received it. */
interface Watching {
  /** undefined: nothing has come yet, or nothing is shown of it. */
  readonly packed?: PackedMatch
  readonly sealed?: 'hidden' | 'chance'
  /** Its number, once it is stored. */
  readonly ended?: number
  /** It is neither played nor stored. */
  readonly gone?: true
  readonly connected: boolean
}

type Began = Omit<MatchRecord, 'luck' | 'outcome'> & { readonly positions?: ComputedMatch }
interface Steps extends Pick<MatchRecord, 'steps' | 'times'> {
  readonly from: number
  readonly positions?: ComputedMatch
}

/** Watches a match of a contest. */
function useWatching(contest: string, key: string): Watching {
  const [watching, setWatching] = useState<Watching>({ connected: true })
  useEffect(() => {
    const note = (news: Partial<Watching>) => setWatching((now) => ({ ...now, ...news }))
    const end = listen(
      pathTo(['contests', contest, 'live', 'events'], { match: key }),
      (connected) => note({ connected }),
      {
        began: (began: Began) => setWatching({ packed: begunOf(began), connected: true }),
        steps: (steps: Steps) =>
          setWatching((now) => (now.packed ? { ...now, packed: withSteps(now.packed, steps) } : now)),
        sealed: ({ why }: { readonly why: 'hidden' | 'chance' }) => note({ sealed: why }),
        ended({ match }: { readonly match: number }) {
          end()
          note({ ended: match })
        },
        gone() {
          end()
          note({ gone: true })
        },
      },
    )
    return end
  }, [contest, key])
  return watching
}

/** A record that has no end yet. Nothing was drawn of its luck, so any does. */
function begunOf({ positions, ...began }: Began): PackedMatch {
  const outcome = { place: began.seats.map(() => 1), reason: '' }
  return { record: { ...began, luck: { seed: '', at: 0 }, outcome }, positions, live: true }
}

function withSteps(
  { record, positions }: PackedMatch,
  { from, steps, times = [], positions: more }: Steps,
): PackedMatch {
  const grown = {
    ...record,
    steps: [...record.steps.slice(0, from), ...steps],
    times: [...(record.times ?? []).slice(0, from), ...times],
  }
  return { record: grown, live: true, positions: positions && more && joined(positions, more, from) }
}

/** Positions as text, the first of `more` being that after step `from`. */
const joined = (positions: ComputedMatch, more: ComputedMatch, from: number): ComputedMatch => ({
  boards: [...positions.boards.slice(0, from + 1), ...more.boards],
  moves: [...positions.moves.slice(0, from), ...more.moves],
  figures: positions.figures && more.figures && [...positions.figures.slice(0, from + 1), ...more.figures],
  pictures: positions.pictures && more.pictures && [...positions.pictures.slice(0, from + 1), ...more.pictures],
})
