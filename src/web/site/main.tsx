import { Fragment, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { lookUp } from '../../core/index.js'
import { keepFocus } from '../focus.js'
import '../style.css'
import '../replay/replay.css'
import '../boards.css'
import './site.css'
import { BotPage } from './bot.js'
import { ContestPage } from './contest.js'
import { EnterPage, MinePage } from './enter.js'
import { EntryPage } from './entry.js'
import { ContestRulesPage, GamePage, Home } from './home.js'
import { HostPage } from './host.js'
import { ManagePage } from './manage.js'
import { MatchesPage } from './matches.js'
import { PlayPage, ScrimmagePage, SittingPage } from './play.js'
import { follow, partsOf, useAddress } from './router.js'
import { Shell } from './shell.js'
import { LivePage, MatchPage } from './watch.js'

/** The pages by address: a star stands for a part of one's own. */
const PAGES: Readonly<Record<string, (own: readonly string[], query: URLSearchParams) => ReactNode>> = {
  '': () => <Home />,
  contests: () => <Home />,
  'contests/*': ([id = '']) => <ContestPage id={id} />,
  'contests/*/bots/*': ([id = '', name = '']) => <BotPage id={id} name={name} />,
  'contests/*/matches': ([id = '']) => <MatchesPage id={id} />,
  'contests/*/live': ([id = ''], query) => <LivePage key={query.get('match')} id={id} />,
  'contests/*/rules': ([id = '']) => <ContestRulesPage id={id} />,
  'contests/*/enter': ([id = '']) => <EnterPage id={id} />,
  'contests/*/host': ([id = '']) => <ManagePage id={id} />,
  'matches/*': ([id = ''], query) => <MatchPage id={id} contest={query.get('contest') ?? undefined} />,
  'entries/*': ([id = ''], query) => <EntryPage id={id} contest={query.get('contest') ?? undefined} />,
  'scrimmages/*': ([id = ''], query) => <ScrimmagePage id={id} contest={query.get('contest') ?? undefined} />,
  'sittings/*': ([id = '']) => <SittingPage id={id} />,
  play: (_own, query) => <PlayPage key={query.toString()} />,
  'games/*': ([id = '']) => <GamePage id={id} />,
  mine: () => <MinePage />,
  host: () => <HostPage />,
}

function Site() {
  const { path, query } = useAddress()
  const parts = partsOf(path) ?? ['?']
  const page = lookUp(PAGES, parts.map((part, i) => (i % 2 === 0 ? part : '*')).join('/'))
  const own = parts.filter((_, i) => i % 2 === 1)
  if (page !== undefined) return <Fragment key={path}>{page(own, query)}</Fragment>
  return (
    <Shell title="There is nothing here">
      <p className="empty">
        The address leads nowhere. <a href="/">All contests</a>
      </p>
    </Shell>
  )
}

const root = document.getElementById('root')
if (root) {
  keepFocus(root)
  createRoot(root).render(<Site />)
  // Behind React, whose listeners may have done something else with a click.
  root.addEventListener('click', follow)
}
