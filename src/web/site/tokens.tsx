import { type ReactNode, useState } from 'react'
import { visible } from '../../core/index.js'
import { Form, Press } from '../parts.js'
import { type ApiProblem, type Slot, WHOSE, keepToken, token, useApi } from './api.js'
import type { Caller } from './facts.js'

interface TokenGateProps {
  /** Which of this browser's tokens it is about. */
  readonly slot: Slot
  readonly label: string
  readonly help: ReactNode
  readonly otherwise?: (use: (token: string) => void) => ReactNode
  readonly children?: ReactNode
}

/** Asks for a token where this browser keeps none for that, and says whose it is where it keeps one. */
export function TokenGate({ slot, label, help, otherwise, children }: TokenGateProps) {
  const [own, setOwn] = useState(token(slot))
  const { data, problem } = useApi<Caller>(own === undefined ? undefined : WHOSE, own, slot)
  const use = (next: string | undefined) => {
    keepToken(slot, next)
    setOwn(next)
  }
  const refused = own === undefined ? undefined : refusalOf(slot, data, problem)
  if (own !== undefined && refused === undefined) {
    return (
      <>
        {children}
        <p className="quiet small">
          This browser keeps {data === undefined ? 'a token' : ownerOf(data)}.{' '}
          <Press className="plain" onClick={() => use(undefined)}>
            Forget it
          </Press>
        </p>
      </>
    )
  }
  return (
    <>
      {refused !== undefined && (
        <p className="problem note" role="alert">
          {refused}
        </p>
      )}
      <Form kind="stack" onSend={(field) => field('token') !== '' && use(field('token'))}>
        <label>
          {label}
          <input name="token" type="password" autoComplete="off" required aria-describedby={`token-help-${slot}`} />
        </label>
        <p id={`token-help-${slot}`} className="quiet">
          {help}
        </p>
        <Press sends className="main">
          Use it
        </Press>
      </Form>
      {otherwise?.(use)}
    </>
  )
}

/** Asks for the host's token where there is none. */
export const HostGate = ({ children }: { readonly children?: ReactNode }) => (
  <TokenGate
    slot="host"
    label="The host’s token"
    help={
      <>
        <code>agon serve</code> printed it at its first start; <code>agon token --new</code> makes another.
      </>
    }
  >
    {children}
  </TokenGate>
)

/** Why a token that this browser keeps does not serve here. */
function refusalOf(slot: Slot, data: Caller | undefined, problem: ApiProblem | undefined): string | undefined {
  if (problem?.status === 401) return 'This token is invalid: it was replaced or revoked, or is mistyped.'
  if (data?.role !== 'contestant') return undefined
  if (slot === 'host') return 'This is a contestant’s token, not the host’s.'
  return data.contest === slot ? undefined : 'This token is for another contest.'
}

const ownerOf = ({ role, name = '' }: Caller): ReactNode =>
  role === 'host' ? (
    'the host’s token'
  ) : (
    <>
      the token of <b>{visible(name)}</b>
    </>
  )
