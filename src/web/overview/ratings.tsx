import { SEPARABLE } from '../../rating/index.js'
import type { ReportRatings } from '../document.js'
import { counted, figure, percent } from '../format.js'
import { nameOf, useShared } from '../shared.js'
import { Whisker, whiskerScale } from './whisker.js'

/** Entrants by strength, and between which neighbours the matches decide nothing. */
export function Ratings({ ratings }: { readonly ratings: ReportRatings }) {
  const { report, place } = useShared()
  const { entrants } = report.document
  const scale = whiskerScale(ratings.rows)
  const order = ratings.rows.flatMap(({ flags }, entrant) => (flags.includes('out') ? [] : [entrant]))
  order.sort((a, b) => (ratings.rows[b]?.rating ?? 0) - (ratings.rows[a]?.rating ?? 0))
  return (
    <>
      <Explanation ratings={ratings} />
      <div className="scrollable" role="region" aria-label="the table of ratings" tabIndex={0}>
        <table className="ratings">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" className="whiskers">
                {ratings.scores ? 'Mean' : 'Rating'}
              </th>
              <th scope="col">{ratings.scores ? 'Better than the next' : 'Stronger than the next'}</th>
            </tr>
          </thead>
          <tbody>
            {order.map((entrant) => {
              const row = ratings.rows[entrant]
              const next = ratings.superiority.find(({ better }) => better === entrant)
              return row ? (
                <tr key={entrant} className={place.bot === entrants[entrant]?.name ? 'chosen' : undefined}>
                  <th scope="row">
                    {nameOf(report, entrant)}
                    {row.flags.map((flag) => (
                      <span key={flag} className="tag" title="its rating rests on the prior">
                        {flag}
                      </span>
                    ))}
                  </th>
                  <td className="whiskers">
                    <Whisker scale={scale} {...row} plain={ratings.scores ?? false} />
                  </td>
                  <td>
                    {next &&
                      (next.probability >= SEPARABLE
                        ? `${percent(next.probability)} sure`
                        : `not separable from ${nameOf(report, next.worse)} (${percent(next.probability)})`)}
                  </td>
                </tr>
              ) : null
            })}
          </tbody>
        </table>
      </div>
      {ratings.before && <Pairs {...ratings.before} />}
    </>
  )
}

/** Of all pairs, how probable it is that the one stands before the other. */
function Pairs({ order, above }: NonNullable<ReportRatings['before']>) {
  const { report } = useShared()
  return (
    <details>
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
                  <td key={other}>{i === j ? '·' : percent(above[i]?.[j] ?? 0.5)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

/** How the figures came about. */
function Explanation({ ratings }: { readonly ratings: ReportRatings }) {
  const { matches } = useShared().report.document
  return (
    <p>
      {ratings.scores
        ? `Mean scores with ${percent(ratings.confidence)} intervals (Student’s t over blocks of equal luck), `
        : `${ratings.model} strengths in Elo units around the field’s average, with ${percent(ratings.confidence)} intervals, `}
      from {counted(ratings.distinct, 'match', 'matches')}
      {ratings.distinct < matches.total &&
        ` that were not a repetition of one before (of ${counted(matches.total, 'match', 'matches')})`}
      . Each interval holds by itself, and not all at once.
      {ratings.seat &&
        ` To sit first is worth ${figure(ratings.seat.value, 0)} Elo (${figure(ratings.seat.low, 0)} to ${figure(ratings.seat.high, 0)}).`}{' '}
      First place and ranks in the table above follow the contest’s own rule, ranks over {figure(ratings.resamples)}{' '}
      resamples of the matches. Two entrants are called separable where one is {ratings.scores ? 'better' : 'stronger'}{' '}
      with a probability of {100 * SEPARABLE} % or more.
    </p>
  )
}
