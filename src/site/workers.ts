import type { WorkerSeen } from '../workers/queue/registry.js'
import type { SiteContext } from './context.js'

/** A worker, with what it plays as the site calls it. */
export interface WorkerFacts extends Omit<WorkerSeen, 'playing'> {
  readonly playing: readonly { readonly run: string; readonly contest: string; readonly title: string }[]
}

/** The workers on the server, the oldest first; undefined: the store is a file, and has none. */
export async function workersOfSite({
  workers,
  site,
  store,
}: SiteContext): Promise<readonly WorkerFacts[] | undefined> {
  const seen = await workers.workers()
  if (seen === undefined) return undefined
  const hosted = new Map((await site.contests()).map(({ run, id, title }) => [run, { contest: id, title }]))
  const titleOf = async (run: string): Promise<string> => (await store.run(run))?.contest.title ?? run
  return Promise.all(
    seen.map(async ({ playing, ...worker }) => ({
      ...worker,
      playing: await Promise.all(
        [...new Set(playing.map(({ run }) => run))].map(async (run) => ({
          run,
          ...(hosted.get(run) ?? { contest: run, title: await titleOf(run) }),
        })),
      ),
    })),
  )
}
