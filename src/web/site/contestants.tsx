import { useState } from 'react'
import { visible } from '../../core/index.js'
import { Press } from '../press.js'
import { ask, useAction, useApi } from './api.js'
import type { Contestant, List } from './facts.js'
import { fieldOf, pathTo } from './router.js'
import { Empty, Problem, Waiting } from './shell.js'

/** Who may enter bots, and their tokens. */
export function Contestants({ id, version }: { readonly id: string; readonly version: number }) {
  const [changes, setChanges] = useState(0)
  const [given, setGiven] = useState<readonly Given[]>([])
  const path = pathTo(['contests', id, 'contestants'])
  const { data, problem } = useApi<List<Contestant>>(`${path}?limit=200`, `${version} ${changes}`, 'host')
  const change = useAction(async (names: readonly string[], verb: 'new' | 'renew' | 'revoke') => {
    setGiven([])
    let refused: Error | undefined
    for (const name of names) {
      const to = verb === 'new' ? path : pathTo(['contests', id, 'contestants', name, verb])
      const body = verb === 'new' ? { name } : undefined
      try {
        const { token } = await ask<{ token?: string }>('POST', to, body, { slot: 'host' })
        if (token !== undefined) setGiven((all) => [...all, { name, token }])
      } catch (error) {
        // The others of a list have their tokens all the same.
        refused ??= error instanceof Error ? error : new Error(String(error))
      }
    }
    setChanges((n) => n + 1)
    if (refused !== undefined) throw refused
  })
  return (
    <>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const names = fieldOf(event.currentTarget, 'names').split('\n')
          change.run(
            names.map((name) => name.trim()).filter((name) => name !== ''),
            'new',
          )
          event.currentTarget.reset()
        }}
      >
        <label>
          Names
          <textarea name="names" required rows={3} placeholder="one a line: paste a list of a class" />
        </label>
        <Press sends resting={change.busy}>
          Make their tokens
        </Press>
      </form>
      {change.problem && <Problem problem={change.problem} />}
      {given.length > 0 && <Sheet id={id} given={given} />}
      {data === undefined ? (
        <Waiting problem={problem} what="the contestants" />
      ) : data.items.length === 0 ? (
        <Empty>Nobody has a token yet.</Empty>
      ) : (
        <Table all={data.items} busy={change.busy} onChange={(name, verb) => change.run([name], verb)} />
      )}
    </>
  )
}

/** A contestant with a token, which is shown this once. */
interface Given {
  readonly name: string
  readonly token: string
}

/** The links of contestants: whoever opens one may enter bots, and the browser keeps the token. */
function Sheet({ id, given }: { readonly id: string; readonly given: readonly Given[] }) {
  const [copied, setCopied] = useState(false)
  const linkOf = ({ token }: Given): string => `${location.origin}${pathTo(['contests', id, 'enter'])}#${token}`
  const sheet = given.map((one) => `${one.name}\t${linkOf(one)}`).join('\n')
  return (
    <div role="status" className="given">
      <p>
        Shown this once: who opens a link may enter bots.{' '}
        <button
          type="button"
          onClick={() => {
            // A page that is not served over HTTPS may have no clipboard.
            void navigator.clipboard?.writeText(sheet).then(() => setCopied(true))
          }}
        >
          {copied ? 'Copied' : 'Copy them'}
        </button>
      </p>
      <dl className="sheet">
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

interface TableProps {
  readonly all: readonly Contestant[]
  readonly busy: boolean
  readonly onChange: (name: string, verb: 'renew' | 'revoke') => void
}

function Table({ all, busy, onChange }: TableProps) {
  return (
    <div className="scrollable" role="region" aria-label="the contestants" tabIndex={0}>
      <table className="contestants">
        <thead>
          <tr>
            <th scope="col">Contestant</th>
            <th scope="col">Bots</th>
            <th scope="col">Token</th>
            <th scope="col">
              <span className="unseen">what to do</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <Row key={one.name} contestant={one} busy={busy} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps extends Omit<TableProps, 'all'> {
  readonly contestant: Contestant
}

function Row({ contestant: { name, made, revoked, bots }, busy, onChange }: RowProps) {
  const [sure, setSure] = useState(false)
  const act = (verb: 'renew' | 'revoke') => {
    setSure(false)
    onChange(name, verb)
  }
  return (
    <tr>
      <th scope="row">{visible(name)}</th>
      <td className="bots">
        {bots.length === 0 ? <span className="quiet">none yet</span> : bots.map(visible).join(', ')}
      </td>
      <td className="date">
        {revoked !== undefined ? <span className="fault">revoked {dateOf(revoked)}</span> : `made ${dateOf(made)}`}
      </td>
      <td className="verbs">
        {sure ? (
          <span className="group-of" onKeyDown={(event) => event.key === 'Escape' && setSure(false)}>
            <Press resting={busy} onClick={() => act('renew')}>
              Replace it
            </Press>
            {revoked === undefined && (
              <Press resting={busy} onClick={() => act('revoke')}>
                Revoke it
              </Press>
            )}
            <button type="button" onClick={() => setSure(false)}>
              Keep it
            </button>
          </span>
        ) : (
          <button type="button" onClick={() => setSure(true)} aria-label={`change the token of ${visible(name)}`}>
            Change …
          </button>
        )}
      </td>
    </tr>
  )
}

const dateOf = (at: string): string => new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })
