import type { GameDefinition } from '../../core/index.js'
import type { SiteStore, Store } from '../../store/index.js'
import type { Context } from '../context.js'

/** What a site's tables are made from: what was played, what the site knows, and what can be played. */
export interface TableSource extends Pick<Context, 'workspace'> {
  readonly store: Store
  readonly site: SiteStore
  /** The games that come with agon, and the host's own. */
  readonly games: readonly GameDefinition[]
}

/** Which table of a contest is asked for. */
export type TableAsked =
  { readonly kind: 'standings' } | { readonly kind: 'report' } | { readonly kind: 'entrant'; readonly name: string }
