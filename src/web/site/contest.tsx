import { useMemo, useState } from 'react'
import { visible } from '../../core/index.js'
import type { ReportDocument } from '../document.js'
import { counted, duration, fewOf, figure, formatText, matchLabel, optionTexts, pointsText, versus } from '../format.js'
import { type Shared, SharedProvider, placeOf } from '../shared.js'
import { Crosstable } from '../overview/crosstable.js'
import { Rounds } from '../overview/rounds.js'
import { Terms } from '../overview/overview.js'
import { Standings } from '../overview/standings.js'
import { Section, Sections } from '../parts.js'
import { type Live, useApi, useLive, useTicks } from './api.js'
import { MatchRows, OfContest } from './contest-shell.js'
import type { Contest, List, LiveMatch, MatchFacts } from './facts.js'
import { go, pathTo, useAddress } from './router.js'
import { Loaded } from './shell.js'

/** Milliseconds after which a table is asked for again whose ratings do not rest on all matches yet. */
const RATED_MS = 2000

/** A contest: who leads and why, as it is now. */
export function ContestPage({ id }: { readonly id: string }) {
  const live = useLive(id)
  const [isBehind, setBehind] = useState(false)
  const looks = useTicks(isBehind ? RATED_MS : undefined)
  const asked = useApi<{ readonly report: ReportDocument | null }>(
    pathTo(['contests', id, 'report']),
    `${live.version} ${looks}`,
  )
  const { rated, total = 0 } = asked.data?.report?.matches ?? {}
  const now = rated !== undefined && rated < total
  if (now !== isBehind) setBehind(now)
  return (
    <OfContest id={id} title="Contest" live={live} document={asked.data?.report ?? undefined}>
      {(contest) => (
        <>
          {contest.state === 'playing' && <UnderWay contest={id} />}
          <Loaded of={asked} what="the table">
            {({ report }) =>
              report ? <Tables id={id} document={report} latest={live.latest} /> : <NothingYet contest={contest} />
            }
          </Loaded>
        </>
      )}
    </OfContest>
  )
}

const LOOK_MS = 2000
const LISTED = 8
const NAMED = 4

/** The matches of a contest that are being played; each leads to where it is watched. */
function UnderWay({ contest }: { readonly contest: string }) {
  const { data } = useApi<List<LiveMatch>>(pathTo(['contests', contest, 'live']), useTicks(LOOK_MS))
  if (data === undefined || data.items.length === 0) return null
  return (
    <Section id="live" title="Being played">
      <ul className="cards" role="list">
        {data.items.slice(0, LISTED).map(({ key, seats, matches }) => (
          <li key={key} className="panel live">
            <a href={pathTo(['contests', contest, 'live'], { match: key })}>
              {versus(
                seats.map(({ name }) => name),
                NAMED,
              )}
            </a>
            <span className="quiet small">
              {matchLabel(key)}
              {matches > 1 && `, ${figure(matches)} matches`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const FEW = 12

const NothingYet = ({ contest: { id, state, hosted, entrants } }: { readonly contest: Contest }) => (
  <div className="empty">
    <p>
      <b>Nothing has been played yet.</b>
    </p>
    <p>
      {state === 'created'
        ? 'The host has not started it. The table appears here by itself once the first match is over.'
        : 'The first matches are on their way: the table appears here by itself.'}
    </p>
    {entrants.length > 0 && (
      <p className="quiet">
        {counted(entrants.length, 'entrant')}: {fewOf(entrants, FEW)}
      </p>
    )}
    {hosted && <a href={pathTo(['contests', id, 'enter'])}>Enter a bot of your own</a>}
  </div>
)

interface TablesProps {
  readonly id: string
  readonly document: ReportDocument
  readonly latest: Live['latest']
}

function Tables({ id: contest, document, latest }: TablesProps) {
  const { query } = useAddress()
  const [first] = useState(() => ranksOf(document))
  const shared = useMemo((): Shared => {
    const href: Shared['href'] = ({ at, bot, rival }) =>
      at === 'matches'
        ? pathTo(['contests', contest, 'matches'], { bot, opponent: rival })
        : pathTo(['contests', contest], { bot })
    return {
      report: { document, matches: [] },
      place: placeOf(query),
      go: (place, replace) => go(href(place), replace),
      href,
      moved: new Map([...ranksOf(document)].map(([name, rank]) => [name, (first.get(name) ?? rank) - rank])),
      bot: (name) => pathTo(['contests', contest, 'bots', name]),
    }
  }, [contest, document, query.get('bot'), first])
  return (
    <SharedProvider value={shared}>
      <Sections
        parts={[
          ['standings', 'Standings', <Standings />],
          ['latest', 'Just played', latest.length > 0 && <MatchRows contest={contest} matches={latest} />],
          ['crosstable', 'Crosstable', <Crosstable />],
          ['rounds', 'Rounds', document.rounds && <Rounds rounds={document.rounds} />],
          ['terms', 'Terms', <Terms />],
        ]}
      />
    </SharedProvider>
  )
}

const ranksOf = ({ standings, entrants }: ReportDocument): ReadonlyMap<string, number> =>
  new Map(standings.rows.map(({ entrant, rank }) => [entrants[entrant]?.name ?? '', rank]))
