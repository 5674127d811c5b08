import { useEffect, useMemo, useState } from 'react'
import { visible } from '../core/index.js'
import type { PackedMatch } from './document.js'
import { SharedProvider, formatPlace, usePlace, useReport } from './shared.js'
import type { Report } from './load.js'
import { Crosstable } from './overview/crosstable.js'
import { Lead, Terms } from './overview/lead.js'
import { Matches } from './overview/matches.js'
import { Rounds } from './overview/rounds.js'
import { Standings } from './overview/standings.js'
import { Troubles } from './overview/troubles.js'
import { Sections } from './parts.js'
import { Replay } from './replay/replay.js'

/** The page: the report, or one of its matches, as the address says. */
export function App({ report }: { readonly report: Report }) {
  const [place, go] = usePlace()
  const shared = useMemo(() => ({ report, place, go, href: formatPlace }), [report, place, go])
  return (
    <SharedProvider value={shared}>
      {place.match === undefined ? <Overview /> : <Opened key={place.match} report={report} match={place.match} />}
    </SharedProvider>
  )
}

function Opened({ report, match }: { readonly report: Report; readonly match: string }) {
  const [opened, setOpened] = useState<PackedMatch | Error>()
  useEffect(() => {
    const at = report.matches.findIndex(([key]) => key === match)
    const found = at < 0 ? Promise.reject(new Error(`there is no match "${match}" in this page`)) : report.match(at)
    found.then(setOpened, (error: unknown) => setOpened(error instanceof Error ? error : new Error(String(error))))
    window.scrollTo(0, 0)
  }, [report, match])
  if (opened === undefined) return <main className="waiting inner">Unpacking the match …</main>
  if (opened instanceof Error) {
    return (
      <main className="waiting inner">
        <h1>No such match</h1>
        <p>{opened.message}</p>
        <p>
          <a href="#at=matches">All matches</a>
        </p>
      </main>
    )
  }
  return <Replay packed={opened} />
}

function Overview() {
  const { document, place, href } = useReport()
  const parts = [
    ['standings', 'Standings', <Standings />],
    ['crosstable', 'Crosstable', <Crosstable />],
    ...(document.rounds ? [['rounds', 'Rounds', <Rounds rounds={document.rounds} />] as const] : []),
    ['troubles', 'Faults and time', <Troubles />],
    ['matches', 'Matches', <Matches />],
  ] as const
  useEffect(() => {
    if (place.at === undefined) return
    const section = window.document.getElementById(place.at)
    section?.scrollIntoView()
    section?.querySelector('h2')?.focus({ preventScroll: true })
  }, [place.at])
  return (
    <>
      <header className="masthead">
        <div className="inner">
          <p className="kicker">{document.game.title}</p>
          <h1>{visible(document.title)}</h1>
          <Lead />
          <Terms />
        </div>
      </header>
      <nav className="parts" aria-label="parts of the report">
        {parts.map(([id, name]) => (
          <a key={id} href={href({ ...place, at: id })} aria-current={place.at === id ? 'location' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <main id="main" className="inner">
        <Sections parts={parts} />
      </main>
      <footer className="inner">
        <p>
          Made by agon {document.agon}. Every match here is replayed from its record by the game's own rules; this file
          loads nothing.
        </p>
      </footer>
    </>
  )
}
