import { createContext, useContext } from 'react'
import { visible } from '../core/index.js'
import type { PageState } from './hash.js'
import type { Report } from './load.js'

/** What every part of the page needs. */
export interface Shared {
  readonly place: PageState
  readonly go: (place: PageState, replace?: boolean) => void
  readonly href: (place: PageState) => string
  /** Absent: a match stands by itself. */
  readonly report?: Pick<Report, 'document' | 'matches'>
  /** What the way back from a replay is called; absent: the list of matches. */
  readonly back?: string
  /** By name: places that an entrant has gained since the page was opened, or, below 0, lost; absent: nothing moves. */
  readonly moved?: ReadonlyMap<string, number>
  /** The address of an entrant's own page; absent: it has none. */
  readonly bot?: (name: string) => string
}
const Context = createContext<Shared | undefined>(undefined)
export const SharedProvider = Context.Provider

export function useShared(): Shared {
  const shared = useContext(Context)
  if (!shared) throw new Error('outside the page')
  return shared
}

/** The report around, with what its parts need. */
export function useReport() {
  const { report, ...shared } = useShared()
  if (!report) throw new Error('outside a report')
  const { entrants } = report.document
  return {
    ...shared,
    ...report,
    /** An entrant's name with nothing in it that could turn the text around or hide a part of it. */
    nameOf: (entrant: number): string => visible(entrants[entrant]?.name ?? '?'),
    /** Whether an entrant is the one that the address highlights. */
    isChosen: ({ entrant }: { readonly entrant: number }): boolean =>
      shared.place.bot !== undefined && entrants[entrant]?.name === shared.place.bot,
  }
}
