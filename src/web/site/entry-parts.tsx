import { visible } from '../../core/index.js'
import { Link, pathTo } from './router.js'
import { AllContests } from './shell.js'

/** The steps of a bot's way into the table. `at`: the one under way; its length: all are done. */
export function Steps({
  steps,
  at,
  refused = false,
}: {
  readonly steps: readonly string[]
  readonly at: number
  /** It goes no further. */
  readonly refused?: boolean
}) {
  return (
    <ol className="steps" role="list">
      {steps.map((step, i) => (
        <li
          key={step}
          className={i < at ? 'past' : i === at ? (refused ? 'refused' : 'now') : ''}
          aria-current={i === at ? 'step' : undefined}
        >
          {step}
        </li>
      ))}
    </ol>
  )
}

/** What was said while a bot was built and checked. */
export function BuildLog({ log = '' }: { readonly log?: string | undefined }) {
  if (log === '') return null
  return (
    <>
      <h3>Log</h3>
      <pre className="log" tabIndex={0} role="region" aria-label="log">
        {log.split('\n').map(visible).join('\n')}
      </pre>
    </>
  )
}

/** The way back, above a bot that is on its way. */
export function Above({ contest }: { readonly contest: string | undefined }) {
  return (
    <>
      <AllContests />
      {contest !== undefined && <Link to={pathTo(['contests', contest])}>the contest</Link>}
    </>
  )
}
