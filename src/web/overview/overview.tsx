import { useEffect } from 'react'
import { visible } from '../../core/index.js'
import { duration, figure, formatText, optionTexts, pointsText } from '../format.js'
import { Facts, Sections } from '../parts.js'
import { useReport } from '../shared.js'
import { Crosstable } from './crosstable.js'
import { Lead } from './lead.js'
import { Matches } from './matches.js'
import { Rounds } from './rounds.js'
import { Standings } from './standings.js'
import { Troubles } from './troubles.js'

export function Overview() {
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

/** What was played, and below it, folded away, what few ask for. */
export function Terms() {
  const { game, entrants, leftOut = [], matches, format, scoring, seed, options } = useReport().document
  const playing = entrants.filter(({ name }) => !leftOut.some((out) => out.name === name))
  const limits = [...new Set(entrants.map(({ limit }) => duration(limit * 1000)))]
  const texts = optionTexts(options).map(([name, value]) => `${name} ${value}`)
  return (
    <>
      <Facts
        facts={[
          ['Entrants', `${playing.length}${leftOut.length > 0 ? `, ${leftOut.length} left out` : ''}`],
          ['Matches', figure(matches.total)],
          ['Format', formatText(format)],
          ['Points', pointsText(scoring)],
        ]}
      />
      <details className="more">
        <summary>Game, options and limits</summary>
        <Facts
          facts={[
            ['Game', game.summary],
            ['Options', texts.join(' · ') || 'none'],
            ['Limit of an answer', limits.join(', ')],
            // A contest that goes on keeps it to itself.
            ...(seed === '' ? [] : [['Seed', visible(seed)] as const]),
          ]}
        />
      </details>
    </>
  )
}
