import { useEffect, useState } from 'react'
import { visible } from '../../core/index.js'
import { dateText } from '../format.js'
import { Field, Form, Press, Sections } from '../parts.js'
import { post, useAction, useApi, useLive } from './api.js'
import { OfContest } from './contest.js'
import { Editor } from './editor.js'
import type { Contest, Contestant, List } from './facts.js'
import { pathTo } from './router.js'
import { HostGate, Listed, Problem, Sure, Waiting } from './shell.js'

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
                  <Field label="Why" name="why" maxLength={200} placeholder="shown in the table" />
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

/** A contestant with a token, which is shown this once. */
interface Given {
  readonly name: string
  readonly token: string
}

type Verb = 'renew' | 'revoke'

function Contestants({ id, version }: { readonly id: string; readonly version: number }) {
  const [typed, setTyped] = useState('')
  const [changes, setChanges] = useState(0)
  const [given, setGiven] = useState<readonly Given[]>([])
  const path = pathTo(['contests', id, 'contestants'])
  const contestants = useApi<List<Contestant>>(`${path}?limit=200`, `${version} ${changes}`, 'host')
  /** Makes tokens of new contestants, or does something with those of others. */
  const change = useAction(async (names: readonly string[], verb?: Verb) => {
    setGiven([])
    let refused: unknown
    for (const name of names) {
      const to = verb === undefined ? path : pathTo(['contests', id, 'contestants', name, verb])
      try {
        const body = verb === undefined ? { name } : undefined
        const { token } = await post<{ token?: string }>(to, body, { slot: 'host' })
        if (token !== undefined) setGiven((all) => [...all, { name, token }])
      } catch (error) {
        // The others of a list have their tokens all the same.
        refused ??= error
      }
    }
    setChanges((n) => n + 1)
    if (refused instanceof Error) throw refused
  })
  return (
    <>
      <Form
        kind="stack"
        onSend={(field) => {
          const names = field('names').split('\n')
          change.run(names.map((name) => name.trim()).filter((name) => name !== ''))
          setTyped('')
        }}
      >
        <label>
          Names
          <textarea
            name="names"
            required
            rows={3}
            placeholder="one a line: paste a list of a class"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <Press sends resting={change.busy}>
          Make their tokens
        </Press>
      </Form>
      <Problem problem={change.problem} />
      {given.length > 0 && <Sheet id={id} given={given} />}
      <Listed of={contestants} what="the contestants" empty="Nobody has a token yet.">
        {(all) => (
          <ul role="list">
            {all.map((one) => (
              <li key={one.name} className="flow apart">
                <b>{visible(one.name)}</b>{' '}
                <span className="quiet">{one.bots.map(visible).join(', ') || 'no bot yet'}</span>{' '}
                {one.revoked === undefined ? (
                  <span>made {dateText(one.made)}</span>
                ) : (
                  <span className="fault">revoked {dateText(one.revoked)}</span>
                )}{' '}
                <Verbs contestant={one} busy={change.busy} onChange={(verb) => change.run([one.name], verb)} />
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  )
}

interface VerbsProps {
  readonly contestant: Contestant
  readonly busy: boolean
  readonly onChange: (verb: Verb) => void
}

const Verbs = ({ contestant: { name, revoked }, busy, onChange }: VerbsProps) => (
  <Sure word="Change …" label={`change the token of ${visible(name)}`}>
    {(close) => {
      const button = (word: string, verb: Verb) => (
        <Press
          resting={busy}
          onClick={() => {
            close()
            onChange(verb)
          }}
        >
          {word}
        </Press>
      )
      return (
        <>
          {button('Replace it', 'renew')}
          {revoked === undefined && button('Revoke it', 'revoke')}
          <Press onClick={close}>Keep it</Press>
        </>
      )
    }}
  </Sure>
)

/** The links of contestants: whoever opens one may enter bots, and the browser keeps the token. */
function Sheet({ id, given }: { readonly id: string; readonly given: readonly Given[] }) {
  const [copied, setCopied] = useState(false)
  const linkOf = ({ token }: Given): string => `${location.origin}${pathTo(['contests', id, 'enter'])}#${token}`
  const copy = () => {
    const sheet = given.map((one) => `${one.name}\t${linkOf(one)}`).join('\n')
    // A page that is not served over HTTPS may have no clipboard.
    void navigator.clipboard?.writeText(sheet).then(() => setCopied(true))
  }
  return (
    <div role="status" className="panel live">
      <p>
        Shown this once: who opens a link may enter bots.{' '}
        <Press onClick={copy}>{copied ? 'Copied' : 'Copy them'}</Press>
      </p>
      <dl>
        {given.map((one) => (
          <div key={one.name}>
            <dt>{visible(one.name)}</dt>
            <dd>
              <code className="token">{linkOf(one)}</code>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
