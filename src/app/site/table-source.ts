import type { GameDefinition } from '../../core/index.js'
import type { Store } from '../../store/index.js'
import type { SiteStore } from './db/port.js'
import type { Context } from '../context.js'

/** The sources of a site's tables: the store of matches, the site's own store, and the games. */
export interface TableSource extends Pick<Context, 'workspace'> {
  readonly store: Store
  readonly site: SiteStore
  /** The games that come with agon, and the host's own. */
  readonly games: readonly GameDefinition[]
}

/** Which table of a contest is asked for. */
export type TableAsked =
  { readonly kind: 'standings' } | { readonly kind: 'report' } | { readonly kind: 'entrant'; readonly name: string }
