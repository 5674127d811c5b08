import { visible } from '../../core/index.js'
import { counted, figure } from '../format.js'
import { useApi } from './api.js'
import type { Contest, SiteGame, List } from './facts.js'
import { useTicks } from './live-match.js'
import { Link, pathTo } from './router.js'
import { seriesText } from './series-text.js'
import { Empty, Shell, StateTag, Waiting } from './shell.js'

/** Milliseconds between two looks at the contests. */
const LOOK_MS = 5000

/** Contests, live ones first. */
export function Home() {
  const { data, problem } = useApi<List<Contest>>('/contests?limit=200', useTicks(LOOK_MS))
  const games = useApi<List<SiteGame>>('/games').data?.items
  return (
    <Shell
      title="agon"
      below={
        <p className="summary">
          Programs play games against each other. Choose a contest to see who leads and why, watch its matches turn by
          turn, enter a bot of your own, or <Link to="/play">play against the bots yourself</Link>.
        </p>
      }
    >
      <section aria-labelledby="contests">
        <h2 id="contests">Contests</h2>
        {data === undefined ? (
          <Waiting problem={problem} what="the contests" />
        ) : data.items.length === 0 ? (
          <Empty>
            <p>
              <b>There is no contest yet.</b>
            </p>
            <p>
              Whoever holds the host’s token <Link to="/host">makes the first one</Link>. Until then you can{' '}
              <Link to="/play">play a game</Link>.
            </p>
          </Empty>
        ) : (
          <ul className="cards">
            {data.items.map((contest) => (
              <Card key={contest.id} contest={contest} game={games?.find(({ id }) => id === contest.game)} />
            ))}
          </ul>
        )}
      </section>
    </Shell>
  )
}

function Card({ contest, game }: { readonly contest: Contest; readonly game: SiteGame | undefined }) {
  const { id, title, state, entrants, matches, planned, format, why } = contest
  return (
    <li className={state === 'playing' ? 'card-of live' : 'card-of'}>
      <p className="kicker">
        {game?.title ?? visible(contest.game)} <StateTag state={state} />
      </p>
      <h3>
        <Link to={pathTo(['contests', id])}>{visible(title)}</Link>
      </h3>
      <p className="quiet">
        {counted(entrants.length, 'entrant')}
        {(state !== 'created' || matches > 0) && ` · ${counted(matches, 'match', 'matches')}`}
        {planned !== undefined && ` of ${figure(planned)}`}
        {seriesText(contest)}
        {format !== undefined && ` · ${format.replaceAll('-', ' ')}`}
      </p>
      {why !== undefined && <p className="problem">{visible(why)}</p>}
      <p className="names">
        {entrants.slice(0, 6).map(visible).join(', ')}
        {entrants.length > 6 && ` and ${figure(entrants.length - 6)} more`}
      </p>
    </li>
  )
}
