import { scaleLinear } from 'd3-scale'
import { visible } from '../../core/index.js'
import { SEPARABLE } from '../../stats/index.js'
import { DOUBTS, placesNote, tableCell } from '../../text/index.js'
import type { ReportDocument, ReportRatings, ReportStandings } from '../document.js'
import { chance, counted, figure, percent } from '../format.js'
import { faultCount } from '../match-list.js'
import { type Column, Bar, Press, Table, numbers } from '../parts.js'
import { useReport } from '../shared.js'

type Row = ReportStandings['rows'][number]

/** Columns of the contest's own that have room beside the others; of more the cells are narrow. */
const FEW = 8

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

function ratingColumns({ standings, ratings }: ReportDocument, nameOf: (entrant: number) => string): Column<Row>[] {
  if (!ratings) return []
  const { rows, scores, doubt, superiority } = ratings
  const whisker = whiskerOf(rows, scores ? meanText : signed)
  const rating: Column<Row> = {
    head: scores ? 'Mean' : 'Rating',
    kind: 'whisker',
    means: scores
      ? 'its mean score, with its interval'
      : 'its strength in Elo units around the average of the field, with its interval',
    cell: ({ entrant }) => whisker(rows[entrant]),
  }
  if (doubt) return [rating]
  /** Whether ratings separate an entrant from the next by rating, named if not the next in the table; '' if there is none. */
  const nextText = ({ entrant }: Row): string => {
    const next = superiority.find(({ better }) => better === entrant)
    if (next === undefined) return ''
    const [sure, name] = [chance(next.probability), nameOf(next.worse)]
    if (next.probability < SEPARABLE) return `not separable from ${name} (${sure})`
    const below = standings.rows[standings.rows.findIndex((row) => row.entrant === entrant) + 1]
    return below?.entrant === next.worse ? `${sure} sure` : `over ${name}: ${sure} sure`
  }
  const better = scores ? 'better' : 'stronger'
  return [
    rating,
    numbers('First place', ({ entrant }) => rows[entrant]?.first !== undefined && chance(rows[entrant].first), {
      means: 'how probable it is that the first place is its own, or between which two probabilities that is',
    }),
    numbers('Ranks', ({ entrant }) => [...new Set(rows[entrant]?.ranks)].join('–'), {
      means: 'the ranks that it might as well have had',
    }),
    {
      head: scores ? 'Better than the next' : 'Stronger than the next',
      kind: 'next',
      means: `how sure it is that it is ${better} than the next one by rating`,
      cell: nextText,
    },
  ]
}

/** Pixels of the drawing of an interval, and of its margin. */
const WIDTH = 130
const MARGIN = 6

/** Draws a rating as a point on its interval, all of a table on one scale. */
function whiskerOf(rows: ReportRatings['rows'], text: (value: number) => string) {
  const lowest = Math.min(...rows.map(({ low, rating }) => low ?? rating))
  const highest = Math.max(...rows.map(({ high, rating }) => high ?? rating))
  const scale = scaleLinear([lowest, highest], [MARGIN, WIDTH - MARGIN])
  return (row: ReportRatings['rows'][number] | undefined) => {
    if (!row) return null
    const { rating, low, high } = row
    const [from, to] = [scale(low ?? lowest), scale(high ?? highest)]
    // Where there is no bound the line has no stop.
    const stops = `${low === null ? '' : `M${from} 6v8`}${high === null ? '' : `M${to} 6v8`}`
    const interval = `${low === null ? '−∞' : text(low)} to ${high === null ? '∞' : text(high)}`
    return (
      <>
        <svg width={WIDTH} height="20" viewBox={`0 0 ${WIDTH} 20`} aria-hidden="true">
          <line className="zero" x1={scale(0)} x2={scale(0)} y1="0" y2="20" />
          <path d={`M${from} 10H${to}${stops}`} />
          <circle cx={scale(rating)} cy="10" r="4.5" />
        </svg>
        <b title={interval}>{text(rating)}</b>
      </>
    )
  }
}

const signed = (value: number): string => `${Math.round(value) > 0 ? '+' : ''}${figure(value, 0)}`
const meanText = (value: number): string => figure(value, Math.abs(value) < 1 ? 3 : 2)

/** On how many matches ratings rest that are computed aside; nothing where they rest on all. */
export function RatedSoFar({ rated, total }: ReportDocument['matches']) {
  if (rated === undefined || rated >= total) return null
  return (
    <p className="note">
      {rated === 0
        ? 'Ratings and chances are being computed.'
        : `Ratings, chances and rounds rest on ${figure(rated)} of ${counted(total, 'match', 'matches')} and are computed again every few seconds.`}
    </p>
  )
}

function RatingNotes({ ratings }: { readonly ratings: ReportRatings }) {
  const { matches } = useReport().document
  const { rated = matches.total } = matches
  const { doubt, scores, model, confidence, distinct, rows, seat, before } = ratings
  const kind = scores
    ? `Mean scores with ${percent(confidence)} intervals (Student’s t over blocks of equal luck), `
    : `${model} strengths in Elo units around the field’s average, with ${percent(confidence)} intervals, `
  return (
    <>
      <details className="more">
        <summary>How sure is this?</summary>
        <p>
          {doubt === 'rare' ? 'Mean scores, ' : kind}
          from {counted(distinct, 'match', 'matches')}
          {distinct < rated && ` that were not a repetition of one before (of ${counted(rated, 'match', 'matches')})`}.
          {rows.some(({ low }) => low !== null) && ' Each interval holds by itself, and not all at once.'}
          {seat &&
            ` To sit first is worth ${figure(seat.value, 0)} Elo (${figure(seat.low, 0)} to ${figure(seat.high, 0)}).`}{' '}
          {doubt
            ? DOUBTS[doubt]
            : `${placesNote(ratings)} Two entrants are called separable where one is ${scores ? 'better' : 'stronger'} with a probability of ${100 * SEPARABLE} % or more.`}
        </p>
      </details>
      {before && <Pairs {...before} />}
    </>
  )
}

function Pairs({ order, above }: NonNullable<ReportRatings['before']>) {
  const { nameOf } = useReport()
  const columns: Column<number>[] = [
    { head: 'A \\ B', names: true, cell: (i) => `${i + 1} ${nameOf(order[i] ?? -1)}` },
    ...order.map((_, j) => ({
      head: String(j + 1),
      cell: (i: number) => (i === j ? '·' : chance(above[i]?.[j] ?? 0.5)),
    })),
  ]
  return (
    <details className="more">
      <summary>All pairs: A before B</summary>
      <Table label="how probable each order of two is" columns={columns} rows={[...order.keys()]} keyOf={(i) => i} />
    </details>
  )
}
