import { useState } from 'react'
import { visible } from '../../core/index.js'
import { Press } from '../press.js'
import { ask, useAction, useApi } from './api.js'
import type { Contest, SiteGame, List } from './facts.js'
import { Link, go, pathTo, useAddress } from './router.js'
import { Empty, Problem, Shell, Waiting } from './shell.js'

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
        <ul className="cards">
          {data.items.map((game) =>
            game.house.length > 0 ? (
              <Card key={game.id} game={game} bots={game.house} />
            ) : (
              <CardOfContests key={game.id} game={game} />
            ),
          )}
        </ul>
      )}
    </Shell>
  )
}

/** A game that no bots come with: it is played against the entrants of a contest. */
function CardOfContests({ game: { id, title, summary } }: { readonly game: SiteGame }) {
  const { data, problem } = useApi<List<Contest>>(pathTo(['contests'], { limit: 200 }))
  const open = data?.items.filter(
    (one) => one.hosted && one.game === id && one.sittings !== false && one.entrants.length > 0,
  )
  return (
    <li className="card-of">
      <h2>{title}</h2>
      <p className="quiet">{summary}</p>
      {open === undefined ? (
        <Waiting problem={problem} what="its contests" />
      ) : open.length === 0 ? (
        <p>No bots come with this game. As soon as one is entered in a contest of it, you can play against that.</p>
      ) : (
        <>
          <p>No bots come with this game. Play against the entrants of</p>
          <ul>
            {open.map((one) => (
              <li key={one.id}>
                <Link to={pathTo(['play'], { contest: one.id })}>{visible(one.title)}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </li>
  )
}

/** The entrants of a contest, by its options. */
function Entrants({ id, first }: { readonly id: string; readonly first: string | undefined }) {
  const { data: contest, problem } = useApi<Contest>(pathTo(['contests', id]))
  const games = useApi<List<SiteGame>>('/games')
  const game = games.data?.items.find((one) => one.id === contest?.game)
  return (
    <Shell
      title="Play"
      above={contest && <Link to={pathTo(['contests', id])}>{visible(contest.title)}</Link>}
      below={<p className="summary">Sit down against entrants of the contest. It counts for nothing.</p>}
    >
      {contest === undefined || game === undefined ? (
        <Waiting problem={problem ?? games.problem} what="the contest" />
      ) : contest.sittings === false || contest.entrants.length === 0 ? (
        <Empty>
          {contest.sittings === false
            ? 'People cannot play against the entrants of this contest.'
            : 'This contest has no entrants yet.'}
        </Empty>
      ) : (
        <ul className="cards">
          <Card game={game} bots={contest.entrants} contest={id} first={first} />
        </ul>
      )}
    </Shell>
  )
}

interface CardProps {
  readonly game: SiteGame
  /** Who can be played against. */
  readonly bots: readonly string[]
  /** In which they are entrants; absent: they are the game's house bots. */
  readonly contest?: string
  /** Whom it is about. */
  readonly first?: string | undefined
}

/** Opponents that can be chosen one by one, at most. */
const MOST = 12

function Card({ game: { id, title, summary, seats }, bots, contest, first }: CardProps) {
  const least = Math.max(1, seats.min - 1)
  const most = Math.max(least, Math.min(seats.max - 1, MOST))
  const ordered = first === undefined ? bots : [first, ...bots.filter((name) => name !== first)]
  const opponentAt = (n: number): string => ordered[n % Math.max(1, ordered.length)] ?? ''
  const [opponents, setOpponents] = useState(() => Array.from({ length: least }, (_, n) => opponentAt(n)))
  const sit = useAction(async () => {
    const body = contest === undefined ? { game: id, opponents } : { contest, opponents }
    const { id: sitting } = await ask<{ readonly id: string }>('POST', '/sittings', body)
    go(pathTo(['sittings', sitting]))
  })
  return (
    <li className="card-of">
      <h2>{title}</h2>
      <p className="quiet">{summary}</p>
      <p className="group-of">
        {opponents.map((opponent, n) => (
          // Seats have no other name than their number.
          <label key={n}>
            {n === 0 ? 'against' : 'and'}
            <select value={opponent} onChange={(event) => setOpponents(opponents.with(n, event.currentTarget.value))}>
              {bots.map((name) => (
                <option key={name} value={name}>
                  {visible(name)}
                </option>
              ))}
            </select>
          </label>
        ))}
        {opponents.length < most && (
          <button
            type="button"
            aria-label={`one more opponent in ${title}`}
            onClick={() => setOpponents([...opponents, opponentAt(opponents.length)])}
          >
            + one
          </button>
        )}
        {opponents.length > least && (
          <button
            type="button"
            aria-label={`one opponent less in ${title}`}
            onClick={() => setOpponents(opponents.slice(0, -1))}
          >
            − one
          </button>
        )}
        <Press className="main" resting={sit.busy || bots.length === 0} onClick={() => sit.run()}>
          {sit.busy ? 'Sitting down …' : `Play ${title}`}
        </Press>
      </p>
      {sit.problem && <Problem problem={sit.problem} />}
    </li>
  )
}
