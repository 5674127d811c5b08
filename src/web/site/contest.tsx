import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { visible } from '../../core/index.js'
import type { ReportDocument } from '../document.js'
import { listed } from '../../text/index.js'
import { counted, duration, figure, pointsText } from '../format.js'
import { Crosstable } from '../overview/crosstable.js'
import { leadText } from '../overview/lead.js'
import { Rounds } from '../overview/rounds.js'
import { Standings } from '../overview/standings.js'
import { SharedProvider, type Shared } from '../shared.js'
import { type Fetched, useApi } from './api.js'
import type { Contest, SiteGame, List } from './facts.js'
import { JustFaulted } from './just-faulted.js'
import { type Live, useLive } from './live.js'
import { UnderWay } from './live-match.js'
import { MatchRows } from './match-rows.js'
import { seriesText } from './series-text.js'
import { type PageAddress, Link, follow, go, pathTo, useAddress } from './router.js'
import { AllContests, Empty, Shell, StateTag, Waiting } from './shell.js'

/** What the API tells of a contest's table with all that belongs to it. */
interface LiveReport {
  readonly report: ReportDocument | null
}

/** A contest: who leads and why, as it is now. */
export function ContestPage({ id }: { readonly id: string }) {
  const live = useLive(id)
  const { data: first, problem } = useApi<Contest>(pathTo(['contests', id]), live.version)
  const report = useReport(id, live.version)
  const contest = first && currentOf(first, live)
  if (contest === undefined) {
    return (
      <Shell title="Contest">
        <Waiting problem={problem} what="the contest" />
      </Shell>
    )
  }
  const document = report.data?.report ?? undefined
  return (
    <ContestShell contest={contest} live={live} document={document}>
      <UnderWay contest={contest.id} state={contest.state} />
      {document === undefined ? (
        report.data === undefined ? (
          <Waiting problem={report.problem} what="the table" />
        ) : (
          <NothingYet contest={contest} />
        )
      ) : (
        <Tables contest={contest} document={document} live={live} />
      )}
    </ContestShell>
  )
}

/** Milliseconds after which a table is asked for again whose ratings do not rest on all matches yet. */
const RATED_MS = 2000

/** The tables of a contest, asked for again where `version` changes, and until its ratings rest on all matches. */
function useReport(id: string, version: number): Fetched<LiveReport> {
  const [looks, setLooks] = useState(0)
  const report = useApi<LiveReport>(pathTo(['contests', id, 'report']), `${version} ${looks}`)
  const { rated, total = 0 } = report.data?.report?.matches ?? {}
  const isBehind = rated !== undefined && rated < total
  useEffect(() => {
    if (!isBehind) return undefined
    const timer = setInterval(() => setLooks((n) => n + 1), RATED_MS)
    return () => clearInterval(timer)
  }, [isBehind])
  return report
}

/** A contest as it was last fetched, with what has been counted since. */
export const currentOf = (contest: Contest, { contest: now }: Live): Contest => ({
  ...contest,
  matches: Math.max(contest.matches, now?.matches ?? 0),
})

interface ContestShellProps {
  readonly contest: Contest
  readonly live?: Live
  readonly document?: ReportDocument | undefined
  readonly children: ReactNode
}

/** The head of every page of a contest, with the ways to the others. */
export function ContestShell({ contest, live, document, children }: ContestShellProps) {
  const { path } = useAddress()
  const { id, title, state, why, notice, waits, hosted, sittings, entrants } = contest
  const games = useApi<List<SiteGame>>('/games').data?.items
  const own = (...parts: string[]) => pathTo(['contests', id, ...parts])
  const places = [
    [own(), 'Standings'],
    [own('matches'), 'Matches'],
    ...(hosted && sittings !== false && entrants.length > 0
      ? [[pathTo(['play'], { contest: id }), 'Play'] as const]
      : []),
    [own('rules'), 'Rules'],
    ...(hosted ? [[own('enter'), 'Enter a bot'] as const, [own('host'), 'Host'] as const] : []),
  ] as const
  return (
    <Shell
      title={visible(title)}
      above={
        <>
          <AllContests />
          {games?.find((game) => game.id === contest.game)?.title ?? visible(contest.game)} <StateTag state={state} />
        </>
      }
      below={
        <>
          {document && document.standings.rows.length > 0 && (
            <p className="summary">
              {leadText(document, (entrant) => visible(document.entrants[entrant]?.name ?? '?'))}
            </p>
          )}
          {notice !== undefined && <p className="notice">{visible(notice)}</p>}
          {why !== undefined && <p className="problem">{visible(why)}</p>}
          {waits !== undefined && state === 'playing' && (
            <p className="problem" role="status">
              It waits: {visible(waits)}.
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
      <nav className="tabs-of" aria-label="the contest">
        {places.map(([to, name]) => (
          <Link key={to} to={to} aria-current={path === to ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      {children}
    </Shell>
  )
}

function Progress({ contest }: { readonly contest: Contest }) {
  const { state, idle, matches, planned, left, budget, created, ended } = contest
  const isPlanned = planned !== undefined && planned > 0
  return (
    <div className="progress">
      {isPlanned && state !== 'finished' && <progress value={matches} max={planned} aria-label="matches played" />}
      <p className="quiet">
        {counted(matches, 'match', 'matches')}
        {isPlanned && state !== 'finished' && ` of ${figure(planned)}`}
        {state === 'playing' && left !== undefined && `, about ${timeLeft(left)} left`}
        {idle && ', waits for the next newcomer'}
        {seriesText(contest)}
        {ended !== undefined &&
          `, ended ${new Date(ended).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}`}
        {ended === undefined &&
          `, made ${new Date(created).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}`}
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
    </div>
  )
}

/** '40 seconds', '7 minutes', '2 hours': as well as an estimate is. */
function timeLeft(seconds: number): string {
  if (seconds < 90) return counted(Math.max(1, seconds), 'second')
  if (seconds < 90 * 60) return counted(Math.round(seconds / 60), 'minute')
  return counted(Math.round(seconds / 3600), 'hour')
}

/** Of the entrants of a contest that has not begun, so many are named. */
const NAMED = 12

function NothingYet({ contest: { id, state, hosted, entrants } }: { readonly contest: Contest }) {
  return (
    <Empty>
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
          {counted(entrants.length, 'entrant')}: {listed(entrants.slice(0, NAMED).map(visible))}
          {entrants.length > NAMED && ` and ${figure(entrants.length - NAMED)} more`}
        </p>
      )}
      {hosted && (
        <p>
          <Link to={pathTo(['contests', id, 'enter'])}>Enter a bot of your own</Link>
        </p>
      )}
    </Empty>
  )
}

interface TablesProps {
  readonly contest: Contest
  readonly document: ReportDocument
  readonly live: Live
}

/** The parts of the report, from what the server knows now. */
function Tables({ contest, document, live: { latest, faulted } }: TablesProps) {
  const address = useAddress()
  const moved = useMoved(document)
  const shared = useMemo(
    () => ({ ...sharedOf(contest, document, address), moved }),
    [contest, document, address.query.get('bot'), moved],
  )
  const sections = [
    { id: 'standings', name: 'Standings', part: <Standings /> },
    ...(latest.length > 0
      ? [{ id: 'latest', name: 'Just played', part: <MatchRows contest={contest.id} matches={latest} /> }]
      : []),
    ...(faulted.length > 0
      ? [{ id: 'faulted', name: 'Faults as they happen', part: <JustFaulted contest={contest.id} matches={faulted} /> }]
      : []),
    { id: 'crosstable', name: 'Crosstable', part: <Crosstable /> },
    ...(document.rounds ? [{ id: 'rounds', name: 'Rounds', part: <Rounds rounds={document.rounds} /> }] : []),
    { id: 'terms', name: 'Terms', part: <Terms document={document} /> },
  ]
  return (
    <SharedProvider value={shared}>
      <div onClick={follow} className="parts">
        {sections.map(({ id, name, part }) => (
          <section key={id} id={id} aria-labelledby={`${id}-heading`}>
            <h2 id={`${id}-heading`}>{name}</h2>
            {part}
          </section>
        ))}
      </div>
    </SharedProvider>
  )
}

const ranksOf = ({ standings, entrants }: ReportDocument): ReadonlyMap<string, number> =>
  new Map(standings.rows.map(({ entrant, rank }) => [entrants[entrant]?.name ?? '', rank]))

/** How the table has moved since the page was opened. */
function useMoved(document: ReportDocument): ReadonlyMap<string, number> {
  const [first] = useState(() => ranksOf(document))
  return useMemo(
    () => new Map([...ranksOf(document)].map(([name, rank]) => [name, (first.get(name) ?? rank) - rank])),
    [document, first],
  )
}

/** What the report's parts need, with addresses of this site. */
function sharedOf(contest: Pick<Contest, 'id'>, document: ReportDocument, { query }: PageAddress): Shared {
  const bot = query.get('bot') ?? undefined
  const href: Shared['href'] = (place) =>
    place.at === 'matches'
      ? pathTo(['contests', contest.id, 'matches'], { bot: place.bot, opponent: place.rival })
      : pathTo(['contests', contest.id], { bot: place.bot })
  return {
    report: { document, matches: [], match: () => Promise.reject(new Error('matches have pages of their own')) },
    place: bot === undefined ? {} : { bot },
    go: (place, replace) => go(href(place), replace),
    href,
    bot: (name) => pathTo(['contests', contest.id, 'bots', name]),
  }
}

function Terms({ document }: { readonly document: ReportDocument }) {
  const { options, format, scoring, entrants, seed } = document
  const limits = [...new Set(entrants.map(({ limit }) => limit))]
  const terms: readonly (readonly [string, string])[] = [
    ['Format', `${format.kind.replaceAll('-', ' ')} × ${format.repetitions}`],
    ['Points', pointsText(scoring)],
    ['Limit of an answer', limits.map((limit) => duration(limit * 1000)).join(', ')],
    ...Object.entries(options).map(
      ([name, value]) => [name, Array.isArray(value) ? value.join(' ') : String(value)] as const,
    ),
    // A contest of this site keeps it to itself.
    ...(seed === '' ? [] : [['Seed', visible(seed)] as const]),
  ]
  return (
    <dl className="facts">
      {terms.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
