import { type ReactNode, useMemo } from 'react'
import { type MatchRecord, visible } from '../../core/index.js'
import type { PackedMatch, ReportDocument, ComputedMatch } from '../document.js'
import { versus } from '../format.js'
import { definitionOf } from '../games.js'
import type { PageState } from '../hash.js'
import { Replay } from '../replay/replay.js'
import { type Shared, SharedProvider } from '../shared.js'
import { slotIn, useApi } from './api.js'
import { Link, follow, go, pathTo, useAddress } from './router.js'
import { Bar, Shell, Waiting } from './shell.js'

/** A match, turn by turn. */
export function MatchPage({ id }: { readonly id: string }) {
  const { query } = useAddress()
  const { data: record, problem } = useApi<MatchRecord>(
    pathTo(['matches', id]),
    0,
    slotIn(query.get('contest') ?? undefined),
  )
  const rules = record && definitionOf(record.game)
  const known = rules !== undefined && rules.game.version === record?.version
  const positions = useApi<ComputedMatch>(
    record !== undefined && !known ? pathTo(['matches', id, 'positions']) : undefined,
  )
  const packed = useMemo(
    () => (record && (known || positions.data) ? packedOf(record, positions.data) : undefined),
    [record, known, positions.data],
  )
  if (packed !== undefined) {
    const contest = query.get('contest') ?? undefined
    return <Film packed={packed} contest={contest} own={(turn, as) => pathTo(['matches', id], { contest, turn, as })} />
  }
  return (
    <Shell title={record === undefined ? 'Match' : versus(record.seats.map(({ entrant }) => visible(entrant)))}>
      <Waiting problem={problem ?? positions.problem} what="the match" />
    </Shell>
  )
}

const packedOf = (record: MatchRecord, positions: ComputedMatch | undefined): PackedMatch =>
  positions ? { record, positions } : { record }

interface FilmProps {
  readonly packed: PackedMatch
  readonly contest: string | undefined
  /** The address of a place in the match. */
  readonly own: (turn: number | undefined, as: number | undefined) => string
  /** Stands above it. */
  readonly note?: ReactNode
}

/** A match in the replay player. */
export function Film({ packed, contest, own, note }: FilmProps) {
  const { query } = useAddress()
  const shared = useMemo(() => {
    const base = sharedOf('', contest, packed, placeOf('match', query))
    const href: Shared['href'] = (place) => (place.match === undefined ? base.href(place) : own(place.turn, place.as))
    return { ...base, href, go: (to: PageState, replace?: boolean) => go(href(to), replace) }
  }, [contest, packed, query.toString()])
  return (
    <SharedProvider value={shared}>
      <Bar />
      {note}
      <div onClick={follow}>
        <Replay packed={packed} />
      </div>
      {contest === undefined && (
        <p className="inner quiet">
          <Link to="/">All contests</Link>
        </p>
      )}
    </SharedProvider>
  )
}

function placeOf(match: string, query: URLSearchParams): PageState {
  const count = (name: string) => (/^\d{1,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : undefined)
  const [turn, as] = [count('turn'), count('as')]
  return { match, turn, as }
}

/** What a replay needs of its surroundings: no table, and addresses of this site. */
export function sharedOf(id: string, contest: string | undefined, { record }: PackedMatch, place: PageState): Shared {
  const href: Shared['href'] = ({ match, turn, as }) =>
    match !== undefined
      ? pathTo(['matches', id], { contest, turn, as })
      : contest === undefined
        ? '/'
        : pathTo(['contests', contest, 'matches'])
  const document: ReportDocument = {
    report: 1,
    agon: '',
    title: '',
    game: { id: record.game, title: record.game, summary: '' },
    seed: '',
    over: true,
    options: record.options,
    format: { kind: 'round-robin', repetitions: 1 } as ReportDocument['format'],
    scoring: { win: 1, draw: 0.5, loss: 0 } as ReportDocument['scoring'],
    entrants: [],
    standings: { columns: [], rows: [], notes: [] },
    crosstable: { order: [], ahead: false, meetings: [] },
    faults: [],
    timing: [],
    matches: { total: 1, kept: 1, pack: 1, positions: false },
  }
  return {
    report: { document, matches: [], match: () => Promise.reject(new Error('one match alone')) },
    place,
    back: contest === undefined ? 'All contests' : undefined,
    go: (to, replace) => go(href(to), replace),
    href,
  }
}
