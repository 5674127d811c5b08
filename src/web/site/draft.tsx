import { useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { Press } from '../press.js'
import { ask, slotIn, useAction, useApi } from './api.js'
import { Above, BuildLog, Steps } from './entry-parts.js'
import type { DraftFacts } from './facts.js'
import { go, Link, pathTo } from './router.js'
import { Problem, Shell, Waiting } from './shell.js'
import { Trial, TrialFilm, useTrial } from './trial.js'

const STEPS = ['It is built and checked', 'You try it', 'It is entered'] as const
const TITLES = { building: STEPS[0], rejected: 'It cannot play', ready: 'It can play: try it, then enter it' }

/** A bot that is tried before it is entered. */
export function DraftPage({ id, contest }: { readonly id: string; readonly contest: string | undefined }) {
  const [looks, setLooks] = useState(0)
  const { data: draft, problem } = useApi<DraftFacts>(pathTo(['drafts', id]), looks, slotIn(contest))
  const trial = useTrial(pathTo(['drafts', id], { contest }))
  const busy = draft?.state === 'building'
  // Its log grows while it is built.
  useEffect(() => {
    if (!busy) return undefined
    const timer = setInterval(() => setLooks((n) => n + 1), 1000)
    return () => clearInterval(timer)
  }, [busy])
  if (trial.shown && draft)
    return <TrialFilm trial={trial.shown} place={trial} contest={draft.contest} name={draft.name} />
  return (
    <Shell
      title={draft === undefined ? 'A bot to try' : visible(draft.name)}
      above={<Above contest={contest} />}
      below={
        draft && (
          <p className="quiet">
            It is not entered yet: nobody else knows of it, and nothing that it plays counts. It is kept until{' '}
            {new Date(draft.until).toLocaleTimeString('en', { timeStyle: 'short' })}.
          </p>
        )
      }
    >
      {draft === undefined ? (
        <>
          <Waiting problem={problem} what="the bot" />
          {problem?.status === 404 && contest !== undefined && (
            <p>
              <Link to={pathTo(['contests', contest, 'enter'])}>Send it again</Link>
            </p>
          )}
        </>
      ) : (
        <section aria-labelledby="state">
          <h2 id="state">{TITLES[draft.state]}</h2>
          <Steps steps={STEPS} at={draft.state === 'ready' ? 1 : 0} refused={draft.state === 'rejected'} />
          {draft.state === 'ready' && <Trial contest={draft.contest} entry={id} place={trial} />}
          {draft.state !== 'building' && <Decide draft={draft} />}
          <BuildLog log={draft.log} />
        </section>
      )}
    </Shell>
  )
}

/** To enter it, or not. */
function Decide({ draft: { id, contest, state } }: { readonly draft: DraftFacts }) {
  const slot = slotIn(contest)
  const submit = useAction(async () => {
    await ask('POST', pathTo(['drafts', id, 'submit']), undefined, { slot })
    go(pathTo(['entries', id], { contest }), true)
  })
  const discard = useAction(async () => {
    await ask('POST', pathTo(['drafts', id, 'discard']), undefined, { slot })
    go(pathTo(['contests', contest, 'enter']), true)
  })
  const busy = submit.busy || discard.busy
  const problem = submit.problem ?? discard.problem
  return (
    <>
      <p className="group-of">
        {state === 'ready' && (
          <Press className="main" resting={busy} onClick={() => submit.run()}>
            {submit.busy ? 'Entering it …' : 'Enter it in the contest'}
          </Press>
        )}
        <Press resting={busy} onClick={() => discard.run()}>
          Discard it
        </Press>
        {state === 'rejected' && <Link to={pathTo(['contests', contest, 'enter'])}>Send it again</Link>}
      </p>
      {problem && <Problem problem={problem} />}
    </>
  )
}
