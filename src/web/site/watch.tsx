import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { MatchRecord } from '../../core/index.js'
import type { ComputedMatch, PackedMatch } from '../document.js'
import { versus } from '../format.js'
import { definitionOf } from '../replay/match.js'
import { type Shared, SharedProvider, placeOf } from '../shared.js'
import { Replay } from '../replay/replay.js'
import { listen, slotIn, useApi } from './api.js'
import { go, partsOf, pathTo, useAddress } from './router.js'
import { Shell, SiteBar, StateTag, Waiting } from './shell.js'

export function MatchPage({ id, contest }: { readonly id: string; readonly contest: string | undefined }) {
  const { data: record, problem } = useApi<MatchRecord>(pathTo(['matches', id]), 0, slotIn(contest))
  const isKnown = record !== undefined && definitionOf(record.game)?.game.version === record.version
  const { data: positions, problem: trouble } = useApi<ComputedMatch>(
    record !== undefined && !isKnown ? pathTo(['matches', id, 'positions']) : undefined,
  )
  const packed = useMemo(
    () => (record && (isKnown || positions) ? { record, positions } : undefined),
    [record, isKnown, positions],
  )
  if (packed !== undefined) return <Film packed={packed} contest={contest} />
  return (
    <Shell title={record === undefined ? 'Match' : versus(record.seats.map(({ entrant }) => entrant))}>
      <Waiting problem={problem ?? trouble} what="the match" />
    </Shell>
  )
}

const SEALED = {
  hidden: 'This game hides something from its players, so it cannot be watched while it is played.',
  chance: 'This game has chance, and the same luck is dealt again with other seats.',
}
const LOST = 'The connection was lost. It is being made again; nothing is missed.'

/** Once the match is over the page is that of its replay. */
export function LivePage({ id }: { readonly id: string }) {
  const { query } = useAddress()
  const match = query.get('match') ?? ''
  const { ended, packed, sealed, gone, connected } = useWatching(id, match)
  useEffect(() => {
    if (ended === undefined) return
    // Who could see it stays at the step; who could not begins at the start.
    const turn = sealed === undefined ? new URLSearchParams(location.search).get('turn') : undefined
    go(pathTo(['matches', ended], { contest: id, turn: turn ?? undefined }), true)
  }, [ended, id, sealed])
  if (packed !== undefined && sealed === undefined) {
    const note = (
      <p className="beside inner" role="status">
        {connected && <StateTag state="playing" />}{' '}
        {connected ? 'It is being played: moves appear as they are made.' : LOST}
      </p>
    )
    return <Film packed={packed} contest={id} note={note} />
  }
  const seats = packed?.record.seats
  const [what, why] = gone
    ? ['This match is not being played.', 'It may be long over, or void and still to be played again. ']
    : sealed
      ? [
          'It is being played.',
          `${SEALED[sealed]} The replay opens here by itself once all matches that share its luck are over.`,
        ]
      : [connected ? 'Waiting for the first move …' : LOST]
  return (
    <Shell
      title={seats === undefined ? 'A match' : versus(seats.map(({ entrant }) => entrant))}
      above={<a href={pathTo(['contests', id])}>The contest</a>}
    >
      <div className="empty" role="status">
        <p>
          <b>{what}</b>
        </p>
        <p>
          {why} {gone && <a href={pathTo(['contests', id, 'matches'])}>All matches</a>}
        </p>
      </div>
    </Shell>
  )
}

/** As far as the page has received the match. */
interface Watching {
  /** Undefined: nothing has come, or is shown. */
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

function useWatching(contest: string, key: string): Watching {
  const [watching, setWatching] = useState<Watching>({ connected: true })
  useEffect(() => {
    const note = (news: Partial<Watching>) => setWatching((now) => ({ ...now, ...news }))
    const end = listen(
      pathTo(['contests', contest, 'live', 'events'], { match: key }),
      (connected) => note({ connected }),
      {
        began: (began: Began) => setWatching({ packed: begunOf(began), connected: true }),
        steps: (steps: Steps) => setWatching((now) => ({ ...now, packed: now.packed && withSteps(now.packed, steps) })),
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

/** Nothing was drawn of its luck, so any does. */
function begunOf({ positions, ...began }: Began): PackedMatch {
  const outcome = { place: began.seats.map(() => 1), reason: '' }
  return { record: { ...began, luck: { seed: '', at: 0 }, outcome }, positions, live: true }
}

/** The first step is number `from`; the first of `more` positions follows it. */
function withSteps({ record, positions }: PackedMatch, { from, steps, times, positions: more }: Steps): PackedMatch {
  const grown = <T,>(before: readonly T[] = [], after: readonly T[] = []) => [...before.slice(0, from), ...after]
  const positionsOf = <T,>(before: readonly T[] | undefined, after: readonly T[] | undefined) =>
    before && after && [...before.slice(0, from + 1), ...after]
  return {
    record: { ...record, steps: grown(record.steps, steps), times: grown(record.times, times) },
    live: true,
    positions: positions &&
      more && {
        ...positions,
        boards: positionsOf(positions.boards, more.boards) ?? [],
        moves: grown(positions.moves, more.moves),
        figures: positionsOf(positions.figures, more.figures),
        pictures: positionsOf(positions.pictures, more.pictures),
      },
  }
}

interface FilmProps {
  readonly packed: PackedMatch
  /** Undefined: of no contest. */
  readonly contest?: string
  readonly note?: ReactNode
  /** The way back; absent: to the contest's matches, or to all contests. */
  readonly back?: readonly [to: string, name: string]
  /** The first turn, where the address says none. */
  readonly start?: number
}

export function Film({ packed, contest, note, back, start }: FilmProps) {
  const { path, query } = useAddress()
  const shared = useMemo((): Shared => {
    const usual = contest === undefined ? (['/', 'All contests'] as const) : [pathTo(['contests', contest, 'matches'])]
    const [to = '/', name] = back ?? usual
    const others = Object.fromEntries([...query].filter(([word]) => word !== 'turn' && word !== 'as'))
    const href: Shared['href'] = ({ match, turn, as }) =>
      match === undefined ? to : pathTo(partsOf(path) ?? [], { ...others, turn, as })
    return {
      place: { turn: start, ...placeOf(query), match: 'match' },
      back: name,
      href,
      go: (place, replace) => go(href(place), replace),
    }
  }, [contest, packed, query.toString()])
  return (
    <SharedProvider value={shared}>
      <SiteBar />
      {note}
      <Replay packed={packed} />
    </SharedProvider>
  )
}
