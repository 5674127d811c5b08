import { useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { Press } from '../press.js'
import { ask, useAction, useApi } from './api.js'
import { ContestShell, currentOf } from './contest.js'
import { Contestants } from './contestants.js'
import { Editor } from './editor.js'
import type { Contest } from './facts.js'
import { HostGate } from './host.js'
import { useLive } from './live.js'
import { fieldOf, pathTo } from './router.js'
import { Empty, Problem, Shell, Waiting } from './shell.js'

/** What a host does with a contest. */
export function ManagePage({ id }: { readonly id: string }) {
  const live = useLive(id)
  const { data: contest, problem } = useApi<Contest>(pathTo(['contests', id]), live.version)
  if (contest === undefined) {
    return (
      <Shell title="Host">
        <Waiting problem={problem} what="the contest" />
      </Shell>
    )
  }
  const current = currentOf(contest, live)
  return (
    <ContestShell contest={current} live={live}>
      <HostGate>
        <section aria-labelledby="run">
          <h2 id="run">Run it</h2>
          <Controls contest={current} />
        </section>
        <section aria-labelledby="contestants">
          <h2 id="contestants">Contestants</h2>
          <Contestants id={id} version={live.version} />
        </section>
        <section aria-labelledby="entrants">
          <h2 id="entrants">Entrants</h2>
          <Entrants contest={current} />
          <p>
            <a href={`/api/v1${pathTo(['contests', id, 'results.csv'])}`} download>
              Results as CSV
            </a>
          </p>
        </section>
        <section aria-labelledby="text">
          <h2 id="text">The contest file</h2>
          <ContestText contest={current} />
        </section>
      </HostGate>
    </ContestShell>
  )
}

function Controls({ contest: { id, state, final } }: { readonly contest: Contest }) {
  const control = useAction(async (verb: string) => {
    await ask('POST', pathTo(['contests', id, verb]), undefined, { slot: 'host' })
  })
  const offered =
    state === 'created' || state === 'failed'
      ? ['start']
      : state === 'paused'
        ? ['resume']
        : state === 'playing'
          ? ['pause']
          : []
  if (final) return <p>Its host has ended it for good.</p>
  return (
    <>
      <p className="group-of">
        {offered.map((verb) => (
          <Press key={verb} className="main" resting={control.busy} onClick={() => control.run(verb)}>
            {verb === 'start' ? 'Start' : verb === 'pause' ? 'Pause' : 'Resume'}
          </Press>
        ))}
        {offered.length === 0 && <span>It is over. A new entry makes it go on.</span>}
      </p>
      {state !== 'created' && (
        <details>
          <summary>End it for good</summary>
          <p>No bot can enter it any more, and no match of it is played.</p>
          <Press resting={control.busy} onClick={() => control.run('finish')}>
            Finish
          </Press>
        </details>
      )}
      {control.problem && <Problem problem={control.problem} />}
    </>
  )
}

/** The contest file, which can be changed: before the contest begins all of it. */
function ContestText({ contest: { id, state } }: { readonly contest: Contest }) {
  const { data, problem } = useApi<{ toml: string }>(pathTo(['contests', id, 'text']), 0, 'host')
  const [text, setText] = useState<string>()
  const [kept, setKept] = useState(false)
  useEffect(() => setText((now) => now ?? data?.toml), [data])
  const save = useAction(async (toml: string) => {
    await ask('POST', pathTo(['contests', id, 'text']), { toml }, { slot: 'host' })
    setKept(true)
  })
  if (text === undefined) return <Waiting problem={problem} what="the contest file" />
  return (
    <form
      className="stack wide"
      onSubmit={(event) => {
        event.preventDefault()
        setKept(false)
        save.run(text)
      }}
    >
      <p className="quiet">
        {state === 'created'
          ? 'All of it may change until the contest begins.'
          : 'It has begun: the title, notice, signup, sittings, publish, entries_per_author and the house bots may still change.'}
      </p>
      <Editor
        text={text}
        onText={(next) => {
          setText(next)
          setKept(false)
        }}
        problem={save.problem}
      />
      <p className="group-of">
        <Press sends className="main" resting={save.busy}>
          Save it
        </Press>
        {kept && <span role="status">Saved.</span>}
      </p>
    </form>
  )
}

/** The entrants, and how one is withdrawn or disqualified. */
function Entrants({ contest: { id, entrants } }: { readonly contest: Contest }) {
  const [sure, setSure] = useState<string>()
  const act = useAction(async (name: string, verb: string, body: object) => {
    await ask('POST', pathTo(['contests', id, 'entrants', name, verb]), body, { slot: 'host' })
    setSure(undefined)
  })
  if (entrants.length === 0) return <Empty>Nobody plays yet: the contest has not begun.</Empty>
  return (
    <>
      {act.problem && <Problem problem={act.problem} />}
      <ul className="plain-list excludable">
        {entrants.map((name) => (
          <li key={name}>
            <b>{visible(name)}</b>{' '}
            {sure === name ? (
              <Exclude
                busy={act.busy}
                onOut={(verb, body) => act.run(name, verb, body)}
                onKeep={() => setSure(undefined)}
              />
            ) : (
              <button type="button" onClick={() => setSure(name)} aria-label={`exclude ${visible(name)}`}>
                Exclude …
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

interface ExcludeProps {
  readonly busy: boolean
  readonly onOut: (verb: string, body: { readonly matches: string; readonly why: string }) => void
  readonly onKeep: () => void
}

/** How an entrant is put out, and what becomes of its matches. */
function Exclude({ busy, onOut, onKeep }: ExcludeProps) {
  return (
    <form
      className="exclude"
      onKeyDown={(event) => event.key === 'Escape' && onKeep()}
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        onOut(fieldOf(form, 'verb'), { matches: fieldOf(form, 'matches'), why: fieldOf(form, 'why') })
      }}
    >
      <label>
        How
        <select name="verb">
          <option value="withdraw">withdraw: it may come back</option>
          <option value="disqualify">disqualify: it may not</option>
        </select>
      </label>
      <label>
        Its matches
        <select name="matches">
          <option value="void">do not count</option>
          <option value="lost">stand, and the rest is lost</option>
        </select>
      </label>
      <label>
        Why
        <input name="why" maxLength={200} placeholder="shown in the table" />
      </label>
      <span className="group-of">
        <Press sends resting={busy}>
          Exclude it
        </Press>
        <button type="button" onClick={onKeep}>
          Keep it
        </button>
      </span>
    </form>
  )
}
