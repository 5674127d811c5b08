import { useSyncExternalStore } from 'react'

/** Whether the server answered when it was asked last: shared by all that asks it. */
let reached = true
const listeners = new Set<() => void>()

export function noteReached(now: boolean): void {
  if (reached === now) return
  reached = now
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  for (const kind of ['online', 'offline']) addEventListener(kind, listener)
  return () => {
    listeners.delete(listener)
    for (const kind of ['online', 'offline']) removeEventListener(kind, listener)
  }
}

/** What keeps the page from the server: the browser has no network, or the server does not answer. */
export const useReach = (): 'reached' | 'no network' | 'no answer' =>
  useSyncExternalStore(subscribe, () => (!navigator.onLine ? 'no network' : reached ? 'reached' : 'no answer'))
