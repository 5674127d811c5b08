import { type ReactNode, useState } from 'react'
import { visible } from '../../core/index.js'
import { Form, Press } from '../parts.js'
import { ApiProblem, type Slot, WHOSE, keepToken, token, useApi } from './api.js'
import type { Caller } from './facts.js'
import { Problem } from './shell.js'

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
  const caller = useApi<Caller>(own === undefined ? undefined : WHOSE, own, slot)
  const use = (next: string | undefined) => {
    keepToken(slot, next)
    setOwn(next)
  }
  const refused = caller.problem?.status === 401 ? INVALID : refusalOf(slot, caller.data)
  if (own !== undefined && refused === undefined) {
    const { role, name = '' } = caller.data ?? {}
    return (
      <>
        {children}
        <p className="quiet small">
          This browser keeps {role === undefined ? 'a token' : role === 'host' ? 'the host’s token' : 'the token of '}
          {role === 'contestant' && <b>{visible(name)}</b>}.{' '}
          <Press className="plain" onClick={() => use(undefined)}>
            Forget it
          </Press>
        </p>
      </>
    )
  }
  return (
    <>
      {own !== undefined && <Problem problem={refused} />}
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

const INVALID = new ApiProblem(401, 'This token is invalid: it was replaced or revoked, or is mistyped.')

/** Why a token that this browser keeps does not serve here. */
function refusalOf(slot: Slot, caller: Caller | undefined): ApiProblem | undefined {
  if (caller?.role !== 'contestant' || caller.contest === slot) return undefined
  const whose = slot === 'host' ? 'a contestant’s token, not the host’s' : 'a token for another contest'
  return new ApiProblem(403, `This is ${whose}.`)
}
