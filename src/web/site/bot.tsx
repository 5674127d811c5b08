import { FACTS, visible } from '../../core/index.js'
import { figure, percent } from '../format.js'
import { Times } from './answer-times.js'
import { useApi } from './api.js'
import { ContestShell } from './contest.js'
import { Faults } from './bot-faults.js'
import { Versions } from './bot-versions.js'
import type { Contest, EntrantFacts, MatchFacts } from './facts.js'
import { useLive } from './live.js'
import { MatchRows } from './match-rows.js'
import { rivals, share } from './rivals.js'
import { Link, pathTo } from './router.js'
import { Empty, Shell, Waiting } from './shell.js'

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
          <>
            {contest.data.hosted && contest.data.sittings !== false && (
              <p>
                <Link to={pathTo(['play'], { contest: id, bot: name })}>Play against it</Link>
              </p>
            )}
            <Bot contest={id} bot={bot} version={live.version} />
          </>
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
  const { name, rank, points, matches, wins, draws, losses, opponents, versions, times, faults, best, worst } = bot
  const { sorted, prey, nemesis } = rivals(opponents)
  return (
    <>
      <dl className="facts">
        <Fact name="Rank" value={rank === null ? '–' : figure(rank)} />
        <Fact name="Points" value={figure(points)} />
        <Fact name="Matches" value={figure(matches)} />
        <Fact name="Won" value={figure(wins)} />
        <Fact name="Drawn" value={figure(draws)} />
        <Fact name="Lost" value={figure(losses)} />
        {FACTS.map(
          (fact) => bot[fact] !== undefined && <Fact key={fact} name={capital(fact)} value={visible(bot[fact])} />,
        )}
        {prey && <Fact name="Prey" value={`${visible(prey.name)} (${percent(share(prey))})`} />}
        {nemesis && <Fact name="Nemesis" value={`${visible(nemesis.name)} (${percent(share(nemesis))})`} />}
      </dl>
      <div className="parts">
        <section aria-labelledby="opponents">
          <h2 id="opponents">Against each opponent</h2>
          {sorted.length === 0 ? (
            <Empty>It has met nobody yet.</Empty>
          ) : (
            <Opponents contest={contest} name={name} opponents={sorted} />
          )}
        </section>
        <Notable contest={contest} name={name} matches={best} result="win" title="Best wins" />
        <Notable contest={contest} name={name} matches={worst} result="loss" title="Worst losses" />
        <section aria-labelledby="faults">
          <h2 id="faults">Faults and time</h2>
          <Faults contest={contest} name={name} faults={faults} version={version} />
          {times && <Times times={times} />}
        </section>
        {versions.length > 0 && (
          <section aria-labelledby="versions">
            <h2 id="versions">Versions</h2>
            <Versions contest={contest} versions={versions} />
          </section>
        )}
      </div>
    </>
  )
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

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
}

function Opponents({ contest, name, opponents }: OpponentsProps) {
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

interface NotableProps {
  readonly contest: string
  readonly name: string
  readonly matches: readonly MatchFacts[]
  readonly result: 'win' | 'loss'
  readonly title: string
}

/** Its best wins, or its worst losses. */
function Notable({ contest, name, matches, result, title }: NotableProps) {
  if (matches.length === 0) return null
  return (
    <section aria-labelledby={`some-${result}`}>
      <h2 id={`some-${result}`}>{title}</h2>
      <p className="quiet">
        {result === 'win'
          ? 'The newest against each of the strongest that it beat.'
          : 'The newest against each of the weakest that beat it.'}
      </p>
      <MatchRows contest={contest} matches={matches} of={name} label={`the list of its ${title.toLowerCase()}`} />
      <p>
        <Link to={pathTo(['contests', contest, 'matches'], { bot: name, result })}>
          {result === 'win' ? 'All its wins' : 'All its losses'}
        </Link>
      </p>
    </section>
  )
}
