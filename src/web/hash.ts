import { useEffect, useState } from 'react'

/** Where the page is: everything that a link to it must tell. */
export interface PageState {
  /** A section of the overview to be shown. */
  readonly at?: string
  /** The entrant that is highlighted, by name. */
  readonly bot?: string
  /** With `bot`: the matches between the two. */
  readonly rival?: string
  /** A match that is replayed, by its key. */
  readonly match?: string
  /** Turns played at the position that is shown. */
  readonly turn?: number
  /** The seat whose knowledge is shown; absent: everything. */
  readonly as?: number
  /** The replay plays as it opens. */
  readonly play?: true
}

/** What the words of an address say. What is not understood is left out. */
export function placeOf(words: URLSearchParams): PageState {
  const text = (name: string) => words.get(name) || undefined
  const count = (name: string) => (/^\d{1,9}$/.test(words.get(name) ?? '') ? Number(words.get(name)) : undefined)
  const place: PageState = {
    at: text('at'),
    bot: text('bot'),
    rival: text('rival'),
    match: text('match'),
    turn: count('turn'),
    as: count('as'),
    play: words.get('play') === 'true' ? true : undefined,
  }
  return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined))
}

/** Reads '#match=1%2FAnt-Bee%2F1&turn=12'. */
export const parsePlace = (hash: string): PageState => placeOf(new URLSearchParams(hash.replace(/^#/, '')))

/** The same place as a hash. */
export function formatPlace(place: PageState): string {
  const words = new URLSearchParams()
  for (const [name, value] of Object.entries(place)) if (value !== undefined) words.set(name, String(value))
  return `#${words.toString()}`
}

/** The place in the address bar, and how to go to another: as a new entry of the history, or in place of the last. */
export function usePlace(): readonly [PageState, (place: PageState, replace?: boolean) => void] {
  const [place, setPlace] = useState(() => parsePlace(location.hash))
  useEffect(() => {
    const follow = () => setPlace(parsePlace(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const go = (next: PageState, replace = false) => {
    const hash = formatPlace(next)
    if (replace) {
      history.replaceState(null, '', hash)
      setPlace(next)
    } else location.hash = hash
  }
  return [place, go]
}
