import { visible } from '../../core/index.js'
import type { ReportEntrant, ReportStandings } from '../document.js'
import { chance, counted, figure } from '../format.js'
import { SEPARABLE } from '../../stats/index.js'
import type { Report } from '../load.js'
import { tableCell } from '../../text/index.js'
import { nameOf, useShared } from '../shared.js'
import { RatedSoFar, RatingNotes } from './ratings.js'
import { Whisker, whiskerScale } from './whisker.js'

/** The table by points, with ratings and their intervals beside it where there are any. */
export function Standings() {
  const { report } = useShared()
  const { standings, ratings, matches } = report.document
  const most = Math.max(...standings.rows.map(({ points }) => points), 0)
  const scale = ratings && whiskerScale(ratings.rows, 130)
  const many = standings.columns.length > 8
  const heads = {
    columns: standings.columns,
    rated: scale !== undefined,
    scores: ratings?.scores ?? false,
    compared: ratings?.doubt === undefined,
  }
  return (
    <>
      <div className="scrollable" role="region" aria-label="the table" tabIndex={0}>
        <table className={many ? 'standings many' : 'standings'}>
          <thead>
            <Headings {...heads} />
          </thead>
          <tbody>
            {standings.rows.map((row) => (
              <Row key={row.entrant} row={row} most={most} scale={scale} many={many} />
            ))}
          </tbody>
        </table>
      </div>
      <Meanings of={meaningsOf(heads)} />
      <RatedSoFar {...matches} />
      {ratings && <RatingNotes ratings={ratings} />}
      {standings.notes.map((note) => (
        <p key={note} className="note">
          {visible(note)}
        </p>
      ))}
    </>
  )
}

interface HeadingsProps {
  readonly columns: readonly string[]
  /** Whether there are ratings. */
  readonly rated: boolean
  /** Whether these are mean scores. */
  readonly scores: boolean
  /** Whether ratings tell who is better. */
  readonly compared: boolean
}

function Headings({ columns, rated, scores, compared }: HeadingsProps) {
  return (
    <tr>
      <th scope="col" className="number">
        #
      </th>
      <th scope="col">Name</th>
      <th scope="col" className="number">
        Points
      </th>
      <td className="bars" aria-hidden="true" />
      {rated && (
        <th scope="col" className="whiskers">
          {scores ? 'Mean' : 'Rating'}
        </th>
      )}
      {rated && compared && (
        <>
          <th scope="col" className="number">
            First place
          </th>
          <th scope="col" className="number">
            Ranks
          </th>
          <th scope="col">{scores ? 'Better than the next' : 'Stronger than the next'}</th>
        </>
      )}
      {columns.map((column) => (
        <th key={column} scope="col" className="number">
          {visible(column)}
        </th>
      ))}
      <th scope="col" className="number">
        Faults
      </th>
    </tr>
  )
}

/** What the heads mean, for those who cannot rest a pointer on them. */
function meaningsOf({ rated, scores, compared }: HeadingsProps): readonly (readonly [string, string])[] {
  const chances = [
    ['First place', 'how probable it is that the first place is its own, or between which two probabilities that is'],
    ['Ranks', 'the ranks that it might as well have had'],
    [
      scores ? 'Better than the next' : 'Stronger than the next',
      `how sure it is that it is ${scores ? 'better' : 'stronger'} than the next one by rating`,
    ],
  ] as const
  return [
    ['Points', 'what its matches were worth, by the contest’s own rule'],
    ...(rated
      ? [
          [
            scores ? 'Mean' : 'Rating',
            scores
              ? 'its mean score, with its interval'
              : 'its strength in Elo units around the average of the field, with its interval',
          ] as const,
        ]
      : []),
    ...(rated && compared ? chances : []),
    ['Faults', 'how often its bot did something else than to answer'],
  ]
}

/** Heads of columns with what they mean, folded away. */
export function Meanings({ of }: { readonly of: readonly (readonly [head: string, means: string])[] }) {
  return (
    <details className="more">
      <summary>What the columns mean</summary>
      <dl className="meanings">
        {of.map(([head, means]) => (
          <div key={head}>
            <dt>{head}</dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

interface RowProps {
  readonly row: ReportStandings['rows'][number]
  /** The points of the first. */
  readonly most: number
  /** undefined: there are no ratings. */
  readonly scale: ReturnType<typeof whiskerScale> | undefined
  /** Whether there are many columns, which are then narrow. */
  readonly many: boolean
}

function Row({ row: { rank, entrant, points, cells, bound, out }, most, scale, many }: RowProps) {
  const { report, place, moved } = useShared()
  const { standings, ratings, entrants, faults } = report.document
  const own = entrants[entrant]
  const rating = ratings?.rows[entrant]
  const faulted = Object.values(faults[entrant] ?? {}).reduce((sum, n) => sum + n, 0)
  const chosen = place.bot === own?.name
  return (
    <tr className={chosen ? 'chosen' : undefined}>
      <td className="number rank">
        {rank}
        <Moved places={moved?.get(own?.name ?? '') ?? 0} />
      </td>
      <Entrant name={nameOf(report, entrant)} own={own} chosen={chosen} flags={rating?.flags ?? []} out={out} />
      <td className="number points">{figure(points)}</td>
      <td className="bars" aria-hidden="true">
        <span className="bar" style={{ width: `${most > 0 ? (100 * Math.max(0, points)) / most : 0}%` }} />
      </td>
      {scale && rating && (
        <td className="whiskers">
          <Whisker scale={scale} {...rating} brief plain={ratings?.scores ?? false} />
        </td>
      )}
      {scale && rating && !ratings?.doubt && (
        <>
          <td className="number">{rating.first === undefined ? '' : chance(rating.first)}</td>
          <td className="number">{[...new Set(rating.ranks)].join('–')}</td>
          <td className="next">{nextText(report, entrant)}</td>
        </>
      )}
      {cells.map((cell, i) => (
        <td key={standings.columns[i]} className={many ? 'number small' : 'number'}>
          {tableCell(standings.columns[i] ?? '', cell, bound, (value) => (value === null ? '' : figure(value)))}
        </td>
      ))}
      <td className={faulted > 0 ? 'number fault' : 'number quiet'}>{figure(faulted)}</td>
    </tr>
  )
}

/** How many places an entrant has gained or lost since the page was opened. */
function Moved({ places }: { readonly places: number }) {
  if (places === 0) return null
  const [mark, way] = places > 0 ? ['▲', 'up'] : ['▼', 'down']
  const text = `${counted(Math.abs(places), 'place')} ${way} since this page was opened`
  return (
    <span className={`moved ${way}`} title={text}>
      <span aria-hidden="true">
        {mark}
        {figure(Math.abs(places))}
      </span>
      <span className="unseen">, {text}</span>
    </span>
  )
}

/** Whether ratings separate an entrant from the next one by rating, which is named where it is not the next in the table; '' where there is none. */
function nextText(report: Report, entrant: number): string {
  const { ratings, standings } = report.document
  const next = ratings?.superiority.find(({ better }) => better === entrant)
  if (next === undefined) return ''
  const [sure, name] = [chance(next.probability), nameOf(report, next.worse)]
  if (next.probability < SEPARABLE) return `not separable from ${name} (${sure})`
  const below = standings.rows[standings.rows.findIndex((row) => row.entrant === entrant) + 1]
  return below?.entrant === next.worse ? `${sure} sure` : `over ${name}: ${sure} sure`
}

interface EntrantProps {
  /** As it is shown. */
  readonly name: string
  readonly own: ReportEntrant | undefined
  readonly chosen: boolean
  /** Why its rating rests on the prior. */
  readonly flags: readonly string[]
  /** That it was withdrawn or disqualified. */
  readonly out: string | undefined
}

/** An entrant's name, which leads to its page or highlights it, and what is known of it. */
function Entrant({ name, own, chosen, flags, out }: EntrantProps) {
  const { go, bot } = useShared()
  return (
    <th scope="row">
      {bot && own ? (
        <a className="name" href={bot(own.name)}>
          {name}
        </a>
      ) : (
        <button
          type="button"
          className="name"
          aria-pressed={chosen}
          title="highlight in every table and chart"
          onClick={() => go(chosen ? {} : { bot: own?.name ?? '' }, true)}
        >
          {name}
        </button>
      )}
      {own?.language !== undefined && <span className="tag">{visible(own.language)}</span>}
      {own?.remote && (
        <span className="tag" title="it plays on its author’s machine">
          remote
        </span>
      )}
      {own?.country !== undefined && <span className="tag">{visible(own.country)}</span>}
      {out !== undefined && <span className="tag out">{out}</span>}
      {flags
        .filter((flag) => out === undefined || flag !== 'out')
        .map((flag) => (
          <span key={flag} className="tag" title="its rating rests on the prior">
            {flag}
          </span>
        ))}
      {own?.author !== undefined && <span className="synopsis">by {visible(own.author)}</span>}
      {own?.synopsis !== undefined && <span className="synopsis">{visible(own.synopsis)}</span>}
    </th>
  )
}
