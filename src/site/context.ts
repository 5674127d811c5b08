import { EventEmitter } from 'node:events'
import type { GameDefinition } from '../core/index.js'
import type { LoadedContest } from '../contest/parse.js'
import { refuseLink } from '../files/index.js'
import { games } from '../games/index.js'
import type { Store } from '../store/index.js'
import type { Context } from '../app/context.js'
import { gameNamed } from '../app/look/games.js'
import { RatingsAside, rateInThread } from '../app/look/ratings-aside.js'
import { openStoreOf } from '../app/open-store.js'
import { RunsInProgress } from '../app/run/in-progress.js'
import { SlowWork } from './http/limits.js'
import { StagedVersions } from './play/staged-versions.js'
import { Remotes } from '../app/remote/remotes.js'
import { SeenWorkers } from '../workers/queue/seen-workers.js'
import { type SiteEntry, SiteStore } from './store.js'

/** What everything of a site gets: the store of matches, the site's own store, the games, and the listeners. */
export interface SiteContext extends Context {
  readonly store: Store
  readonly site: SiteStore
  readonly games: readonly GameDefinition[]
  /** Says in which contest something happened, or a remote bot came or went: listeners look up what. */
  readonly hub: EventEmitter<{ touch: [contest: string]; seats: [contest: string] }>
  readonly progress: RunsInProgress
  readonly workers: SeenWorkers
  readonly ratings: RatingsAside
  readonly seats: Remotes
  readonly staged: StagedVersions
  readonly slow: SlowWork
  /** By contest: what its text was read as. */
  readonly parsed: Map<string, { readonly toml: string; readonly loaded: Promise<LoadedContest> }>
}

/** The games that come with agon, and those of the host's files, which are run. Throws UserError. */
export async function gamesWith(files: readonly string[]): Promise<readonly GameDefinition[]> {
  const own = await Promise.all(files.map((file) => gameNamed(file)))
  return [...new Set([...games, ...own])]
}

/** Opens the workspace of a site, made where there is none. To be closed. Throws UserError. */
export async function openSite(context: Context, all: readonly GameDefinition[] = games) {
  const { workspace, server, notice } = context
  for (const name of ['contests', 'uploads']) refuseLink(`${workspace}/${name}`)
  const store = await openStoreOf(context)
  const site = SiteStore.open(workspace)
  const hub: SiteContext['hub'] = new EventEmitter()
  hub.setMaxListeners(0)
  const ratings = new RatingsAside((run, signal) => rateInThread({ workspace, server, run }, signal), notice)
  const seats = new Remotes((contest) => hub.emit('seats', contest))
  const staged = new StagedVersions({ site, workspace, notice })
  return {
    ...context,
    sandboxesOnly: true,
    store,
    site,
    hub,
    progress: new RunsInProgress(),
    workers: new SeenWorkers(store),
    ratings,
    seats,
    staged,
    slow: new SlowWork(),
    parsed: new Map(),
    games: all,
    async close() {
      seats.close()
      await Promise.all([ratings.close(), staged.close()])
      site.close()
      await store.close()
    },
  }
}

/** Tells those who watch a contest what happened to it. */
export function announce({ site, hub }: SiteContext, contest: string, kind: string, data: object): void {
  site.addEvent(contest, kind, data)
  hub.emit('touch', contest)
}

/** Tells them what has become of a version of a bot. */
export function announceEntry(context: SiteContext, entry: SiteEntry, state: SiteEntry['state']): void {
  const { id, contest, name, version } = entry
  announce(context, contest, 'entry', { id, name, version, state })
}
