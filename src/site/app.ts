import { EventEmitter } from 'node:events'
import { type Hook, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from '../app/context.js'
import { needsServer } from '../app/open-store.js'
import { VERSION } from '../app/version.js'
import { type Wording, spelled, type GameDefinition, message, option } from '../core/index.js'
import { isOnServer } from '../store/index.js'
import { contestantRoutes } from './contestants.js'
import { type SiteContext, announce, openSite } from './context.js'
import { entrantRoutes } from './entrants.js'
import { entryRoutes } from './entries.js'
import { gameRoutes } from './games.js'
import { hostingRoutes } from './hosting.js'
import { answerText, problem, problemOf, invalid } from './http/answers.js'
import { type Env, type SiteFetch, identify, ownSiteAlone, bounded } from './http/callers.js'
import { Places } from './http/limits.js'
import { page } from './http/page.js'
import { type ApiRoute, type Infer, get, object } from './http/route.js'
import { Uploads } from './http/uploads.js'
import { contestChannels, liveChannels, liveRoutes } from './live.js'
import { matchRoutes } from './matches.js'
import { ContestRunner } from './play/contest-runner.js'
import { EntryBuilder } from './play/entry-builder.js'
import { connectRoutes } from './connect.js'
import { scrimmageRoutes, Scrimmages } from './scrimmages.js'
import { sittingRoutes, Sittings } from './sittings.js'
import { plainPlace, standingsRoutes, Tables } from './standings.js'
import { workerRoutes } from './workers.js'

/** All that a site does beside answering: where contests are played, bots built, and people seated. */
export interface SiteServices {
  readonly site: SiteContext
  readonly runner: ContestRunner
  readonly builder: EntryBuilder
  readonly sittings: Sittings
  readonly scrimmages: Scrimmages
  /** What it keeps stays open until `answered`: all that was asked has been answered. */
  readonly close: (answered?: Promise<unknown>) => Promise<void>
}

export interface SiteOptions {
  /** Absent: those that come with agon. */
  readonly games?: readonly GameDefinition[]
  /** False: people cannot play. */
  readonly sittings?: boolean
  /** Workers alone play the contests: the store is on a server. */
  readonly workersOnly?: boolean
}

/** Opens a site, and goes on with what was under way when it ended. To be closed. Throws UserError. */
export async function openServices(context: Context, options: SiteOptions = {}): Promise<SiteServices> {
  const { games: all, sittings: allowed, workersOnly = false } = options
  const site = await openSite(context, all)
  if (workersOnly && !isOnServer(site.store)) {
    await site.close()
    throw needsServer(message`${option('workersOnly')}`)
  }
  const runner = new ContestRunner(site, { workersOnly })
  const builder = new EntryBuilder(site, runner)
  const scrimmages = new Scrimmages(site, workersOnly)
  const sittings = new Sittings(site, allowed)
  site.workers.open((run, why) => {
    const contest = site.site.contests().find((one) => one.run === run)?.id ?? run
    announce(site, contest, 'waits', { why })
  })
  site.staged.open()
  await scrimmages.open()
  runner.open()
  builder.open()
  return {
    site,
    runner,
    builder,
    sittings,
    scrimmages,
    async close(answered) {
      await site.workers.close()
      await Promise.all([sittings.close(), scrimmages.close(), builder.close(), runner.close()])
      await answered
      await site.close()
    },
  }
}

export interface SiteSetting {
  /** Names that it answers to; absent: any. */
  readonly hosts?: ReadonlySet<string>
  /** It stands behind a proxy, which names where requests come from. */
  readonly proxy?: boolean
}

export interface SiteApp {
  readonly fetch: SiteFetch
  /** Ends all streams of events. */
  readonly close: () => void
}

const API = '/api/v1'
const DOCUMENT = '/openapi.json'

function routesOf({ site, runner, builder, sittings, scrimmages }: SiteServices) {
  const tables = new Tables(site)
  const places = new Places()
  const [contests, matches] = [contestChannels(site, places), liveChannels(site, places)]
  const routes: readonly ApiRoute[] = [
    callerRoute,
    ...gameRoutes(site),
    ...hostingRoutes(site, tables, runner),
    ...standingsRoutes(site, tables),
    ...matchRoutes(site, tables),
    ...entrantRoutes(site, tables, runner),
    ...liveRoutes(site, contests, matches),
    ...workerRoutes(site),
    ...contestantRoutes(site),
    ...entryRoutes(site, builder, new Uploads()),
    ...connectRoutes(site, runner),
    ...scrimmageRoutes(scrimmages),
    ...sittingRoutes(sittings),
  ]
  const close = (): void => [contests, matches].forEach((channels) => channels.close())
  return { routes, close }
}

const callerSchema = object('Caller', {
  role: z.enum(['anonymous', 'contestant', 'host']),
  name: z.string().optional(),
  contest: z.string().optional(),
})
export type CallerFacts = Infer<typeof callerSchema>

const callerRoute = get('/caller', {
  summary: 'Whose token it is that comes with the request',
  answer: callerSchema,
  own: 'each',
}).handler(({ caller }) =>
  caller.role === 'contestant'
    ? { role: caller.role, name: caller.name, contest: caller.contest }
    : { role: caller.role },
)

export function siteApp(services: SiteServices, { hosts, proxy = false }: SiteSetting = {}): SiteApp {
  const { site } = services
  const { routes, close } = routesOf(services)
  const log = (text: Wording): void => site.notice(spelled(text, site.spell))
  const fail = (error: unknown, c: Parameters<typeof problemOf>[1]) => problemOf(error, c, log)
  const api = new OpenAPIHono<Env>({ defaultHook: refuseInvalid })
  api.use(identify(site.site, proxy), bounded())
  for (const route of routes) route.register(api)
  const document = JSON.stringify(documentOf(api))
  api.get(DOCUMENT, (c) => answerText(c, document))
  api.all('*', () => problem(404, `there is nothing here: GET ${API}${DOCUMENT} lists what there is`))
  api.onError(fail)

  const app = new OpenAPIHono<Env>()
  app.use(ownSiteAlone(hosts))
  app.route(API, api)
  app.get('*', plainPlace, page())
  app.all('*', () => problem(405, 'the page can only be read'))
  app.notFound(() => problem(404, 'there is no such file'))
  app.onError(fail)
  return { fetch: (request, env) => app.fetch(request, env), close }
}

const refuseInvalid: Hook<unknown, Env, string, unknown> = (result) => {
  if (result.success) return
  const { path = [], message: why = 'not as it should be' } = result.error.issues[0] ?? {}
  throw invalid(path.length === 0 ? why : `${path.join('.')}: ${why}`)
}

/** The routes of any site: they describe themselves, and answer nothing. */
export function apiRoutes(): readonly ApiRoute[] {
  const site: Pick<SiteContext, 'games' | 'hub'> = { games: [], hub: new EventEmitter() }
  return routesOf({ site } as SiteServices).routes
}

/** The OpenAPI document of the API, as it is served and as docs/api.md is made of it. */
export function apiDocument(): unknown {
  const api = new OpenAPIHono<Env>()
  for (const route of apiRoutes()) route.register(api)
  return documentOf(api)
}

function documentOf(api: OpenAPIHono<Env>): unknown {
  const tokenOf = (name: string, description: string): unknown =>
    api.openAPIRegistry.registerComponent('securitySchemes', name, { type: 'http', scheme: 'bearer', description })
  tokenOf('host', 'The host’s token, which the server prints at its first start.')
  tokenOf('contestant', 'The token of a contestant, which the host gives out.')
  const description = 'Contests, their tables and matches, and how to enter a bot.'
  const info = { title: 'agon', version: VERSION, description }
  return api.getOpenAPI31Document({ openapi: '3.1.0', info, servers: [{ url: API }] })
}
