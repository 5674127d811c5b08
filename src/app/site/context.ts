import type { SiteStore, Store } from '../../store/index.js'
import { openSiteStore } from '../../store/index.js'
import type { Context } from '../context.js'
import { openStoreOf } from '../open-store.js'
import type { GameDefinition, Spell } from '../../core/index.js'
import { gameNamed } from '../game-named.js'
import { games } from '../../games/index.js'
import { Hub } from './hub.js'
import { OpenDeals } from './open-deals.js'
import { Progress } from './progress.js'
import { SlowWork } from './slow-work.js'
import { Staff } from './staff.js'
import { TableThread } from './table-thread.js'

/** What every use case of a site is given: what was played, what the site knows, and who listens. */
export interface SiteContext extends Context {
  readonly store: Store
  readonly site: SiteStore
  readonly hub: Hub
  /** What is played in this process. */
  readonly progress: Progress
  /** Knows which luck is still played with. */
  readonly deals: OpenDeals
  /** Who plays for the store, where it is on a server. */
  readonly staff: Staff
  /** Reads large runs, for all who ask. */
  readonly thread: TableThread
  /** Where what takes long waits for its turn. */
  readonly slow: SlowWork
  /** What can be played: the games that come with agon, and the host's own. */
  readonly games: readonly GameDefinition[]
  /** How what people of the site read writes options and commands; `spell` is for what its host reads. */
  readonly spellOnPages?: Spell
}

/** The games that come with agon, and those of the host's files, which are run. Throws UserError. */
export async function gamesWith(files: readonly string[]): Promise<readonly GameDefinition[]> {
  const own: GameDefinition[] = []
  for (const file of files) own.push(await gameNamed(file))
  return [...new Set([...games, ...own])]
}

/** Opens the workspace of a site, made where there is none. To be closed. Throws UserError. */
export async function openSite(
  context: Context,
  all: readonly GameDefinition[] = games,
  spellOnPages?: Spell,
): Promise<SiteContext & { readonly close: () => Promise<void> }> {
  const store = await openStoreOf(context)
  const site = openSiteStore(context.workspace)
  const thread = new TableThread(context)
  return {
    ...context,
    store,
    site,
    hub: new Hub(),
    progress: new Progress(),
    staff: new Staff(store),
    thread,
    deals: new OpenDeals(thread),
    slow: new SlowWork(),
    games: all,
    ...(spellOnPages && { spellOnPages }),
    async close() {
      thread.close()
      site.close()
      await store.close()
    },
  }
}
