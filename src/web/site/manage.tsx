import { useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { Form, Press, Sections } from '../parts.js'
import { post, useAction, useApi } from './api.js'
import { OfContest } from './contest-shell.js'
import { Contestants } from './contestants.js'
import { Editor } from './editor.js'
import type { Contest } from './facts.js'
import { useLive } from './live.js'
import { pathTo } from './router.js'
import { Problem, Sure, Waiting } from './shell.js'
import { HostGate } from './tokens.js'

export function ManagePage({ id }: { readonly id: string }) {
  const live = useLive(id)
  return (
    <OfContest id={id} title="Host" live={live}>
      {(contest) => (
        <HostGate>
          <Sections
            parts={[
              ['run', 'Run it', <Controls contest={contest} />],
              ['contestants', 'Contestants', <Contestants id={id} version={live.version} />],
              ['entrants', 'Entrants', <Entrants contest={contest} />],
              ['text', 'The contest file', <ContestText contest={contest} />],
            ]}
          />
        </HostGate>
      )}
    </OfContest>
  )
}

/** What a host may do in a state: the verb of the API, and the button's word. */
const OFFERED: Readonly<Partial<Record<Contest['state'], readonly [verb: string, word: string]>>> = {
  created: ['start', 'Start'],
  failed: ['start', 'Start'],
  paused: ['resume', 'Resume'],
  playing: ['pause', 'Pause'],
}

function Controls({ contest: { id, state, final } }: { readonly contest: Contest }) {
  const control = useAction(async (verb: string) => {
    await post(pathTo(['contests', id, verb]), undefined, { slot: 'host' })
  })
  const [verb, word] = OFFERED[state] ?? []
  if (final) return <p>Its host has ended it for good.</p>
  return (
    <>
      {verb === undefined ? (
        <p>It is over. A new entry makes it go on.</p>
      ) : (
        <Press key={verb} className="main" resting={control.busy} onClick={() => control.run(verb)}>
          {word}
        </Press>
      )}
      {state !== 'created' && (
        <details>
          <summary>End it for good</summary>
          <p>No bot can enter it any more, and no match of it is played.</p>
          <Press resting={control.busy} onClick={() => control.run('finish')}>
            Finish
          </Press>
        </details>
      )}
      <Problem problem={control.problem} />
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
    await post(pathTo(['contests', id, 'text']), { toml }, { slot: 'host' })
    setKept(true)
  })
  if (text === undefined) return <Waiting problem={problem} what="the contest file" />
  return (
    <Form kind="stack wide" onSend={() => save.run(text)}>
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
      <p className="flow">
        <Press sends className="main" resting={save.busy}>
          Save it
        </Press>
        {kept && !save.busy && save.problem === undefined && <span role="status">Saved.</span>}
      </p>
    </Form>
  )
}

function Entrants({ contest: { id, entrants } }: { readonly contest: Contest }) {
  const exclude = useAction(async (name: string, verb: string, body: object) => {
    await post(pathTo(['contests', id, 'entrants', name, verb]), body, { slot: 'host' })
  })
  if (entrants.length === 0) return <p className="empty">Nobody plays yet: the contest has not begun.</p>
  return (
    <>
      <Problem problem={exclude.problem} />
      <ul role="list">
        {entrants.map((name) => (
          <li key={name} className="flow apart">
            <b>{visible(name)}</b>{' '}
            <Sure word="Exclude …" label={`exclude ${visible(name)}`}>
              {(close) => (
                <Form
                  kind="fields"
                  onSend={(field) => {
                    exclude.run(name, field('verb'), { matches: field('matches'), why: field('why') })
                    close()
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
                  <span className="flow">
                    <Press sends resting={exclude.busy}>
                      Exclude it
                    </Press>
                    <Press onClick={close}>Keep it</Press>
                  </span>
                </Form>
              )}
            </Sure>
          </li>
        ))}
      </ul>
      <p>
        <a href={`/api/v1${pathTo(['contests', id, 'results.csv'])}`} download>
          Results as CSV
        </a>
      </p>
    </>
  )
}
