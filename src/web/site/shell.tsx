import { type ReactNode, useEffect, useRef } from 'react'
import { lookUp } from '../../core/index.js'
import { capital } from '../format.js'
import { type ApiProblem, type Fetched, keptContests, useReach } from './api.js'
import type { List } from './facts.js'
import { useAddress } from './router.js'

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
    {contest !== undefined && <a href={`/contests/${encodeURIComponent(contest)}`}>the contest</a>}
  </>
)

export function SiteBar() {
  const { path } = useAddress()
  const reach = useReach()
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
        {reach !== 'reached' && (
          <p className="offline">
            {reach === 'no network' ? 'There is no network' : 'The server does not answer'}: what you see may be old. It
            is asked again every few seconds.
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

interface ListedProps<T> {
  readonly of: Fetched<List<T>>
  readonly what: string
  /** Stands there if there are none. */
  readonly empty: ReactNode
  readonly children: (items: readonly T[]) => ReactNode
}

export function Listed<T>({ of: { data, problem }, what, empty, children }: ListedProps<T>) {
  if (data === undefined) return <Waiting problem={problem} what={what} />
  return data.items.length === 0 ? <div className="empty">{empty}</div> : children(data.items)
}

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
        <button type="button" onClick={() => location.reload()}>
          Look again
        </button>
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

export const Problem = ({ problem, id }: { readonly problem: ApiProblem; readonly id?: string }) => (
  <p id={id} className="problem note" role="alert">
    {problem.message}
  </p>
)

/** The words for states whose names in the API say less to a reader. */
const STATE_WORDS: Readonly<Record<string, string>> = { playing: 'live', created: 'not started' }

/** A state in a word, with a mark that is not its colour alone. */
export function StateTag({ state }: { readonly state: string }) {
  return (
    <span className={`tag state ${state}`}>
      <i aria-hidden="true" />
      {lookUp(STATE_WORDS, state) ?? state}
    </span>
  )
}
