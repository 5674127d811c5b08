import { useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { counted } from '../format.js'
import { slotIn, token, useApi } from './api.js'
import type { Entry, EntryProgress } from './facts.js'
import { useLive } from './live.js'
import { Link, pathTo } from './router.js'
import { TryIt } from './scrimmage.js'
import { AllContests, Shell, Waiting } from './shell.js'

const STEPS = ['building', 'playing', 'placed'] as const
const TITLES = {
  building: 'It is built and checked',
  playing: 'It plays its matches',
  placed: 'It stands in the table',
  rejected: 'It was refused',
}

/** An entry on its way into the table. */
export function EntryPage({ id, contest }: { readonly id: string; readonly contest: string | undefined }) {
  const live = useLive(contest)
  const [looks, setLooks] = useState(0)
  const [of, setOf] = useState(contest)
  const { data, problem } = useApi<Entry | EntryProgress>(
    pathTo(['entries', id]),
    `${live.version} ${looks}`,
    slotIn(of),
  )
  // Its name and its log are its owner's and the host's, until it is accepted.
  const entry: (EntryProgress & Partial<Entry>) | undefined = data
  // An address may not say to which contest it belongs: the entry does.
  useEffect(() => setOf((now) => now ?? entry?.contest), [entry])
  const busy = entry?.state === 'building'
  // Its log grows while it is built.
  useEffect(() => {
    if (!busy) return undefined
    const timer = setInterval(() => setLooks((n) => n + 1), 1000)
    return () => clearInterval(timer)
  }, [busy])
  return (
    <Shell
      title={entry?.name === undefined ? 'Entry' : `${visible(entry.name)}, version ${entry.version}`}
      above={<Above contest={of} />}
    >
      {entry === undefined ? (
        <Waiting problem={problem} what="the entry" />
      ) : (
        <section aria-labelledby="state">
          <h2 id="state">
            {entry.state === 'playing' && live.contest?.state === 'created'
              ? 'It plays once the contest begins'
              : TITLES[entry.state]}
          </h2>
          <Steps
            steps={STEPS.map((state) => TITLES[state])}
            at={entry.state === 'rejected' ? 0 : entry.state === 'placed' ? 3 : STEPS.indexOf(entry.state)}
            refused={entry.state === 'rejected'}
          />
          {entry.before !== undefined && entry.before > 0 && (
            <p>
              {counted(entry.before, 'bot')} {entry.before === 1 ? 'is' : 'are'} built before it.
            </p>
          )}
          {entry.state === 'placed' && entry.name !== undefined && (
            <p>
              <Link to={pathTo(['contests', entry.contest, 'bots', entry.name])}>See how it does</Link>
            </p>
          )}
          <BuildLog log={entry.log} />
          {(entry.state === 'playing' || entry.state === 'placed') && entry.name !== undefined && mayTry(entry) && (
            <TryIt contest={entry.contest} name={entry.name} />
          )}
          {entry.state === 'rejected' && entry.name !== undefined && (
            <p>
              <Link to={pathTo(['contests', entry.contest, 'enter'])}>Try again</Link>
            </p>
          )}
        </section>
      )}
    </Shell>
  )
}

/** Its owner and the host try it; its log is theirs to read. */
const mayTry = ({ contest, log }: Partial<Entry> & EntryProgress): boolean =>
  log !== undefined && (token(contest) ?? token('host')) !== undefined

/** The steps of a bot's way into the table. `at`: the one under way; its length: all are done. */
function Steps({
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
function BuildLog({ log = '' }: { readonly log?: string | undefined }) {
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
