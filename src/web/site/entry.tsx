import { useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { slotIn, token, useApi } from './api.js'
import { Above, BuildLog, Steps } from './entry-parts.js'
import { useLive } from './live.js'
import { Link, pathTo } from './router.js'
import { Shell, Waiting } from './shell.js'
import { Trial, TrialFilm, useTrial } from './trial.js'

/** What the API tells of an entry. */
interface Entry {
  readonly id: string
  /** Absent, as the version: it is for its owner and the host to know. */
  readonly name?: string
  readonly contest: string
  readonly version?: number
  readonly state: 'building' | 'rejected' | 'playing' | 'placed'
  readonly log?: string
}

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
  const { data: entry, problem } = useApi<Entry>(pathTo(['entries', id]), `${live.version} ${looks}`, slotIn(of))
  const trial = useTrial(pathTo(['entries', id], { contest }))
  // An address may not say to which contest it belongs: the entry does.
  useEffect(() => setOf((now) => now ?? entry?.contest), [entry])
  const busy = entry?.state === 'building'
  // Its log grows while it is built.
  useEffect(() => {
    if (!busy) return undefined
    const timer = setInterval(() => setLooks((n) => n + 1), 1000)
    return () => clearInterval(timer)
  }, [busy])
  if (trial.shown && entry)
    return <TrialFilm trial={trial.shown} place={trial} contest={entry.contest} name={entry.name ?? ''} />
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
          {entry.state === 'placed' && entry.name !== undefined && (
            <p>
              <Link to={pathTo(['contests', entry.contest, 'bots', entry.name])}>See how it does</Link>
            </p>
          )}
          <BuildLog log={entry.log} />
          {(entry.state === 'playing' || entry.state === 'placed') && mayTry(entry) && (
            <Trial contest={entry.contest} entry={id} but={entry.name} place={trial} />
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
const mayTry = ({ contest, log }: Entry): boolean =>
  log !== undefined && (token(contest) ?? token('host')) !== undefined
