import { useEffect, useState } from 'react'
import { listen } from './api.js'
import type { Contest, MatchFacts } from './facts.js'
import { pathTo } from './router.js'

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
    const end = listen(
      pathTo(['contests', id, 'events']),
      (connected) => setLive((now) => (now.connected === connected ? now : { ...now, connected })),
      {
        ...Object.fromEntries(['run', 'state', 'entry', 'out', 'waits'].map((kind) => [kind, changed])),
        contest(contest: Contest) {
          setLive((now) => ({ ...now, contest }))
          changed()
        },
        matches({ items, matches }: { readonly items: readonly MatchFacts[]; readonly matches: number }) {
          const newest = items.toReversed()
          const faulted = newest.filter(({ seats }) => seats.some(({ faults }) => faults.length > 0))
          setLive((now) => ({
            ...now,
            contest: now.contest && { ...now.contest, matches },
            latest: [...newest, ...now.latest].slice(0, LATEST),
            faulted: [...faulted, ...now.faulted].slice(0, LATEST),
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
