import { z } from '@hono/zod-openapi'
import { type Store, isOnServer } from '../store/index.js'
import { Registry, type WorkerSeen } from '../workers/queue/registry.js'
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
  token: said(z.string().optional(), 'the name of its token'),
})
const workersSchema = object('Workers', {
  items: z.array(workerSchema),
  next: z.string().nullable(),
  server: said(z.boolean(), 'false: the store is a file, and has no workers'),
})
export type SeenWorker = Infer<typeof workerSchema>
export type Workers = Infer<typeof workersSchema>

/** Milliseconds between two looks. */
const LOOK_MS = 2000

/**
 * Who plays for the runs on a server, and which of these no worker can play: a look every few seconds, whichever process runs them. Of a store in a
 * file nothing is known. To be closed.
 */
export class SiteWorkers {
  private readonly registry: Registry | undefined
  private waiting: ReadonlyMap<string, string> = new Map()
  private timer: NodeJS.Timeout | undefined
  private looking: Promise<unknown> = Promise.resolve()

  constructor(store: Store) {
    if (isOnServer(store)) this.registry = new Registry(store.sql)
  }

  /** `on`: called with a run that begins to wait, with why, or waits no more. */
  open(on: (run: string, why?: string) => void): void {
    if (this.registry === undefined) return
    // A server that is lost is asked again.
    this.timer = setInterval(() => {
      this.looking = this.look(on).catch(() => undefined)
    }, LOOK_MS).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.looking
  }

  /** The workers on the server, as `agon workers` lists them; undefined: the store is a file. */
  async workers(): Promise<readonly WorkerSeen[] | undefined> {
    return this.registry?.workers()
  }

  /** Why no worker plays what is left of a run; undefined: a worker does, or nothing is left. */
  waits(run: string): string | undefined {
    return this.waiting.get(run)
  }

  /** Reads which runs wait for workers, and tells the changes. */
  async look(on: (run: string, why?: string) => void): Promise<void> {
    const before = this.waiting
    this.waiting = (await this.registry?.waiting()) ?? new Map()
    for (const run of before.keys()) if (!this.waiting.has(run)) on(run)
    for (const [run, why] of this.waiting) if (before.get(run) !== why) on(run, why)
  }
}

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
