import { createRoot } from 'react-dom/client'
import { keepFocus } from '../focus.js'
import '../style.css'
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
import { Link, partsOf, useAddress } from './router.js'
import { ScrimmagePage } from './scrimmage.js'
import { Empty, Shell, useFocusOnChange } from './shell.js'

/** The page that belongs to an address. */
function Site() {
  const { path, query } = useAddress()
  useFocusOnChange(path)
  const [place, id, part, name, ...rest] = partsOf(path) ?? ['?']
  if (rest.length > 0) return <Nothing />
  if (place === undefined) return <Home />
  if (place === 'contests' && id !== undefined) {
    if (part === undefined) return <ContestPage key={id} id={id} />
    if (part === 'bots' && name !== undefined) return <BotPage key={`${id}/${name}`} id={id} name={name} />
    if (name !== undefined) return <Nothing />
    if (part === 'matches') return <MatchesPage key={id} id={id} />
    if (part === 'live') return <LivePage key={`${id} ${query.get('match') ?? ''}`} id={id} />
    if (part === 'rules') return <ContestRulesPage key={id} id={id} />
    if (part === 'enter') return <EnterPage key={id} id={id} />
    if (part === 'host') return <ManagePage key={id} id={id} />
  }
  if (part !== undefined) return <Nothing />
  if (place === 'contests' && id === undefined) return <Home />
  if (place === 'matches' && id !== undefined) return <MatchPage key={id} id={id} />
  if (place === 'entries' && id !== undefined)
    return <EntryPage key={id} id={id} contest={query.get('contest') ?? undefined} />
  if (place === 'scrimmages' && id !== undefined)
    return <ScrimmagePage key={id} id={id} contest={query.get('contest') ?? undefined} />
  if (place === 'sittings' && id !== undefined) return <SittingPage key={id} id={id} />
  if (place === 'play' && id === undefined) return <PlayPage key={query.toString()} />
  if (place === 'games' && id !== undefined) return <GamePage key={id} id={id} />
  if (place === 'mine' && id === undefined) return <MinePage />
  if (place === 'host' && id === undefined) return <HostPage />
  return <Nothing />
}

function Nothing() {
  return (
    <Shell title="There is nothing here">
      <Empty>
        <p>
          The address leads nowhere. <Link to="/">All contests</Link>
        </p>
      </Empty>
    </Shell>
  )
}

const root = document.getElementById('root')
if (root) {
  keepFocus(root)
  createRoot(root).render(<Site />)
}
