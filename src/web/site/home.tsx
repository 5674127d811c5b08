import { visible } from '../../core/index.js'
import { counted, fewOf, figure } from '../format.js'
import { Section } from '../parts.js'
import { useApi } from './api.js'
import { seriesText, useGames } from './contest-shell.js'
import type { Contest, List } from './facts.js'
import { useTicks } from './live.js'
import { pathTo } from './router.js'
import { Listed, Shell, StateTag } from './shell.js'

/** Milliseconds between two looks at the contests. */
const LOOK_MS = 5000

export function Home() {
  const contests = useApi<List<Contest>>('/contests?limit=200', useTicks(LOOK_MS))
  const games = useGames()
  return (
    <Shell
      title="agon"
      below={
        <p className="summary">
          Programs play games against each other. Choose a contest to see who leads and why, watch its matches turn by
          turn, enter a bot of your own, or <a href="/play">play against the bots yourself</a>.
        </p>
      }
    >
      <Section id="contests" title="Contests">
        <Listed of={contests} what="the contests" empty={NONE}>
          {(items) => (
            <ul className="cards" role="list">
              {items.map((contest) => (
                <Card
                  key={contest.id}
                  contest={contest}
                  game={games?.find(({ id }) => id === contest.game)?.title ?? visible(contest.game)}
                />
              ))}
            </ul>
          )}
        </Listed>
      </Section>
    </Shell>
  )
}

const NAMED = 6
const NONE = (
  <p>
    <b>There is no contest yet.</b> Whoever holds the host’s token <a href="/host">makes the first one</a>. Until then
    you can <a href="/play">play a game</a>.
  </p>
)

function Card({ contest, game }: { readonly contest: Contest; readonly game: string }) {
  const { id, title, state, entrants, matches, planned, format, why } = contest
  return (
    <li className={state === 'playing' ? 'panel live' : 'panel'}>
      <p className="kicker flow">
        {game} <StateTag state={state} />
      </p>
      <h3>
        <a href={pathTo(['contests', id])}>{visible(title)}</a>
      </h3>
      <p className="quiet">
        {counted(entrants.length, 'entrant')}
        {(state !== 'created' || matches > 0) && ` · ${counted(matches, 'match', 'matches')}`}
        {planned !== undefined && ` of ${figure(planned)}`}
        {seriesText(contest)}
        {format !== undefined && ` · ${format.replaceAll('-', ' ')}`}
      </p>
      {why !== undefined && <p className="problem note">{visible(why)}</p>}
      <p className="quiet">{fewOf(entrants, NAMED)}</p>
    </li>
  )
}
