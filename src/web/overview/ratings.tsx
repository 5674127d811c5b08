import { SEPARABLE } from '../../stats/index.js'
import { DOUBTS, placesNote } from '../../text/index.js'
import type { ReportDocument, ReportRatings } from '../document.js'
import { chance, counted, figure, percent } from '../format.js'
import { nameOf, useShared } from '../shared.js'

/** Of all pairs, how probable it is that the one stands before the other. */
function Pairs({ order, above }: NonNullable<ReportRatings['before']>) {
  const { report } = useShared()
  return (
    <details className="more">
      <summary>All pairs: A before B</summary>
      <div className="scrollable" role="region" aria-label="how probable each order of two is" tabIndex={0}>
        <table className="ratings">
          <thead>
            <tr>
              <th scope="col">A \ B</th>
              {order.map((entrant, i) => (
                <th key={entrant} scope="col" title={report.document.entrants[entrant]?.name}>
                  {i + 1}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {order.map((entrant, i) => (
              <tr key={entrant}>
                <th scope="row">
                  {i + 1} {nameOf(report, entrant)}
                </th>
                {order.map((other, j) => (
                  <td key={other}>{i === j ? '·' : chance(above[i]?.[j] ?? 0.5)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

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

/** How the figures came about, folded away. */
export function RatingNotes({ ratings }: { readonly ratings: ReportRatings }) {
  const { matches } = useShared().report.document
  const { rated = matches.total } = matches
  return (
    <>
      <details className="more">
        <summary>How sure is this?</summary>
        <p>
          {ratings.doubt === 'rare'
            ? 'Mean scores, '
            : ratings.scores
              ? `Mean scores with ${percent(ratings.confidence)} intervals (Student’s t over blocks of equal luck), `
              : `${ratings.model} strengths in Elo units around the field’s average, with ${percent(ratings.confidence)} intervals, `}
          from {counted(ratings.distinct, 'match', 'matches')}
          {ratings.distinct < rated &&
            ` that were not a repetition of one before (of ${counted(rated, 'match', 'matches')})`}
          .{ratings.rows.some(({ low }) => low !== null) && ' Each interval holds by itself, and not all at once.'}
          {ratings.seat &&
            ` To sit first is worth ${figure(ratings.seat.value, 0)} Elo (${figure(ratings.seat.low, 0)} to ${figure(ratings.seat.high, 0)}).`}{' '}
          {ratings.doubt
            ? DOUBTS[ratings.doubt]
            : `${placesNote(ratings)} Two entrants are called separable where one is ${ratings.scores ? 'better' : 'stronger'} with a probability of ${100 * SEPARABLE} % or more.`}
        </p>
      </details>
      {ratings.before && <Pairs {...ratings.before} />}
    </>
  )
}
