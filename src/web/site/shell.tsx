import { type ReactNode, useEffect, useState } from 'react'
import { lookUp, visible } from '../../core/index.js'
import { capital } from '../format.js'
import { Field, Form, Press } from '../parts.js'
import {
  type Fetched,
  type Slot,
  ApiProblem,
  WHOSE,
  keepToken,
  keptContests,
  token,
  useApi,
  useReached,
} from './api.js'
import type { Caller, List } from './facts.js'
import { pathTo, useAddress } from './router.js'

interface ShellProps {
  readonly title: string
  readonly above?: ReactNode
  readonly below?: ReactNode
  readonly children: ReactNode
}

export function Shell({ title, above, below, children }: ShellProps) {
  useEffect(() => {
    document.title = title === 'agon' ? 'agon' : `${title} · agon`
  }, [title])
  return (
    <>
      <SiteBar />
      <main id="main" tabIndex={-1}>
        <header className="masthead">
          <div className="inner">
            {above !== undefined && <p className="kicker flow">{above}</p>}
            <h1 tabIndex={-1}>{title}</h1>
            {below}
          </div>
        </header>
        <div className="inner">{children}</div>
      </main>
      <footer className="inner">
        <p>
          Served by agon. Matches are replayed here from their records by the game’s own rules.{' '}
          <a href="/api/v1/openapi.json">The API</a> has all that these pages show.
        </p>
      </footer>
    </>
  )
}

/** The way to all contests, and to one, above what lies in it. A stroke never begins a line. */
export const Above = ({ contest }: { readonly contest?: string }) => (
  <>
    <span className="whole">
      <a href="/">Contests</a> /
    </span>
    {contest !== undefined && <a href={pathTo(['contests', contest])}>the contest</a>}
  </>
)

export function SiteBar() {
  const { path } = useAddress()
  const isReached = useReached()
  const places = [
    ['/', 'Contests', path === '/' || /^\/(contests|matches|entries|scrimmages)\b/.test(path)],
    ['/play', 'Play', /^\/(play|sittings)\b/.test(path)],
    ...(keptContests().length > 0 ? [['/mine', 'My bots', path === '/mine'] as const] : []),
    ['/host', 'Host', path.startsWith('/host')],
  ] as const
  return (
    <>
      <a className="skip" href="#main">
        To the content
      </a>
      <header className="site-bar">
        <div className="inner">
          <a href="/" className="brand">
            agon
          </a>
          <nav aria-label="the site">
            {places.map(([to, name, here]) => (
              <a key={to} href={to} aria-current={here ? 'page' : undefined}>
                {name}
              </a>
            ))}
          </nav>
        </div>
      </header>
      <div role="status">
        {!isReached && (
          <p className="offline">
            The server does not answer: what you see may be old. It is asked again every few seconds.
          </p>
        )}
      </div>
    </>
  )
}

interface LoadedProps<T> {
  readonly of: Fetched<T>
  readonly what: string
  readonly children: (data: T) => ReactNode
}

/** What was asked for; until it is there, that it is coming, or why it is not. */
export const Loaded = <T,>({ of: { data, problem }, what, children }: LoadedProps<T>) =>
  data === undefined ? <Waiting problem={problem} what={what} /> : children(data)

interface ListedProps<T> extends Omit<LoadedProps<List<T>>, 'children'> {
  readonly empty: ReactNode
  readonly children: (items: readonly T[]) => ReactNode
}

export const Listed = <T,>({ empty, children, ...asked }: ListedProps<T>) => (
  <Loaded {...asked}>
    {({ items }) => (items.length === 0 ? <div className="empty">{empty}</div> : children(items))}
  </Loaded>
)

export function Waiting({ problem, what }: { readonly problem?: ApiProblem; readonly what: string }) {
  if (problem === undefined)
    return (
      <p className="quiet" role="status">
        Loading {what} …
      </p>
    )
  return (
    <div className="empty" role="alert">
      <p>
        <b>{capital(problem.message).replace(/\.?$/, '.')}</b>
      </p>
      {problem.status === 0 ? (
        <p>It is asked again every few seconds: this page fills itself once it is back.</p>
      ) : (
        <a href="/">All contests</a>
      )}
    </div>
  )
}

export const Problem = ({ problem, id }: { readonly problem: ApiProblem | undefined; readonly id?: string }) =>
  problem && (
    <p id={id} className="problem note" role="alert">
      {problem.message}
    </p>
  )

interface SureProps {
  readonly word: string
  readonly label: string
  readonly children: (close: () => void) => ReactNode
}

/** A button, and in its place, once it is pressed, what there is to choose; Escape takes that back. */
export function Sure({ word, label, children }: SureProps) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (!open)
    return (
      <Press onClick={() => setOpen(true)} aria-label={label}>
        {word}
      </Press>
    )
  return (
    <div className="flow" onKeyDown={(event) => event.key === 'Escape' && close()}>
      {children(close)}
    </div>
  )
}

/** The words for states whose names in the API say less to a reader. */
const STATE_WORDS: Readonly<Record<string, string>> = { playing: 'live', created: 'not started' }

export const StateTag = ({ state }: { readonly state: string }) => (
  <span className={`tag state ${state}`}>
    <i aria-hidden="true" />
    {lookUp(STATE_WORDS, state) ?? state}
  </span>
)

interface TokenGateProps {
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
        <Field label={label} name="token" type="password" required aria-describedby={`token-help-${slot}`} />
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
