import { useEffect, useState } from 'react'
import type { Contest, MatchFacts } from './facts.js'
import { pathTo } from './router.js'

/** Counts up, as long as the page is looked at; undefined: it does not. */
export function useTicks(ms: number | undefined): number {
  const [ticks, setTicks] = useState(0)
  useEffect(() => {
    if (ms === undefined) return undefined
    const timer = setInterval(() => document.visibilityState === 'visible' && setTicks((n) => n + 1), ms)
    return () => clearInterval(timer)
  }, [ms])
  return ticks
}

/**
 * Listens to events of the API, each kind with its own listener. `onConnected` is told whether they arrive: the browser connects again by
 * itself, and the server tells what was missed. Returns what ends it.
 */
export function listen(
  path: string,
  onConnected: (connected: boolean) => void,
  listeners: Readonly<Record<string, (data: never) => void>>,
): () => void {
  const source = new EventSource(`/api/v1${path}`)
  for (const [kind, listener] of Object.entries(listeners))
    source.addEventListener(kind, (event) => {
      onConnected(true)
      listener(JSON.parse((event as MessageEvent<string>).data) as never)
    })
  source.addEventListener('open', () => onConnected(true))
  source.addEventListener('error', () => onConnected(false))
  return () => source.close()
}

/** What is known of a contest while it is watched. */
export interface Live {
  /** Raised where the tables may have changed: at most once in a while. */
  readonly version: number
  readonly contest?: Contest
  readonly latest: readonly MatchFacts[]
  /** The newest matches with a fault, the newest first. */
  readonly faulted: readonly MatchFacts[]
  /** Whether events arrive; false: the connection is being made again. */
  readonly connected: boolean
}

const NOTHING: Live = { version: 0, latest: [], faulted: [], connected: true }
/** Milliseconds between two looks at tables that change all the time. */
const PAUSE = 1500
const LATEST = 12

/** Listens to a contest's events; undefined: to none. */
export function useLive(id: string | undefined): Live {
  const [live, setLive] = useState(NOTHING)
  useEffect(() => {
    setLive(NOTHING)
    if (id === undefined) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const changed = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        setLive((now) => ({ ...now, version: now.version + 1 }))
      }, PAUSE)
    }
    const others = ['run', 'state', 'entry', 'out', 'waits'].map((kind) => [kind, changed] as const)
    const end = listen(
      pathTo(['contests', id, 'events']),
      (connected) => setLive((now) => (now.connected === connected ? now : { ...now, connected })),
      {
        ...Object.fromEntries(others),
        contest(contest: Contest) {
          setLive((now) => ({ ...now, contest }))
          changed()
        },
        matches({ items, matches }: { readonly items: readonly MatchFacts[]; readonly matches: number }) {
          const newest = items.toReversed()
          setLive((now) => ({
            ...now,
            contest: now.contest && { ...now.contest, matches },
            latest: [...newest, ...now.latest].slice(0, LATEST),
            faulted: [...newest.filter(isFaulted), ...now.faulted].slice(0, LATEST),
          }))
          changed()
        },
      },
    )
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [id])
  return live
}

const isFaulted = ({ seats }: MatchFacts): boolean => seats.some(({ faults }) => faults.length > 0)
