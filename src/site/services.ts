import { type GameDefinition, message, option } from '../core/index.js'
import { isOnServer } from '../store/index.js'
import type { Context } from '../app/context.js'
import { needsServer } from '../app/open-store.js'
import { type SiteContext, announce, openSite } from './context.js'
import { ContestRunner } from './play/contest-runner.js'
import { EntryBuilder } from './play/entry-builder.js'
import { Scrimmages } from './scrimmages.js'
import { Sittings } from './sittings.js'

/** All that a site does beside answering: where contests are played, bots built, and people seated. */
export interface SiteServices {
  readonly site: SiteContext
  readonly runner: ContestRunner
  readonly builder: EntryBuilder
  readonly sittings: Sittings
  readonly scrimmages: Scrimmages
}

export interface SiteOptions {
  /** Absent: those that come with agon. */
  readonly games?: readonly GameDefinition[]
  /** False: people cannot play. */
  readonly sittings?: boolean
  /** Workers alone play the contests: the store is on a server. */
  readonly workersOnly?: boolean
}

/**
 * Opens a site, and goes on with what was under way when it ended. To be closed, and what it keeps stays open until `answered`: all that
 * was asked has been answered. Throws UserError.
 */
export async function openServices(
  context: Context,
  { games: all, sittings = true, workersOnly = false }: SiteOptions = {},
): Promise<SiteServices & { readonly close: (answered?: Promise<unknown>) => Promise<void> }> {
  const site = await openSite(context, all)
  if (workersOnly && !isOnServer(site.store)) {
    await site.close()
    throw needsServer(message`${option('workersOnly')}`)
  }
  const runner = new ContestRunner(site, { workersOnly })
  const builder = new EntryBuilder(site, runner)
  const scrimmages = new Scrimmages(site, workersOnly)
  const services = { site, runner, builder, sittings: new Sittings(site, sittings), scrimmages }
  site.workers.open((run, why) => {
    const contest = site.site.contests().find((one) => one.run === run)?.id ?? run
    announce(site, contest, 'waits', { why })
  })
  site.staged.open()
  await scrimmages.open()
  runner.open()
  builder.open()
  return {
    ...services,
    async close(answered) {
      await site.workers.close()
      await Promise.all([services.sittings.close(), scrimmages.close(), builder.close(), runner.close()])
      await answered
      await site.close()
    },
  }
}
