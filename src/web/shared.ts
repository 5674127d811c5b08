import { createContext, useContext, useMemo, useSyncExternalStore } from 'react'
import { visible } from '../core/index.js'
import type { Report } from './load.js'

export interface Shared {
  readonly place: PageState
  readonly go: (place: PageState, replace?: boolean) => void
  readonly href: (place: PageState) => string
  /** Absent: a match stands by itself. */
  readonly report?: Pick<Report, 'document' | 'matches'>
  /** The name of the way back from a replay; absent: the list of matches. */
  readonly back?: string
  /** By name: places gained since the page was opened, below 0 lost; absent: nothing moves. */
  readonly moved?: ReadonlyMap<string, number>
  /** An entrant's page; absent: none. */
  readonly bot?: (name: string) => string
}
const Context = createContext<Shared | undefined>(undefined)
export const SharedProvider = Context.Provider

export function useShared(): Shared {
  const shared = useContext(Context)
  if (!shared) throw new Error('outside the page')
  return shared
}

export function useReport() {
  const { report, ...shared } = useShared()
  if (!report) throw new Error('outside a report')
  const { entrants } = report.document
  return {
    ...shared,
    ...report,
    /** Without what could turn the text around or hide a part of it. */
    nameOf: (entrant: number): string => visible(entrants[entrant]?.name ?? '?'),
    isChosen: ({ entrant }: { readonly entrant: number }): boolean =>
      shared.place.bot !== undefined && entrants[entrant]?.name === shared.place.bot,
  }
}

/** All that a link must tell. */
export interface PageState {
  /** A section of the overview. */
  readonly at?: string
  /** By name: the highlighted entrant, whose matches are listed; and against whom. */
  readonly bot?: string
  readonly rival?: string
  /** Filters of the list: by what matches ended, how (`won`, `lost` by the player, `draw`), and only with faults. */
  readonly reason?: string
  readonly result?: string
  readonly faulted?: true
  /** The key of a replayed match. */
  readonly match?: string
  /** Turns before the shown position. */
  readonly turn?: number
  /** The seat whose knowledge is shown; absent: everything. */
  readonly as?: number
  /** The replay plays as it opens. */
  readonly play?: true
}

/** Undefined: the word is not understood. */
const text = (word: string) => word || undefined
const count = (word: string) => (/^\d{1,9}$/.test(word) ? Number(word) : undefined)
const flag = (word: string) => (word === 'true' ? true : undefined)
const READ = new Map<string, (word: string) => unknown>([
  ...['at', 'bot', 'rival', 'reason', 'result', 'match'].map((name) => [name, text] as const),
  ...['turn', 'as'].map((name) => [name, count] as const),
  ...['faulted', 'play'].map((name) => [name, flag] as const),
])

/** What is not understood is left out. */
export function placeOf(words: URLSearchParams): PageState {
  const said = [...READ].map(([name, read]) => [name, read(words.get(name) ?? '')] as const)
  return Object.fromEntries(said.filter(([, value]) => value !== undefined))
}

/** Reads '#match=1%2FAnt-Bee%2F1&turn=12'. */
export const parsePlace = (hash: string): PageState => placeOf(new URLSearchParams(hash.replace(/^#/, '')))

export function formatPlace(place: PageState): string {
  const words = new URLSearchParams()
  for (const [name, value] of Object.entries(place))
    if (value !== undefined && value !== '') words.set(name, String(value))
  return `#${words.toString()}`
}

/** Returns what ends it. */
export const onEvent = (name: string) => (listener: () => void) => {
  addEventListener(name, listener)
  return () => removeEventListener(name, listener)
}
const onMoved = onEvent('hashchange')

/** The place in the address bar, and how to go to another: as a new entry of the history, or with `replace`. */
export function usePlace(): readonly [PageState, (place: PageState, replace?: boolean) => void] {
  const hash = useSyncExternalStore(onMoved, () => location.hash)
  const place = useMemo(() => parsePlace(hash), [hash])
  const go = (next: PageState, replace = false) => {
    if (!replace) location.hash = formatPlace(next)
    else {
      history.replaceState(null, '', formatPlace(next))
      dispatchEvent(new HashChangeEvent('hashchange'))
    }
  }
  return [place, go]
}
