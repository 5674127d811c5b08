import { FAULT_KINDS, type FaultKind, faultOf } from '../../core/faults.js'
import { visible } from '../../core/index.js'
import { counted } from '../format.js'
import { slotIn, useApi } from './api.js'
import type { BotFaults } from './facts.js'
import { Link, pathTo } from './router.js'

interface FaultsProps {
  readonly contest: string
  readonly name: string
  /** How often each kind. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>
  readonly version: number
}

/** How often it erred, the newest faults with what was sent and answered, and the end of its standard error, as far as one may see them. */
export function Faults({ contest, name, faults, version }: FaultsProps) {
  const kinds = FAULT_KINDS.filter((kind) => faults[kind] !== undefined)
  const { data } = useApi<BotFaults>(
    pathTo(['contests', contest, 'entrants', name, 'faults'], { limit: 5 }),
    version,
    slotIn(contest),
  )
  return (
    <>
      {kinds.length === 0 ? (
        <p>It was never faulted.</p>
      ) : (
        <ul>
          {kinds.map((kind) => (
            <li key={kind}>
              <Link to={pathTo(['contests', contest, 'matches'], { bot: name, fault: kind })}>
                {counted(faults[kind] ?? 0, kind, kind)}
              </Link>
              : {faultOf(kind).words}
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.items.length > 0 && <Newest contest={contest} items={data.items} />}
      {data?.stderr !== undefined && data.stderr !== '' && (
        <>
          <h3>The end of its standard error</h3>
          <pre className="log" tabIndex={0} role="region" aria-label="standard error">
            {data.stderr.split('\n').map(visible).join('\n')}
          </pre>
        </>
      )}
    </>
  )
}

function Newest({ contest, items }: { readonly contest: string; readonly items: BotFaults['items'] }) {
  return (
    <>
      <h3>The newest</h3>
      <ul className="faults-of">
        {items.map(({ match, turn, kind, why, exchange }) => (
          <li key={`${match} ${turn}`}>
            <Link to={pathTo(['matches', match], { contest, turn: turn + 1 })}>
              {kind}, turn {turn + 1}
            </Link>
            {why !== undefined && `: ${visible(why)}`}
            {exchange && (
              <pre
                className="log"
                tabIndex={0}
                role="region"
                aria-label={`what it was sent and answered in match ${match}, turn ${turn + 1}`}
              >
                {exchange.map(visible).join('\n')}
              </pre>
            )}
          </li>
        ))}
      </ul>
      {items.every(({ exchange }) => exchange === undefined) && (
        <p className="quiet">What it was sent and answered is for its owner and the host to see.</p>
      )}
    </>
  )
}
