import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HttpBindings, createAdaptorServer } from '@hono/node-server'
import { UserError, message, option } from '../core/index.js'
import type { Context } from '../app/context.js'
import { requireStore } from '../app/open-store.js'
import { type SiteApp, siteApp, type SiteOptions, openServices } from './app.js'
import { gamesWith } from './context.js'
import { allowed } from '../app/machine.js'
import { firstHostToken, networkOf, renewHostToken } from './http/callers.js'
import { Places } from './http/limits.js'
import { acceptRemotes } from './connect.js'
import { SiteStore } from './store.js'

export interface ServeOptions extends Pick<SiteOptions, 'sittings' | 'workersOnly'> {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** The address that people use, where a proxy stands before this server. */
  readonly url?: string
  /** Requests come through a proxy, which names their origin in X-Forwarded-For. */
  readonly proxy?: boolean
  /** Files of games beside those that come with agon. */
  readonly game?: readonly string[]
}

/** Serves a workspace as a site; its first start has the host's token. To be closed: matches under way are finished or given back. Throws UserError. */
export async function serveSite(
  { host, port, url, proxy = false, game = [], ...wishes }: ServeOptions,
  context: Context,
) {
  if (url !== undefined) refuseAddress(url)
  const services = await openServices(context, { games: await gamesWith(game), ...wishes })
  let listening: Server | undefined
  try {
    const app = siteApp(services, { hosts: hostsOf(host, url), proxy })
    const server = siteServer(app.fetch, proxy)
    const cutOff = acceptRemotes(server, app, services.site.seats)
    const at = await listen(server, host, port)
    listening = server
    return {
      url: url ?? `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`,
      hostToken: firstHostToken(services.site.site),
      async close() {
        app.close()
        cutOff()
        await services.close(ended(server))
      },
    }
  } catch (error) {
    // A server that listens keeps the process alive.
    await Promise.all([listening && ended(listening), services.close()])
    throw error
  }
}

/** Makes a new token for the host of a workspace's site, also while it is served. Throws UserError where there is no workspace. */
export async function renewedHostToken({ workspace, server }: Context): Promise<string> {
  // A site's own file lies in the workspace also where its matches are kept on a server.
  if (server === undefined) requireStore(workspace)
  const site = SiteStore.open(workspace)
  try {
    return renewHostToken(site)
  } finally {
    site.close()
  }
}

/** The names that the site answers to: that of its public address alone; where it is bound to an address of the network its names cannot be listed. */
export function hostsOf(host: string, url: string | undefined): ReadonlySet<string> | undefined {
  if (url !== undefined) return new Set([new URL(url).hostname])
  return LOOPBACK.has(host) ? new Set([...LOOPBACK, '[::1]']) : undefined
}
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

/** Throws UserError for a public address that is more than a site's: all its links begin at the root. */
export function refuseAddress(url: string): void {
  const { origin, href } = new URL(url)
  if (href !== `${origin}/`)
    throw new UserError(
      message`${option('url', url)} has a path, a query or a user: a site is served at the root of its host, such as ${origin}`,
    )
}

async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    const { code, message: text } = error as NodeJS.ErrnoException
    throw new UserError(
      code === 'EADDRINUSE'
        ? message`port ${port} is in use: choose another with ${option('port')}, or 0 for any`
        : message`${host}:${port} cannot be served (${code ?? text}): choose others with ${option('host')} and ${option('port')}`,
    )
  }
  return server.address() as AddressInfo
}

function ended(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 500).unref()
  })
}

/** What connections may take: so many at once, and so many milliseconds. */
const BOUNDS = {
  /** In all, and of one address. */
  all: 8000,
  each: 1000,
  /** Until a request's headers, and until all of it is there. */
  headers: 10_000,
  request: 120_000,
  /** Between two requests of a connection. */
  idle: 10_000,
  /** Without a byte in either direction, such as of a client that does not read its answer. A move against bots that think is silent for 60 s. */
  silent: 150_000,
  /** Between two looks for clients that are late with headers or request. */
  look: 5000,
}
export type ConnectionLimits = Readonly<typeof BOUNDS>

/** A server that slow and idle connections cannot starve. `proxy`: all requests come through one, from one address. */
export function siteServer(
  fetch: SiteApp['fetch'],
  proxy: boolean,
  { all, each, headers, request, idle, silent, look }: ConnectionLimits = BOUNDS,
): Server {
  const server = createAdaptorServer({
    fetch: (asked, env) => fetch(asked, env as HttpBindings),
    serverOptions: {
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: idle,
      connectionsCheckingInterval: look,
    },
  }) as Server
  server.setTimeout(silent)
  // The bots' pipes are open files, too.
  server.maxConnections = Math.min(all, (allowed('open files') ?? 1024) / 2)
  const places = new Places()
  if (!proxy)
    server.on('connection', (socket) => {
      const free = places.take([networkOf(socket.remoteAddress ?? ''), each])
      if (free === undefined) socket.destroy()
      else socket.once('close', free)
    })
  return server
}
