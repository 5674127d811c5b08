import { FAULT_KINDS, type FaultKind } from '../../core/game.js'
import { visible } from '../../core/index.js'
import { counted, figure, percent } from '../format.js'
import { type AnswerTimes, Times } from './answer-times.js'
import { useApi } from './api.js'
import { ContestShell } from './contest.js'
import type { Contest, List, MatchFacts } from './facts.js'
import { useLive } from './live.js'
import { MatchRows } from './match-rows.js'
import { Link, pathTo } from './router.js'
import { Empty, Shell, Waiting } from './shell.js'

/** What the API tells of an entrant. */
interface EntrantFacts {
  readonly name: string
  readonly rank: number | null
  readonly points: number
  readonly matches: number
  readonly wins: number
  readonly draws: number
  readonly losses: number
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>
  readonly author?: string
  readonly opponents: readonly {
    readonly name: string
    readonly ahead: number
    readonly level: number
    readonly behind: number
  }[]
  readonly times?: AnswerTimes
  readonly versions?: readonly {
    readonly id: string
    readonly version: number
    readonly state: string
    readonly at: string
    readonly matches?: number
    readonly points?: number
  }[]
}

/** An entrant: how it fares against whom, its versions, its times and faults. */
export function BotPage({ id, name }: { readonly id: string; readonly name: string }) {
  const live = useLive(id)
  const contest = useApi<Contest>(pathTo(['contests', id]), live.version)
  const { data: bot, problem } = useApi<EntrantFacts>(pathTo(['contests', id, 'entrants', name]), live.version)
  if (contest.data === undefined) {
    return (
      <Shell title={visible(name)}>
        <Waiting problem={contest.problem} what="the contest" />
      </Shell>
    )
  }
  return (
    <ContestShell contest={contest.data} live={live}>
      <section aria-labelledby="bot">
        <h2 id="bot">{visible(name)}</h2>
        {bot === undefined ? (
          <Waiting problem={problem} what="the bot" />
        ) : (
          <Bot contest={id} bot={bot} version={live.version} />
        )}
      </section>
    </ContestShell>
  )
}

function Bot({
  contest,
  bot,
  version,
}: {
  readonly contest: string
  readonly bot: EntrantFacts
  readonly version: number
}) {
  const { name, rank, points, matches, wins, draws, losses, author, opponents, versions = [], times, faults } = bot
  const share = ({ ahead, level, behind }: (typeof opponents)[number]) =>
    (ahead + level / 2) / Math.max(1, ahead + level + behind)
  const sorted = [...opponents].sort((a, b) => share(b) - share(a))
  const [prey, nemesis] = [sorted[0], sorted.at(-1)]
  return (
    <>
      <dl className="facts">
        <Fact name="Rank" value={rank === null ? '–' : figure(rank)} />
        <Fact name="Points" value={figure(points)} />
        <Fact name="Matches" value={figure(matches)} />
        <Fact name="Won" value={figure(wins)} />
        <Fact name="Drawn" value={figure(draws)} />
        <Fact name="Lost" value={figure(losses)} />
        {author !== undefined && <Fact name="Author" value={visible(author)} />}
        {prey && nemesis && prey !== nemesis && (
          <>
            <Fact name="Prey" value={`${visible(prey.name)} (${percent(share(prey))})`} />
            <Fact name="Nemesis" value={`${visible(nemesis.name)} (${percent(share(nemesis))})`} />
          </>
        )}
      </dl>
      <div className="parts">
        <section aria-labelledby="opponents">
          <h2 id="opponents">Against each opponent</h2>
          {sorted.length === 0 ? (
            <Empty>It has met nobody yet.</Empty>
          ) : (
            <Opponents contest={contest} name={name} opponents={sorted} share={share} />
          )}
        </section>
        <Some contest={contest} name={name} result="win" title="Newest wins" version={version} />
        <Some contest={contest} name={name} result="loss" title="Newest losses" version={version} />
        <section aria-labelledby="faults">
          <h2 id="faults">Faults and time</h2>
          <Faults contest={contest} name={name} faults={faults} />
          {times && <Times times={times} />}
        </section>
        {versions.length > 0 && (
          <section aria-labelledby="versions">
            <h2 id="versions">Versions</h2>
            <Versions versions={versions} />
          </section>
        )}
      </div>
    </>
  )
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

interface OpponentsProps {
  readonly contest: string
  readonly name: string
  readonly opponents: EntrantFacts['opponents']
  readonly share: (opponent: EntrantFacts['opponents'][number]) => number
}

function Opponents({ contest, name, opponents, share }: OpponentsProps) {
  return (
    <div className="scrollable" role="region" aria-label="the table of opponents" tabIndex={0}>
      <table className="opponents">
        <thead>
          <tr>
            <th scope="col">Opponent</th>
            <th scope="col" className="number">
              Won
            </th>
            <th scope="col" className="number">
              Drawn
            </th>
            <th scope="col" className="number">
              Lost
            </th>
            <th scope="col" className="number">
              Share
            </th>
            <td className="bars" aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {opponents.map((opponent) => (
            <tr key={opponent.name}>
              <th scope="row">
                <Link to={pathTo(['contests', contest, 'matches'], { bot: name, opponent: opponent.name })}>
                  {visible(opponent.name)}
                </Link>
              </th>
              <td className="number">{figure(opponent.ahead)}</td>
              <td className="number">{figure(opponent.level)}</td>
              <td className="number">{figure(opponent.behind)}</td>
              <td className="number">{percent(share(opponent))}</td>
              <td className="bars" aria-hidden="true">
                <svg className="share" viewBox="0 0 100 10" preserveAspectRatio="none">
                  <rect className="trough" width="100" height="10" />
                  <rect className="own" width={100 * share(opponent)} height="10" />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface SomeProps {
  readonly contest: string
  readonly name: string
  readonly result: 'win' | 'loss'
  readonly title: string
  readonly version: number
}

function Some({ contest, name, result, title, version }: SomeProps) {
  const path = pathTo(['contests', contest, 'matches'], { bot: name, result, limit: 5 })
  const { data } = useApi<List<MatchFacts>>(path, version)
  if (!data || data.items.length === 0) return null
  return (
    <section aria-labelledby={`some-${result}`}>
      <h2 id={`some-${result}`}>{title}</h2>
      <MatchRows contest={contest} matches={data.items} of={name} />
      <p>
        <Link to={pathTo(['contests', contest, 'matches'], { bot: name, result })}>All of them</Link>
      </p>
    </section>
  )
}

function Faults({
  contest,
  name,
  faults,
}: {
  readonly contest: string
  readonly name: string
  readonly faults: EntrantFacts['faults']
}) {
  const kinds = FAULT_KINDS.filter((kind) => faults[kind] !== undefined)
  if (kinds.length === 0) return <p>It was never faulted.</p>
  return (
    <ul>
      {kinds.map((kind) => (
        <li key={kind}>
          <Link to={pathTo(['contests', contest, 'matches'], { bot: name, fault: kind })}>
            {counted(faults[kind] ?? 0, kind, kind)}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Versions({ versions }: { readonly versions: NonNullable<EntrantFacts['versions']> }) {
  return (
    <div className="scrollable" role="region" aria-label="the table of versions" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">State</th>
            <th scope="col">Entered</th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ id, version, state, at }) => (
            <tr key={id}>
              <th scope="row">
                <Link to={pathTo(['entries', id])}>{version}</Link>
              </th>
              <td>{state}</td>
              <td>{new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
