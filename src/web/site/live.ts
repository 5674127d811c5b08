import { useEffect, useState } from 'react'
import type { Contest, MatchFacts } from './facts.js'

/** What is known of a contest while it is watched. */
export interface Live {
  /** Raised where the tables may have changed: at most once in a while. */
  readonly version: number
  readonly contest?: Contest
  /** The newest matches, the newest first. */
  readonly latest: readonly MatchFacts[]
  /** The newest matches with a fault, the newest first. */
  readonly faulted: readonly MatchFacts[]
  /** Whether events arrive; false: the connection is being made again. */
  readonly connected: boolean
}

/** Milliseconds between two looks at tables that change all the time. */
const PAUSE = 1500
/** Newest matches that are kept. */
const LATEST = 12
/** Kinds of events that the server tells, beside `contest` and `matches`. */
const OTHERS = ['run', 'state', 'entry', 'out', 'waits']

/** Listens to a contest's events; undefined: to none. The browser connects again by itself, and the server tells what was missed. */
export function useLive(id: string | undefined): Live {
  const [live, setLive] = useState<Live>({ version: 0, latest: [], faulted: [], connected: true })
  useEffect(() => {
    setLive({ version: 0, latest: [], faulted: [], connected: true })
    if (id === undefined) return undefined
    const source = new EventSource(`/api/v1/contests/${encodeURIComponent(id)}/events`)
    let timer: ReturnType<typeof setTimeout> | undefined
    const changed = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        setLive((now) => ({ ...now, version: now.version + 1 }))
      }, PAUSE)
    }
    source.addEventListener('contest', (event) => {
      const contest = JSON.parse(event.data as string) as Contest
      setLive((now) => ({ ...now, contest, connected: true }))
      changed()
    })
    source.addEventListener('matches', (event) => {
      const { items, matches } = JSON.parse(event.data as string) as { items: readonly MatchFacts[]; matches: number }
      setLive((now) => ({
        ...now,
        contest: now.contest ? { ...now.contest, matches } : undefined,
        latest: [...items.toReversed(), ...now.latest].slice(0, LATEST),
        faulted: [...items.toReversed().filter(isFaulted), ...now.faulted].slice(0, LATEST),
        connected: true,
      }))
      changed()
    })
    for (const kind of OTHERS) source.addEventListener(kind, changed)
    source.addEventListener('open', () => setLive((now) => ({ ...now, connected: true })))
    source.addEventListener('error', () => setLive((now) => ({ ...now, connected: false })))
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [id])
  return live
}

const isFaulted = ({ seats }: MatchFacts): boolean => seats.some(({ faults }) => faults.length > 0)
