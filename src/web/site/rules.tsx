import { useApi } from './api.js'
import { ContestShell } from './contest.js'
import type { Contest, List, Rules, SiteGame } from './facts.js'
import { Markdown } from './markdown.js'
import { Link, pathTo } from './router.js'
import { Shell, Waiting } from './shell.js'

/** The rules of a contest's game. */
export function ContestRulesPage({ id }: { readonly id: string }) {
  const { data, problem } = useApi<Contest>(pathTo(['contests', id]))
  if (data === undefined) {
    return (
      <Shell title="Rules">
        <Waiting problem={problem} what="the contest" />
      </Shell>
    )
  }
  return (
    <ContestShell contest={data}>
      <GameRules game={data.game} />
    </ContestShell>
  )
}

/** The rules of a game. */
export function GamePage({ id }: { readonly id: string }) {
  const { data } = useApi<List<SiteGame>>('/games')
  const game = data?.items.find((one) => one.id === id)
  return (
    <Shell
      title={game?.title ?? id}
      above={<Link to="/play">Play</Link>}
      below={game && <p className="summary">{game.summary}</p>}
    >
      <GameRules game={id} />
    </Shell>
  )
}

function GameRules({ game }: { readonly game: string }) {
  const { data, problem } = useApi<Rules>(pathTo(['games', game, 'rules']))
  if (data === undefined) return <Waiting problem={problem} what="the rules" />
  const kit = (language: string, more = {}) => `/api/v1${pathTo(['games', game, 'kit'], { language, ...more })}`
  return (
    <>
      <section aria-labelledby="kit">
        <h2 id="kit">Starter kit</h2>
        <p>A bot that plays, with all that its author needs: a zip in</p>
        <ul className="kits">
          {data.kits.map((language) => (
            <li key={language}>
              <a href={kit(language)} download>
                {language}
              </a>
            </li>
          ))}
          {data.classKit && (
            <li>
              <a href={kit('C++', { class: 'true' })} download>
                C++, a class
              </a>
            </li>
          )}
        </ul>
      </section>
      <section aria-labelledby="rules" className="prose">
        <h2 id="rules">Messages and rules</h2>
        <Markdown text={data.text} />
      </section>
    </>
  )
}
