import { z } from '@hono/zod-openapi'
import type { SiteContext } from './context.js'
import { type Infer, get, paged, pages, said, time, object } from './http/route.js'

const workerSchema = object('Worker', {
  id: z.string(),
  host: z.string(),
  pid: z.int(),
  agon: said(z.string(), 'its version'),
  cores: z.int(),
  slots: said(z.int(), 'jobs that it plays at once'),
  labels: z.array(z.string()),
  toolchains: said(z.record(z.string(), z.string()), 'programs by their versions'),
  isolation: said(z.enum(['cells', 'none']), 'how it holds strangers’ bots'),
  playing: z.array(z.strictObject({ run: z.string(), contest: z.string(), title: z.string() })),
  matches: said(z.int(), 'that it has played'),
  faults: said(z.int(), 'in these'),
  since: time,
  heard: time,
  silent: said(z.number(), 'seconds since it was heard of'),
  aside: said(z.string().optional(), 'why it gets no more to play'),
})
const workersSchema = object('Workers', {
  items: z.array(workerSchema),
  next: z.string().nullable(),
  server: said(z.boolean(), 'false: the store is a file, and has no workers'),
})
export type SeenWorker = Infer<typeof workerSchema>
export type Workers = Infer<typeof workersSchema>

/** The workers on the server, the oldest first; undefined: the store is a file, and has none. */
async function workersOfSite({ workers, site, store }: SiteContext): Promise<readonly SeenWorker[] | undefined> {
  const seen = await workers.workers()
  if (seen === undefined) return undefined
  const hosted = new Map(site.contests().map(({ run, id, title }) => [run, { contest: id, title }]))
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

export const workerRoutes = (site: SiteContext) => [
  get('/workers', {
    summary: 'Who plays for the store, where it is on a server',
    access: 'host',
    description: 'The workers that were heard of within the last hour, the oldest first.',
    query: pages,
    answer: workersSchema,
    own: 'each',
  }).handler(async ({ query }) => {
    const workers = await workersOfSite(site)
    return { ...paged(workers ?? [], query), server: workers !== undefined }
  }),
]
