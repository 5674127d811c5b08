import { type ReactNode, useEffect, useRef, useState } from 'react'
import { lookUp } from '../../core/index.js'
import { capital } from '../format.js'
import { Press } from '../parts.js'
import { type ApiProblem, type Fetched, keptContests, useReached } from './api.js'
import type { List } from './facts.js'
import { pathTo, useAddress } from './router.js'

interface ShellProps {
  readonly title: string
  /** Above the title: where one is. */
  readonly above?: ReactNode
  readonly below?: ReactNode
  readonly children: ReactNode
}

/** What every page of the site has: the bar, a heading, and the page's own. */
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

/** Moves the focus to the heading where another page is shown, as a browser does that loads one. */
export function useFocusOnChange(path: string): void {
  const last = useRef(path)
  useEffect(() => {
    if (last.current === path) return
    last.current = path
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [path])
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
  /** Stands there if there are none. */
  readonly empty: ReactNode
  readonly children: (items: readonly T[]) => ReactNode
}

export const Listed = <T,>({ empty, children, ...asked }: ListedProps<T>) => (
  <Loaded {...asked}>
    {({ items }) => (items.length === 0 ? <div className="empty">{empty}</div> : children(items))}
  </Loaded>
)

export function Waiting({ problem, what }: { readonly problem?: ApiProblem; readonly what: string }) {
  if (problem === undefined) return <Spinner>Loading {what} …</Spinner>
  return (
    <div className="empty" role="alert">
      <p>
        <b>{capital(problem.message).replace(/\.?$/, '.')}</b>
      </p>
      {problem.status === 0 ? (
        <p>It is asked again every few seconds: this page fills itself once it is back.</p>
      ) : problem.status >= 500 ? (
        <Press onClick={() => location.reload()}>Look again</Press>
      ) : (
        <a href="/">All contests</a>
      )}
    </div>
  )
}

export const Spinner = ({ children }: { readonly children: ReactNode }) => (
  <p className="waiting quiet" role="status">
    <span className="spinner" aria-hidden="true" /> {children}
  </p>
)

/** What went wrong, if anything did. */
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

/** A state in a word, with a mark that is not its colour alone. */
export const StateTag = ({ state }: { readonly state: string }) => (
  <span className={`tag state ${state}`}>
    <i aria-hidden="true" />
    {lookUp(STATE_WORDS, state) ?? state}
  </span>
)
