import type { GameDefinition, Spell } from '../core/index.js'
import { refuseLink } from '../files/index.js'
import { games } from '../games/index.js'
import { openSiteStore } from './db/site-store.js'
import type { Context } from '../app/context.js'
import { gameNamed } from '../app/look/games.js'
import { openStoreOf } from '../app/open-store.js'
import type { SiteContext } from './context.js'
import { Hub } from './hub.js'
import { RunsInProgress } from './play/progress.js'
import { rateInThread } from './play/rating-thread.js'
import { SiteRatings } from './play/ratings.js'
import { siteFolders } from './site-files.js'
import { SlowWork } from './slow-work.js'
import { SiteWorkers } from './site-workers.js'

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
  for (const folder of siteFolders(context)) refuseLink(folder)
  const store = await openStoreOf(context)
  const site = openSiteStore(context.workspace)
  const { workspace, server, notice } = context
  const ratings = new SiteRatings((run, signal) => rateInThread({ workspace, server, run }, signal), notice)
  return {
    ...context,
    sandboxesOnly: true,
    store,
    site,
    hub: new Hub(),
    progress: new RunsInProgress(),
    workers: new SiteWorkers(store),
    ratings,
    slow: new SlowWork(),
    games: all,
    spellOnPages,
    async close() {
      await ratings.close()
      site.close()
      await store.close()
    },
  }
}
