import type { GameDefinition, Spell } from '../core/index.js'
import type { Store } from '../store/index.js'
import type { Context } from '../app/context.js'
import type { SiteStore } from './db/port.js'
import type { Hub } from './hub.js'
import type { RunsInProgress } from './play/progress.js'
import type { SiteRatings } from './play/ratings.js'
import type { SlowWork } from './slow-work.js'
import type { SiteWorkers } from './site-workers.js'

/** What every use case of a site gets: the store of matches, the site's own store, the games, and the listeners. */
export interface SiteContext extends Context {
  readonly store: Store
  readonly site: SiteStore
  /** The games that come with agon, and the host's own. */
  readonly games: readonly GameDefinition[]
  readonly hub: Hub
  /** What is played in this process. */
  readonly progress: RunsInProgress
  /** Who plays for the store, where it is on a server. */
  readonly workers: SiteWorkers
  /** The ratings of runs, computed aside. */
  readonly ratings: SiteRatings
  /** The queue of slow work. */
  readonly slow: SlowWork
  /** How texts for people of the site write options and commands; `spell` is for texts that its host reads. */
  readonly spellOnPages?: Spell
}
