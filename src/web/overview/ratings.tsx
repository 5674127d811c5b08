import { SEPARABLE } from '../../rating/index.js'
import type { ReportRatings } from '../document.js'
import { counted, figure, percent } from '../format.js'
import { useShared } from '../shared.js'

/** How the figures came about. */
export function RatingNotes({ ratings }: { readonly ratings: ReportRatings }) {
  const { matches } = useShared().report.document
  return (
    <details className="more">
      <summary>How sure is this?</summary>
      <p>
        {ratings.scores
          ? `Mean scores with ${percent(ratings.confidence)} intervals (Student’s t over blocks of equal luck), `
          : `${ratings.model} strengths in Elo units around the field’s average, with ${percent(ratings.confidence)} intervals, `}
        from {counted(ratings.distinct, 'match', 'matches')}
        {ratings.distinct < matches.total &&
          ` that were not a repetition of one before (of ${counted(matches.total, 'match', 'matches')})`}
        . First place and ranks follow the contest’s own rule, over {figure(ratings.resamples)} resamples of the
        matches. Two entrants are called separable where one is {ratings.scores ? 'better' : 'stronger'} with a
        probability of {100 * SEPARABLE} % or more.
      </p>
    </details>
  )
}
