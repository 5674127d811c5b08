import { useEffect } from 'react'
import { visible } from '../../core/index.js'
import { figure, pointsText } from '../format.js'
import { useShared } from '../shared.js'
import { Crosstable } from './crosstable.js'
import { Lead } from './lead.js'
import { Matches } from './matches.js'
import { Rounds } from './rounds.js'
import { Standings } from './standings.js'
import { Troubles } from './troubles.js'

/** The whole report but its replays, on one page to be read from top to bottom. */
export function Overview() {
  const { report, place, href } = useShared()
  const { document } = report
  const sections = [
    { id: 'standings', name: 'Standings', part: <Standings /> },
    { id: 'crosstable', name: 'Crosstable', part: <Crosstable /> },
    ...(document.rounds ? [{ id: 'rounds', name: 'Rounds', part: <Rounds rounds={document.rounds} /> }] : []),
    { id: 'troubles', name: 'Faults and time', part: <Troubles /> },
    { id: 'matches', name: 'Matches', part: <Matches /> },
  ]
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
          <Facts />
        </div>
      </header>
      <nav aria-label="parts of the report">
        <div className="inner">
          {sections.map(({ id, name }) => (
            <a key={id} href={href({ ...place, at: id })} aria-current={place.at === id ? 'location' : undefined}>
              {name}
            </a>
          ))}
        </div>
      </nav>
      <main id="main">
        {sections.map(({ id, name, part }) => (
          <section key={id} id={id} aria-labelledby={`${id}-heading`}>
            <h2 id={`${id}-heading`} tabIndex={-1}>
              {name}
            </h2>
            {part}
          </section>
        ))}
      </main>
      <footer>
        <p>
          Made by agon {document.agon}. Every match here is replayed from its record by the game's own rules; this file
          loads nothing.
        </p>
      </footer>
    </>
  )
}

function Facts() {
  const { report } = useShared()
  const { game, entrants, leftOut = [], matches, format, scoring, seed, options } = report.document
  const playing = entrants.filter(({ name }) => !leftOut.some((out) => out.name === name))
  const facts: [string, string][] = [
    ['Entrants', `${playing.length}${leftOut.length > 0 ? `, ${leftOut.length} left out` : ''}`],
    ['Matches', figure(matches.total)],
    ['Format', `${format.kind.replaceAll('-', ' ')} × ${format.repetitions}`],
    ['Points', pointsText(scoring)],
  ]
  const more: [string, string][] = [
    ['Game', game.summary],
    [
      'Options',
      Object.entries(options)
        .map(([name, value]) => `${name} ${optionText(value)}`)
        .join(' · ') || 'none',
    ],
    ...(seed === '' ? [] : [['Seed', visible(seed)] as [string, string]]),
  ]
  return (
    <>
      <List facts={facts} />
      <details className="more">
        <summary>Game, options and seed</summary>
        <List facts={more} />
      </details>
    </>
  )
}

const optionText = (value: unknown): string => (Array.isArray(value) ? value.join(' ') : String(value))

function List({ facts }: { readonly facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
