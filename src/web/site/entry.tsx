import { useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { counted } from '../format.js'
import { Log } from '../parts.js'
import { slotIn, token, useApi } from './api.js'
import type { Entry, EntryProgress } from './facts.js'
import { useLive, useTicks } from './live.js'
import { pathTo } from './router.js'
import { TryIt } from './scrimmage.js'
import { Above, Shell, Waiting } from './shell.js'

const STEPS = ['building', 'playing', 'placed'] as const
const TITLES = {
  building: 'It is built and checked',
  playing: 'It plays its matches',
  placed: 'It stands in the table',
  rejected: 'It was refused',
}

/** An entry, whose name and log are its owner's and the host's, until it is accepted. */
type SeenEntry = EntryProgress & Partial<Entry>

export function EntryPage({ id, contest }: { readonly id: string; readonly contest: string | undefined }) {
  const live = useLive(contest)
  // An address may not say to which contest it belongs: the entry does.
  const [of, setOf] = useState(contest)
  const [busy, setBusy] = useState(false)
  // Its log grows while it is built.
  const looks = useTicks(busy ? 1000 : undefined)
  const path = pathTo(['entries', id])
  const { data: entry, problem } = useApi<SeenEntry>(path, `${live.version} ${looks}`, slotIn(of))
  useEffect(() => {
    setOf((now) => now ?? entry?.contest)
    setBusy(entry?.state === 'building')
  }, [entry])
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
          <Steps state={entry.state} />
          {entry.before !== undefined && entry.before > 0 && (
            <p>
              {counted(entry.before, 'bot')} {entry.before === 1 ? 'is' : 'are'} built before it.
            </p>
          )}
          <Next {...entry} />
        </section>
      )}
    </Shell>
  )
}

/** Marks of steps that are done, under way, to come, and failed. */
const SIGNS = { past: '●', now: '◐', next: '○', fault: '✕' }

function Steps({ state }: { readonly state: Entry['state'] }) {
  const at = state === 'rejected' ? 0 : state === 'placed' ? STEPS.length : STEPS.indexOf(state)
  const now = state === 'rejected' ? 'fault' : 'now'
  return (
    <ol className="steps flow" role="list">
      {STEPS.map((step, i) => {
        const kind = i < at ? 'past' : i > at ? 'next' : now
        return (
          <li key={step} className={kind} aria-current={i === at ? 'step' : undefined}>
            <span aria-hidden="true">{SIGNS[kind]}</span> {TITLES[step]}
          </li>
        )
      })}
    </ol>
  )
}

/** What was said while it was built and checked, and where its owner goes from there. */
function Next({ state, name, contest, log = '' }: SeenEntry) {
  const isIn = state === 'playing' || state === 'placed'
  // Its log is its owner's and the host's to read: they try it, too.
  const mayTry = log !== '' && (token(contest) ?? token('host')) !== undefined
  return (
    <>
      {state === 'placed' && name !== undefined && (
        <p>
          <a href={pathTo(['contests', contest, 'bots', name])}>See how it does</a>
        </p>
      )}
      {log !== '' && (
        <>
          <h3>Log</h3>
          <Log label="log" text={log} />
        </>
      )}
      {isIn && name !== undefined && mayTry && <TryIt contest={contest} name={name} />}
      {state === 'rejected' && name !== undefined && (
        <p>
          <a href={pathTo(['contests', contest, 'enter'])}>Try again</a>
        </p>
      )}
    </>
  )
}
