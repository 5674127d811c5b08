import type { Spell } from '../../core/index.js'
import type { Context } from '../context.js'
import type { Hub } from './hub.js'
import type { RunsInProgress } from './progress.js'
import type { SlowWork } from './slow-work.js'
import type { SiteWorkers } from './site-workers.js'
import type { TableSource } from './table-source.js'
import type { TableThread } from './table-thread.js'

/** What every use case of a site gets: the store of matches, the site's own store, and the listeners. */
export interface SiteContext extends Context, TableSource {
  readonly hub: Hub
  /** What is played in this process. */
  readonly progress: RunsInProgress
  /** Who plays for the store, where it is on a server. */
  readonly workers: SiteWorkers
  /** Reads large runs, for all who ask. */
  readonly thread: TableThread
  /** The queue of slow work. */
  readonly slow: SlowWork
  /** How texts for people of the site write options and commands; `spell` is for texts that its host reads. */
  readonly spellOnPages?: Spell
}
