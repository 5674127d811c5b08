import { visible } from '../../core/index.js'
import { counted, fewOf, figure } from '../format.js'
import { Section } from '../parts.js'
import { useApi, useTicks } from './api.js'
import { OfContest, seriesText, useGames } from './contest.js'
import type { Contest, List, Rules } from './facts.js'
import { Markdown } from './markdown.js'
import { pathTo } from './router.js'
import { Listed, Loaded, Shell, StateTag } from './shell.js'

export function Home() {
  const contests = useApi<List<Contest>>('/contests?limit=200', useTicks(5000))
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
          {(items) => <ContestCards contests={items} />}
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

interface CardsProps {
  readonly contests: readonly Contest[]
  /** The page of each that its card leads to; absent: its table. */
  readonly page?: string
}

export function ContestCards({ contests, page }: CardsProps) {
  const games = useGames()
  return (
    <ul className="cards" role="list">
      {contests.map(({ id, game, title, state, entrants, matches, planned, format, why, ...contest }) => (
        <li key={id} className={state === 'playing' ? 'panel live' : 'panel'}>
          <p className="kicker flow">
            {games?.find((one) => one.id === game)?.title ?? visible(game)} <StateTag state={state} />
          </p>
          <h3>
            <a href={pathTo(page === undefined ? ['contests', id] : ['contests', id, page])}>{visible(title)}</a>
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
      ))}
    </ul>
  )
}

export const ContestRulesPage = ({ id }: { readonly id: string }) => (
  <OfContest id={id} title="Rules">
    {({ game }) => <GameRules game={game} />}
  </OfContest>
)

export function GamePage({ id }: { readonly id: string }) {
  const game = useGames()?.find((one) => one.id === id)
  return (
    <Shell
      title={game?.title ?? id}
      above={<a href="/play">Play</a>}
      below={game && <p className="summary">{game.summary}</p>}
    >
      <GameRules game={id} />
    </Shell>
  )
}

const CLASS_KIT = ['C++, a class', { language: 'C++', class: 'true' }] as const

function GameRules({ game }: { readonly game: string }) {
  const rules = useApi<Rules>(pathTo(['games', game, 'rules']))
  return (
    <Loaded of={rules} what="the rules">
      {({ kits, classKit, text }) => (
        <>
          <Section id="kit" title="Starter kit">
            <p>A bot that plays, with all that its author needs: a zip in</p>
            <ul className="flow" role="list">
              {[...kits.map((language) => [language, { language }] as const), ...(classKit ? [CLASS_KIT] : [])].map(
                ([name, query]) => (
                  <li key={name}>
                    <a href={`/api/v1${pathTo(['games', game, 'kit'], query)}`} download>
                      {name}
                    </a>
                  </li>
                ),
              )}
            </ul>
          </Section>
          <Section id="rules" title="Messages and rules" kind="prose">
            <Markdown text={text} />
          </Section>
        </>
      )}
    </Loaded>
  )
}
