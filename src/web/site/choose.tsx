import { useState } from 'react'
import { visible } from '../../core/index.js'
import { Press } from '../parts.js'
import { post, useAction, useApi } from './api.js'
import type { Contest, List, SiteGame } from './facts.js'
import { go, pathTo, useAddress } from './router.js'
import { Opponents } from './scrimmage.js'
import { Problem, Shell, Waiting } from './shell.js'

/** Choose a game and who plays against you: house bots, or the entrants of a contest. */
export function PlayPage() {
  const { query } = useAddress()
  const contest = query.get('contest')
  return contest === null ? <HouseBots /> : <Entrants id={contest} first={query.get('bot') ?? undefined} />
}

function HouseBots() {
  const { data, problem } = useApi<List<SiteGame>>('/games')
  return (
    <Shell title="Play" below={<p className="summary">Sit down against bots. What is hidden stays on the server.</p>}>
      {data === undefined ? (
        <Waiting problem={problem} what="the games" />
      ) : (
        <ul className="cards" role="list">
          {data.items.map((game) => (
            <li key={game.id} className="panel">
              <h2>{game.title}</h2>
              <p className="quiet">{game.summary}</p>
              {game.house.length > 0 ? <Choice game={game} bots={game.house} /> : <OpenContests game={game.id} />}
            </li>
          ))}
        </ul>
      )}
    </Shell>
  )
}

/** A game that no bots come with is played against the entrants of a contest. */
function OpenContests({ game }: { readonly game: string }) {
  const { data, problem } = useApi<List<Contest>>('/contests?limit=200')
  if (data === undefined) return <Waiting problem={problem} what="its contests" />
  const open = data.items.filter(
    (one) => one.hosted && one.game === game && one.sittings !== false && one.entrants.length > 0,
  )
  if (open.length === 0)
    return <p>No bots come with this game. As soon as one is entered in a contest of it, you can play against that.</p>
  return (
    <>
      <p>No bots come with this game. Play against the entrants of</p>
      <ul>
        {open.map(({ id, title }) => (
          <li key={id}>
            <a href={pathTo(['play'], { contest: id })}>{visible(title)}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

function Entrants({ id, first }: { readonly id: string; readonly first: string | undefined }) {
  const { data: contest, problem } = useApi<Contest>(pathTo(['contests', id]))
  const games = useApi<List<SiteGame>>('/games')
  const game = games.data?.items.find((one) => one.id === contest?.game)
  return (
    <Shell
      title="Play"
      above={contest && <a href={pathTo(['contests', id])}>{visible(contest.title)}</a>}
      below={<p className="summary">Sit down against entrants of the contest. It counts for nothing.</p>}
    >
      {contest === undefined || game === undefined ? (
        <Waiting problem={problem ?? games.problem} what="the contest" />
      ) : contest.sittings === false || contest.entrants.length === 0 ? (
        <p className="empty">
          {contest.sittings === false
            ? 'People cannot play against the entrants of this contest.'
            : 'This contest has no entrants yet.'}
        </p>
      ) : (
        <div className="cards">
          <section className="panel">
            <h2>{game.title}</h2>
            <p className="quiet">{game.summary}</p>
            <Choice game={game} bots={contest.entrants} contest={id} first={first} />
          </section>
        </div>
      )}
    </Shell>
  )
}

interface ChoiceProps {
  readonly game: SiteGame
  readonly bots: readonly string[]
  /** In which they are entrants; absent: they are the game's house bots. */
  readonly contest?: string
  readonly first?: string
}

/** Opponents that can be chosen one by one, at most. */
const MOST = 12

function Choice({ game: { id, title, seats }, bots, contest, first }: ChoiceProps) {
  const least = Math.max(1, seats.min - 1)
  const most = Math.max(least, Math.min(seats.max - 1, MOST))
  const ordered = first === undefined ? bots : [first, ...bots.filter((name) => name !== first)]
  const opponentAt = (n: number): string => ordered[n % Math.max(1, ordered.length)] ?? ''
  const [opponents, setOpponents] = useState<readonly string[]>(() =>
    Array.from({ length: least }, (_, n) => opponentAt(n)),
  )
  const sit = useAction(async () => {
    const body = contest === undefined ? { game: id, opponents } : { contest, opponents }
    const { id: sitting } = await post<{ readonly id: string }>('/sittings', body)
    go(pathTo(['sittings', sitting]))
  })
  return (
    <>
      <p className="flow">
        <Opponents label="against" chosen={opponents} bots={bots} onChoose={setOpponents} />
        {opponents.length < most && (
          <Press
            aria-label={`one more opponent in ${title}`}
            onClick={() => setOpponents([...opponents, opponentAt(opponents.length)])}
          >
            + one
          </Press>
        )}
        {opponents.length > least && (
          <Press aria-label={`one opponent less in ${title}`} onClick={() => setOpponents(opponents.slice(0, -1))}>
            − one
          </Press>
        )}
        <Press className="main" resting={sit.busy || bots.length === 0} onClick={() => sit.run()}>
          {sit.busy ? 'Sitting down …' : `Play ${title}`}
        </Press>
      </p>
      {sit.problem && <Problem problem={sit.problem} />}
    </>
  )
}
