import { useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { counted } from '../format.js'
import { Log } from '../parts.js'
import { slotIn, token, useApi, useLive, useTicks } from './api.js'
import type { Entry, EntryProgress } from './facts.js'
import { pathTo } from './router.js'
import { TryIt } from './play.js'
import { Above, Loaded, Shell } from './shell.js'

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
  const asked = useApi<SeenEntry>(pathTo(['entries', id]), `${live.version} ${looks}`, slotIn(of))
  const entry = asked.data
  useEffect(() => {
    setOf((now) => now ?? entry?.contest)
    setBusy(entry?.state === 'building')
  }, [entry])
  return (
    <Shell
      title={entry?.name === undefined ? 'Entry' : `${visible(entry.name)}, version ${entry.version}`}
      above={<Above contest={of} />}
    >
      <Loaded of={asked} what="the entry">
        {(seen) => <Progress entry={seen} isBegun={live.contest?.state !== 'created'} />}
      </Loaded>
    </Shell>
  )
}

/** Marks of steps that are done, under way, to come, and failed. */
const SIGNS = { past: '●', now: '◐', quiet: '○', fault: '✕' }

/** How far it is, what was said while it was built and checked, and where its owner goes from there. */
function Progress({ entry, isBegun }: { readonly entry: SeenEntry; readonly isBegun: boolean }) {
  const { state, name, contest, log = '', before = 0 } = entry
  const at = state === 'rejected' ? 0 : state === 'placed' ? STEPS.length : STEPS.indexOf(state)
  // Its log is its owner's and the host's to read: they try it, too.
  const mayTry = log !== '' && (token(contest) ?? token('host')) !== undefined
  return (
    <section aria-labelledby="state">
      <h2 id="state">{state === 'playing' && !isBegun ? 'It plays once the contest begins' : TITLES[state]}</h2>
      <ol className="steps flow" role="list">
        {STEPS.map((step, i) => {
          const kind = i < at ? 'past' : i > at ? 'quiet' : state === 'rejected' ? 'fault' : 'now'
          return (
            <li key={step} className={kind} aria-current={i === at ? 'step' : undefined}>
              <span aria-hidden="true">{SIGNS[kind]}</span> {TITLES[step]}
            </li>
          )
        })}
      </ol>
      {before > 0 && (
        <p>
          {counted(before, 'bot')} {before === 1 ? 'is' : 'are'} built before it.
        </p>
      )}
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
      {(state === 'playing' || state === 'placed') && name !== undefined && mayTry && (
        <TryIt contest={contest} name={name} />
      )}
      {state === 'rejected' && name !== undefined && (
        <p>
          <a href={pathTo(['contests', contest, 'enter'])}>Try again</a>
        </p>
      )}
    </section>
  )
}
