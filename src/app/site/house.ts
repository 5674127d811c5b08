import type { GameDefinition, Spell } from '../../core/index.js'
import type { Context } from '../context.js'
import { type SiteContext, openSite } from './context.js'
import { Sittings } from './sittings.js'
import { Stage } from './stage.js'
import { Trials } from './trials.js'
import { Workshop } from './workshop.js'

/** All that a site does beside answering: where contests are played, bots built, and people seated. */
export interface SiteHouse {
  readonly site: SiteContext
  readonly stage: Stage
  readonly workshop: Workshop
  readonly sittings: Sittings
  readonly trials: Trials
}

/** How a site is kept. */
export interface SiteWishes {
  /** Absent: those that come with agon. */
  readonly games?: readonly GameDefinition[]
  /** False: nobody sits down to play. */
  readonly sittings?: boolean
  /** How what people of the site read writes options and commands; absent: as for a reader of whom nothing is known. */
  readonly spell?: Spell
}

/** Opens a site, and goes on with what was under way when it ended. To be closed. Throws UserError. */
export async function openSiteHouse(
  context: Context,
  { games, sittings = true, spell }: SiteWishes = {},
): Promise<SiteHouse & { readonly close: () => Promise<void> }> {
  const site = await openSite(context, games, spell)
  const stage = new Stage(site)
  const workshop = new Workshop(site, stage)
  const house = { site, stage, workshop, sittings: new Sittings(site, sittings), trials: new Trials(site) }
  await stage.open()
  await workshop.open()
  return {
    ...house,
    async close() {
      house.trials.close()
      await Promise.all([house.sittings.close(), workshop.close(), stage.close()])
      await site.close()
    },
  }
}
