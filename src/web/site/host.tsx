import { useState } from 'react'
import { visible } from '../../core/index.js'
import { type ApiProblem, ask, keepToken, token, useAction, useApi } from './api.js'
import { ContestShell, currentOf } from './contest.js'
import type { Contest } from './facts.js'
import { useLive } from './live.js'
import { fieldOf, go, pathTo } from './router.js'
import { Problem, Shell, Waiting } from './shell.js'

const EXAMPLE = `title = "My first contest"
game = "samurai"

[format]
kind = "round-robin"
repetitions = 10

[[entrants]]
house = "Hedgehog"

[[entrants]]
house = "Abacus"
`

/** The host's token, and a new contest. */
export function HostPage() {
  const [own, setOwn] = useState(token())
  return (
    <Shell title="Host" below={<p className="summary">Make a contest, start it, and give contestants their tokens.</p>}>
      <section aria-labelledby="token">
        <h2 id="token">Token</h2>
        <HostToken
          kept={own !== undefined}
          onToken={(next) => {
            keepToken(next)
            setOwn(next)
          }}
        />
      </section>
      <section aria-labelledby="new">
        <h2 id="new">A new contest</h2>
        <NewContest />
      </section>
    </Shell>
  )
}

function HostToken({
  kept,
  onToken,
}: {
  readonly kept: boolean
  readonly onToken: (token: string | undefined) => void
}) {
  if (kept) {
    return (
      <p>
        This browser keeps a token.{' '}
        <button type="button" onClick={() => onToken(undefined)}>
          Forget it
        </button>
      </p>
    )
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        const text = fieldOf(event.currentTarget, 'token')
        if (text !== '') onToken(text)
      }}
    >
      <label>
        The host’s token
        <input name="token" type="password" autoComplete="off" required />
      </label>
      <p className="quiet">
        <code>agon serve</code> printed it at its first start; <code>agon token --new</code> makes another.
      </p>
      <button type="submit">Use it</button>
    </form>
  )
}

function NewContest() {
  const [toml, setToml] = useState(EXAMPLE)
  const make = useAction(async () => {
    const { id } = await ask<{ id: string }>('POST', '/contests', { toml })
    go(pathTo(['contests', id, 'host']))
  })
  return (
    <form
      className="stack wide"
      onSubmit={(event) => {
        event.preventDefault()
        make.run()
      }}
    >
      <Editor text={toml} onText={setToml} problem={make.problem} />
      <button type="submit" className="main" disabled={make.busy}>
        Make it
      </button>
      {make.problem && <Problem problem={make.problem} />}
    </form>
  )
}

interface EditorProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly problem: ApiProblem | undefined
}

/** A contest file with its lines' numbers; the line of a mistake is marked. */
function Editor({ text, onText, problem }: EditorProps) {
  const lines = text.split('\n')
  return (
    <label className="editor">
      Contest file
      <span className="lines">
        <span className="gutter" aria-hidden="true">
          {lines.map((_, i) => (
            // Lines have no other name than their number.
            <span key={i} className={problem?.line === i + 1 ? 'wrong' : undefined}>
              {i + 1}
            </span>
          ))}
        </span>
        <textarea
          value={text}
          rows={Math.max(16, lines.length)}
          spellCheck={false}
          aria-invalid={problem?.line !== undefined}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      </span>
    </label>
  )
}

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
      <section aria-labelledby="run">
        <h2 id="run">Run it</h2>
        <Controls contest={current} />
      </section>
      <section aria-labelledby="contestants">
        <h2 id="contestants">Contestants</h2>
        <NewContestant id={id} />
      </section>
      <section aria-labelledby="entrants">
        <h2 id="entrants">Entrants</h2>
        <Entrants contest={current} />
      </section>
    </ContestShell>
  )
}

function Controls({ contest: { id, state } }: { readonly contest: Contest }) {
  const control = useAction(async (verb: string) => {
    await ask('POST', pathTo(['contests', id, verb]))
  })
  const offered =
    state === 'created' || state === 'failed'
      ? ['start']
      : state === 'paused'
        ? ['resume']
        : state === 'playing'
          ? ['pause']
          : []
  return (
    <>
      <p className="group-of">
        {offered.map((verb) => (
          <button key={verb} type="button" className="main" disabled={control.busy} onClick={() => control.run(verb)}>
            {verb === 'start' ? 'Start' : verb === 'pause' ? 'Pause' : 'Resume'}
          </button>
        ))}
        {offered.length === 0 && <span>It is over. A new entry makes it go on.</span>}
      </p>
      {control.problem && <Problem problem={control.problem} />}
    </>
  )
}

function NewContestant({ id }: { readonly id: string }) {
  const [given, setGiven] = useState<{ name: string; token: string }>()
  const make = useAction(async (name: string) => {
    const { token: own } = await ask<{ token: string }>('POST', pathTo(['contests', id, 'contestants']), { name })
    setGiven({ name, token: own })
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        make.run(fieldOf(event.currentTarget, 'name'))
      }}
    >
      <label>
        Name
        <input name="name" required maxLength={60} autoComplete="off" />
      </label>
      <button type="submit" disabled={make.busy}>
        Make a token
      </button>
      {make.problem && <Problem problem={make.problem} />}
      {given && (
        <p role="status">
          The token of <b>{visible(given.name)}</b>, shown this once: <code className="token">{given.token}</code>
        </p>
      )}
    </form>
  )
}

function Entrants({ contest: { id, entrants } }: { readonly contest: Contest }) {
  const [sure, setSure] = useState<string>()
  const act = useAction(async (name: string, verb: 'withdraw' | 'disqualify') => {
    await ask('POST', pathTo(['contests', id, 'entrants', name, verb]))
    setSure(undefined)
  })
  if (entrants.length === 0) return <p className="quiet">Nobody has entered yet.</p>
  return (
    <>
      {act.problem && <Problem problem={act.problem} />}
      <ul className="plain-list">
        {entrants.map((name) => (
          <li key={name}>
            <b>{visible(name)}</b>{' '}
            {sure === name ? (
              <>
                <button type="button" disabled={act.busy} onClick={() => act.run(name, 'withdraw')}>
                  Withdraw
                </button>{' '}
                <button type="button" disabled={act.busy} onClick={() => act.run(name, 'disqualify')}>
                  Disqualify
                </button>{' '}
                <button type="button" onClick={() => setSure(undefined)}>
                  Keep
                </button>
              </>
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
