import { createRoot } from 'react-dom/client'
import { keepFocus } from '../focus.js'
import '../style.css'
import '../replay/replay.css'
import '../boards.css'
import './site.css'
import { BotPage } from './bot.js'
import { PlayPage } from './choose.js'
import { ContestPage } from './contest.js'
import { EnterPage } from './enter.js'
import { EntryPage } from './entry.js'
import { Home } from './home.js'
import { HostPage } from './host.js'
import { LivePage } from './live-match.js'
import { ManagePage } from './manage.js'
import { MatchPage } from './match.js'
import { MatchesPage } from './matches.js'
import { MinePage } from './mine.js'
import { SittingPage } from './play.js'
import { ContestRulesPage, GamePage } from './rules.js'
import { follow, partsOf, useAddress } from './router.js'
import { ScrimmagePage } from './scrimmage.js'
import { Shell, useFocusOnChange } from './shell.js'

/** The page that belongs to an address. */
function Site() {
  const { path, query } = useAddress()
  useFocusOnChange(path)
  const parts = partsOf(path) ?? ['?']
  const [, id = '', , name = ''] = parts
  const contest = query.get('contest') ?? undefined
  switch (parts.map((part, i) => (i % 2 === 0 ? part : '*')).join('/')) {
    case '':
    case 'contests':
      return <Home />
    case 'contests/*':
      return <ContestPage key={id} id={id} />
    case 'contests/*/bots/*':
      return <BotPage key={`${id}/${name}`} id={id} name={name} />
    case 'contests/*/matches':
      return <MatchesPage key={id} id={id} />
    case 'contests/*/live':
      return <LivePage key={`${id} ${query.get('match') ?? ''}`} id={id} />
    case 'contests/*/rules':
      return <ContestRulesPage key={id} id={id} />
    case 'contests/*/enter':
      return <EnterPage key={id} id={id} />
    case 'contests/*/host':
      return <ManagePage key={id} id={id} />
    case 'matches/*':
      return <MatchPage key={id} id={id} contest={contest} />
    case 'entries/*':
      return <EntryPage key={id} id={id} contest={contest} />
    case 'scrimmages/*':
      return <ScrimmagePage key={id} id={id} contest={contest} />
    case 'sittings/*':
      return <SittingPage key={id} id={id} />
    case 'play':
      return <PlayPage key={query.toString()} />
    case 'games/*':
      return <GamePage key={id} id={id} />
    case 'mine':
      return <MinePage />
    case 'host':
      return <HostPage />
    default:
      return <Nothing />
  }
}

function Nothing() {
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
