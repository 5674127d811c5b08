import { visible } from '../../core/index.js'
import { matchLabel } from '../format.js'
import type { MatchFacts } from './facts.js'
import { Link, pathTo } from './router.js'

/** Who erred in the newest matches, and how. */
export function JustFaulted({
  contest,
  matches,
}: {
  readonly contest: string
  readonly matches: readonly MatchFacts[]
}) {
  return (
    <ul className="faults-of" aria-live="polite">
      {matches.map(({ id, key, seats }) => (
        <li key={id}>
          {seats.flatMap(({ name, faults }, seat) =>
            faults.length === 0
              ? []
              : [
                  <span key={seat}>
                    <Link to={pathTo(['contests', contest, 'bots', name])}>{visible(name)}</Link>{' '}
                    {[...new Set(faults)].join(', ')}{' '}
                  </span>,
                ],
          )}
          in <Link to={pathTo(['matches', id], { contest })}>{matchLabel(key)}</Link>
        </li>
      ))}
    </ul>
  )
}
