import { Section } from '../parts.js'
import { useApi } from './api.js'
import { OfContest, useGames } from './contest-shell.js'
import type { Rules } from './facts.js'
import { Markdown } from './markdown.js'
import { pathTo } from './router.js'
import { Shell, Waiting } from './shell.js'

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

function GameRules({ game }: { readonly game: string }) {
  const { data, problem } = useApi<Rules>(pathTo(['games', game, 'rules']))
  if (data === undefined) return <Waiting problem={problem} what="the rules" />
  const kits = data.kits.map((language) => [language, { language }] as const)
  const classKit = ['C++, a class', { language: 'C++', class: 'true' }] as const
  return (
    <>
      <Section id="kit" title="Starter kit">
        <p>A bot that plays, with all that its author needs: a zip in</p>
        <ul className="flow" role="list">
          {[...kits, ...(data.classKit ? [classKit] : [])].map(([name, query]) => (
            <li key={name}>
              <a href={`/api/v1${pathTo(['games', game, 'kit'], query)}`} download>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </Section>
      <Section id="rules" title="Messages and rules" kind="prose">
        <Markdown text={data.text} />
      </Section>
    </>
  )
}
