import { visible } from '../../core/index.js'
import { tableCell } from '../../text/index.js'
import type { ReportStandings } from '../document.js'
import { counted, figure } from '../format.js'
import { faultCount } from '../match-list.js'
import { Bar, type Column, Press, Table, numbers } from '../parts.js'
import { useReport } from '../shared.js'
import { RatedSoFar, RatingNotes, ratingColumns } from './ratings.js'

type Row = ReportStandings['rows'][number]

/** Columns of the contest's own that have room beside the others; of more the cells are narrow. */
const FEW = 8

/** The table by points, with ratings and their intervals beside it where there are any. */
export function Standings() {
  const { document, moved, nameOf, isChosen } = useReport()
  const { standings, ratings, entrants, faults, matches } = document
  const most = Math.max(...standings.rows.map(({ points }) => points), 0)
  const isWide = standings.columns.length > FEW
  const rank = ({ rank: own, entrant }: Row) => (
    <>
      {own}
      <Moved places={moved?.get(entrants[entrant]?.name ?? '') ?? 0} />
    </>
  )
  const faultsOf = ({ entrant }: Row) => faultCount(Object.values(faults[entrant] ?? {}).reduce((sum, n) => sum + n, 0))
  const columns: Column<Row>[] = [
    numbers('#', rank, { kind: 'rank' }),
    { head: 'Name', names: true, cell: (row) => <Entrant {...row} /> },
    numbers('Points', ({ points }) => <b>{figure(points)}</b>, {
      means: 'what its matches were worth, by the contest’s own rule',
    }),
    { head: '', kind: 'bars', cell: ({ points }) => <Bar share={most > 0 ? Math.max(0, points) / most : 0} /> },
    ...ratingColumns(document, nameOf),
    ...standings.columns.map((head, i) =>
      numbers<Row>(
        head,
        ({ cells, bound }) =>
          tableCell(head, cells[i] ?? null, bound, (value) => (value === null ? '' : figure(value))),
        { kind: isWide ? 'small' : undefined },
      ),
    ),
    numbers('Faults', faultsOf, { means: 'how often its bot did something else than to answer' }),
  ]
  return (
    <>
      <Table
        label="the table"
        kind={isWide ? 'standings wide' : 'standings'}
        columns={columns}
        rows={standings.rows}
        keyOf={({ entrant }) => entrant}
        isChosen={isChosen}
      />
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

/** How many places an entrant has gained or lost since the page was opened. */
function Moved({ places }: { readonly places: number }) {
  if (places === 0) return null
  const way = places > 0 ? 'up' : 'down'
  const text = `${counted(Math.abs(places), 'place')} ${way} since this page was opened`
  return (
    <span className={`moved ${way}`} title={text}>
      <span aria-hidden="true">{`${places > 0 ? '▲' : '▼'}${figure(Math.abs(places))}`}</span>
      <span className="unseen">, {text}</span>
    </span>
  )
}

/** An entrant's name, which leads to its page or highlights it, and what is known of it. */
function Entrant({ entrant, out }: Row) {
  const { document, go, bot, nameOf, isChosen } = useReport()
  const { name = '', language, remote, country, author, synopsis } = document.entrants[entrant] ?? {}
  const flags = document.ratings?.rows[entrant]?.flags ?? []
  const chosen = isChosen({ entrant })
  const tag = (text: string | undefined, title?: string, kind = 'tag') =>
    text !== undefined && (
      <span key={text} className={kind} title={title}>
        {visible(text)}
      </span>
    )
  return (
    <>
      {bot ? (
        <a className="name" href={bot(name)}>
          {nameOf(entrant)}
        </a>
      ) : (
        <Press
          className="name"
          aria-pressed={chosen}
          title="highlight in every table and chart"
          onClick={() => go(chosen ? {} : { bot: name }, true)}
        >
          {nameOf(entrant)}
        </Press>
      )}
      {tag(language)}
      {remote && tag('remote', 'it plays on its author’s machine')}
      {tag(country)}
      {tag(out, undefined, 'tag fault')}
      {flags.map((flag) => (out === undefined || flag !== 'out') && tag(flag, 'its rating rests on the prior'))}
      {author !== undefined && <span className="synopsis">by {visible(author)}</span>}
      {synopsis !== undefined && <span className="synopsis">{visible(synopsis)}</span>}
    </>
  )
}
