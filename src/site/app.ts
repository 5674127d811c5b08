import { type Hook, OpenAPIHono } from '@hono/zod-openapi'
import { type Wording, spelled } from '../core/index.js'
import { VERSION } from '../app/version.js'
import type { SiteServices } from './services.js'
import { Refusal } from './refusal.js'
import { Tables } from './tables.js'
import { answerText } from './http/answers.js'
import { Channels } from './http/channel.js'
import type { Env } from './http/env.js'
import { identify } from './http/guard.js'
import { LiveChannels } from './http/live-channel.js'
import { Streams } from './http/streams.js'
import { Uploads } from './http/uploads.js'
import { ownSiteAlone, secured } from './http/headers.js'
import { page } from './http/page.js'
import { problem, problemOf } from './http/problems.js'
import { bounded } from './http/rates.js'
import type { ApiRoute } from './http/route.js'
import { eventRoutes } from './routes/events.js'
import { draftRoutes } from './routes/drafts.js'
import { enteringRoutes } from './routes/entering.js'
import { hostingRoutes } from './routes/hosting.js'
import { playingRoutes } from './routes/playing.js'
import { readingRoutes } from './routes/reading.js'
import { tableRoutes } from './routes/tables.js'

/** How a site is served. */
export interface SiteSetting {
  /** Names that it answers to; absent: any. */
  readonly hosts?: ReadonlySet<string>
  /** It stands behind a proxy, which names where requests come from. */
  readonly proxy?: boolean
}

/** A site as a function of requests. To be closed. */
export interface SiteApp {
  readonly fetch: (request: Request, env?: Env['Bindings']) => Response | Promise<Response>
  /** Ends all streams of events. */
  close(): void
}

/** Below this lies the API. */
const API = '/api/v1'
const DOCUMENT = '/openapi.json'

/** The route table. */
export const apiRoutes: readonly ApiRoute[] = [
  ...readingRoutes,
  ...tableRoutes,
  ...eventRoutes,
  ...hostingRoutes,
  ...enteringRoutes,
  ...draftRoutes,
  ...playingRoutes,
]

/** The application of a site: the API, and the page at every other address. */
export function siteApp(services: SiteServices, { hosts, proxy = false }: SiteSetting = {}): SiteApp {
  const { site } = services
  const channels = new Channels(site)
  const live = new LiveChannels(site)
  const served = {
    ...services,
    channels,
    live,
    streams: new Streams(),
    uploads: new Uploads(),
    tables: new Tables(site),
  }
  const api = new OpenAPIHono<Env>({ defaultHook: refuseInvalid })
  const log = (text: Wording): void => site.notice(spelled(text, site.spell))
  const fail = (error: unknown, c: Parameters<typeof problemOf>[1]) => problemOf(error, c, log)
  api.use(identify(site, proxy), bounded())
  for (const one of apiRoutes) one.register(api, served)
  const document = JSON.stringify(documentOf(api))
  api.get(DOCUMENT, (c) => answerText(c, document))
  api.all('*', () => problem(404, `there is nothing here: GET ${API}${DOCUMENT} lists what there is`))
  api.onError(fail)

  const app = new OpenAPIHono<Env>()
  app.use(secured, ownSiteAlone(hosts))
  app.route(API, api)
  app.get('*', page())
  app.all('*', () => problem(405, 'the page can only be read'))
  app.notFound(() => problem(404, 'there is no such file'))
  app.onError(fail)
  return {
    fetch: (request, env) => app.fetch(request, env),
    close() {
      channels.close()
      live.close()
    },
  }
}

const refuseInvalid: Hook<unknown, Env, string, unknown> = (result) => {
  if (result.success) return
  const [issue] = result.error.issues
  const where = issue?.path.join('.') ?? ''
  throw new Refusal('invalid', `${where === '' ? '' : `${where}: `}${issue?.message ?? 'not as it should be'}`)
}

/** The OpenAPI document of the API, as it is served and as docs/api.md is made of it. */
export function apiDocument(): unknown {
  const api = new OpenAPIHono<Env>()
  for (const one of apiRoutes) one.register(api, {} as never)
  return documentOf(api)
}

function documentOf(api: OpenAPIHono<Env>): unknown {
  for (const [name, what] of [
    ['host', 'The host’s token, which the server prints at its first start.'],
    ['contestant', 'The token of a contestant, which the host gives out.'],
  ] as const)
    api.openAPIRegistry.registerComponent('securitySchemes', name, {
      type: 'http',
      scheme: 'bearer',
      description: what,
    })
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'agon',
      version: VERSION,
      description: 'Contests, their tables and matches, and how to enter a bot.',
    },
    servers: [{ url: API }],
  })
}
