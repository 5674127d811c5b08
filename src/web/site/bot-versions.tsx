import { boundText } from '../../text/index.js'
import { figure } from '../format.js'
import type { VersionFacts } from './facts.js'
import { Link, pathTo } from './router.js'

const COLUMNS = ['Matches', 'Points', 'Rating', 'Change'] as const

/** The versions of a bot, the newest first, and what each changed. */
export function Versions({
  contest,
  versions,
}: {
  readonly contest: string
  readonly versions: readonly VersionFacts[]
}) {
  return (
    <div className="scrollable" role="region" aria-label="the table of versions" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">State</th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
            <th scope="col">Entered</th>
          </tr>
        </thead>
        <tbody>
          {versions.toReversed().map(({ id, version, state, at, matches, points, rating, half, bound, change }) => (
            <tr key={id}>
              <th scope="row">
                <Link to={pathTo(['entries', id], { contest })}>{version}</Link>
              </th>
              <td>{state}</td>
              <td className="number">{matches === undefined ? '–' : figure(matches)}</td>
              <td className="number">{points === undefined ? '–' : figure(points)}</td>
              <td className="number">{rating === undefined ? '–' : ratingText(rating, half, bound)}</td>
              <td className={change === undefined ? 'number' : change < 0 ? 'number fell' : 'number rose'}>
                {change === undefined ? '–' : signed(change)}
              </td>
              <td className="date">{new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** '+120 ± 40'; of one that won or lost all its matches, 'below −150', as its rating is the prior's. */
const ratingText = (rating: number, half: number | undefined, bound: VersionFacts['bound']): string =>
  bound ? boundText(bound) : `${signed(rating)} ± ${half ?? '∞'}`

const signed = (n: number): string => (figure(n).startsWith('−') ? figure(n) : `+${figure(n)}`)
