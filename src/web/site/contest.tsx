import { type ReactNode, useMemo, useState } from 'react'
import { visible } from '../../core/index.js'
import type { ReportDocument } from '../document.js'
import { counted, dateText, fewOf, figure, matchLabel, versus } from '../format.js'
import { MatchList } from '../match-list.js'
import { Crosstable } from '../overview/crosstable.js'
import { Terms, leadText } from '../overview/lead.js'
import { Rounds } from '../overview/rounds.js'
import { Standings } from '../overview/standings.js'
import { Section, Sections } from '../parts.js'
import { type Shared, SharedProvider, placeOf } from '../shared.js'
import { type Live, useApi, useLive, useTicks } from './api.js'
import type { Contest, List, LiveMatch, MatchFacts, SiteGame } from './facts.js'
import { go, pathTo, useAddress } from './router.js'
import { Above, Loaded, Shell, StateTag, Waiting } from './shell.js'

export const useGames = (): readonly SiteGame[] | undefined => useApi<List<SiteGame>>('/games').data?.items

interface OfContestProps {
  readonly id: string
  readonly title: string
  /** Where it is watched: what has happened since. */
  readonly live?: Live
  readonly document?: ReportDocument
  readonly children: (contest: Contest) => ReactNode
}

/** A page of a contest: its head, with the ways to the others, and the page's own. */
export function OfContest({ id, title, live, document, children }: OfContestProps) {
  const { path } = useAddress()
  const { data, problem } = useApi<Contest>(pathTo(['contests', id]), live?.version)
  const games = useGames()
  if (data === undefined)
    return (
      <Shell title={title}>
        <Waiting problem={problem} what="the contest" />
      </Shell>
    )
  const contest = { ...data, matches: Math.max(data.matches, live?.contest?.matches ?? 0) }
  const { game, state, hosted, sittings, entrants } = contest
  const own = (...parts: string[]) => pathTo(['contests', id, ...parts])
  const places = [
    [own(), 'Standings'],
    [own('matches'), 'Matches'],
    hosted && sittings !== false && entrants.length > 0 && [pathTo(['play'], { contest: id }), 'Play'],
    [own('rules'), 'Rules'],
    hosted && [own('enter'), 'Enter a bot'],
    hosted && [own('host'), 'Host'],
  ] as const
  return (
    <Shell
      title={visible(contest.title)}
      above={
        <>
          <Above />
          {games?.find((one) => one.id === game)?.title ?? visible(game)} <StateTag state={state} />
        </>
      }
      below={
        <>
          {document && document.standings.rows.length > 0 && (
            <p className="summary">
              {leadText(document, (entrant) => visible(document.entrants[entrant]?.name ?? '?'))}
            </p>
          )}
          <Progress contest={contest} />
          {live?.connected === false && (
            <p className="quiet" role="status">
              The connection was lost. It is being made again; nothing is missed.
            </p>
          )}
        </>
      }
    >
      <nav aria-label="the contest">
        {places.map(
          (place) =>
            place && (
              <a key={place[0]} href={place[0]} aria-current={path === place[0] ? 'page' : undefined}>
                {place[1]}
              </a>
            ),
        )}
      </nav>
      {children(contest)}
    </Shell>
  )
}

/** What the host says, how far it has come, and what holds it up. */
function Progress({ contest }: { readonly contest: Contest }) {
  const { state, why, notice, waits, idle, matches, planned, left, budget, created, ended } = contest
  const isUnderWay = planned !== undefined && planned > 0 && state !== 'finished'
  return (
    <>
      {notice !== undefined && <p className="notice">{visible(notice)}</p>}
      {why !== undefined && <p className="problem note">{visible(why)}</p>}
      {waits !== undefined && state === 'playing' && (
        <p className="problem note" role="status">
          It waits: {visible(waits)}.
        </p>
      )}
      {isUnderWay && <progress value={matches} max={planned} aria-label="matches played" />}
      <p className="quiet">
        {counted(matches, 'match', 'matches')}
        {isUnderWay && ` of ${figure(planned)}`}
        {state === 'playing' && left !== undefined && `, about ${timeLeft(left)} left`}
        {idle && ', waits for the next newcomer'}
        {seriesText(contest)}
        {ended === undefined ? `, made ${dateText(created)}` : `, ended ${dateText(ended)}`}
      </p>
      {budget && (
        <p className="quiet">
          It begins {counted(budget.hourly, 'match', 'matches')} an hour at most: the next{' '}
          {Date.parse(budget.until) - Date.now() > 90_000
            ? `at ${new Date(budget.until).toLocaleTimeString('en', { timeStyle: 'short' })}`
            : 'within a minute'}
          .
        </p>
      )}
    </>
  )
}

/** '40 seconds', '7 minutes', '2 hours': as well as an estimate is. */
function timeLeft(seconds: number): string {
  if (seconds < 90) return counted(Math.max(1, seconds), 'second')
  if (seconds < 90 * 60) return counted(Math.round(seconds / 60), 'minute')
  return counted(Math.round(seconds / 3600), 'hour')
}

/** What bots that remember are playing, behind the number of matches: a series' are counted together, at its end. */
export function seriesText({ series }: Pick<Contest, 'series'>): string {
  if (series === undefined) return ''
  const { playing, matches } = series
  return playing === 1
    ? `, and a series of ${figure(matches)} is being played`
    : `, and ${counted(playing, 'series', 'series')} of ${figure(matches)} together are being played`
}

interface MatchRowsProps {
  readonly contest: string
  readonly matches: readonly MatchFacts[]
  /** Whose matches they are: how each ended for it stands first. */
  readonly of?: string
  readonly label?: string
}

export function MatchRows({ contest, matches, ...more }: MatchRowsProps) {
  const listed = matches.map((match) => ({
    ...match,
    href: pathTo(['matches', match.id], { contest }),
    seats: match.seats.map((seat) => ({ ...seat, href: pathTo(['contests', contest, 'bots', seat.name]) })),
    faults: match.seats.reduce((sum, seat) => sum + seat.faults.length, 0),
  }))
  return <MatchList matches={listed} {...more} />
}

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
  const faulted = latest.filter(({ seats }) => seats.some(({ faults }) => faults.length > 0))
  const listed = (matches: Live['latest']) =>
    matches.length > 0 && <MatchRows contest={contest} matches={matches.slice(0, FEW)} />
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
          ['latest', 'Just played', listed(latest)],
          ['faulted', 'Faults as they happen', listed(faulted)],
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
