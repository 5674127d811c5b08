import { useState } from 'react'
import { visible } from '../../core/index.js'
import { dateText } from '../format.js'
import { Form, Press, Table } from '../parts.js'
import { post, useAction, useApi } from './api.js'
import type { Contestant, List } from './facts.js'
import { pathTo } from './router.js'
import { Listed, Problem, Sure } from './shell.js'

/** A contestant with a token, which is shown this once. */
interface Given {
  readonly name: string
  readonly token: string
}

type Verb = 'renew' | 'revoke'

export function Contestants({ id, version }: { readonly id: string; readonly version: number }) {
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
          <Table
            label="the contestants"
            kind="stacked"
            columns={[
              { head: 'Contestant', names: true, cell: ({ name }) => visible(name) },
              {
                head: 'Bots',
                cell: ({ bots }) => bots.map(visible).join(', ') || <span className="quiet">none yet</span>,
              },
              { head: 'Token', kind: 'whole', cell: Token },
              {
                head: 'What to do',
                kind: 'verbs',
                cell: (one) => (
                  <Verbs contestant={one} busy={change.busy} onChange={(verb) => change.run([one.name], verb)} />
                ),
              },
            ]}
            rows={all}
            keyOf={({ name }) => name}
          />
        )}
      </Listed>
    </>
  )
}

const Token = ({ made, revoked }: Contestant) =>
  revoked === undefined ? `made ${dateText(made)}` : <span className="fault">revoked {dateText(revoked)}</span>

interface VerbsProps {
  readonly contestant: Contestant
  readonly busy: boolean
  readonly onChange: (verb: Verb) => void
}

/** What can be done with a token, once it is asked for. */
const Verbs = ({ contestant: { name, revoked }, busy, onChange }: VerbsProps) => (
  <Sure word="Change …" label={`change the token of ${visible(name)}`}>
    {(close) => {
      const act = (verb: Verb) => () => {
        close()
        onChange(verb)
      }
      return (
        <>
          <Press resting={busy} onClick={act('renew')}>
            Replace it
          </Press>
          {revoked === undefined && (
            <Press resting={busy} onClick={act('revoke')}>
              Revoke it
            </Press>
          )}
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
