import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UserError, message, option } from '../core/index.js'
import { gamesWith } from './context.js'
import { SiteStore } from './db/site-store.js'
import { type SiteOptions, openServices } from './services.js'
import { firstHostToken, renewHostToken } from './tokens.js'
import type { Context } from '../app/context.js'
import { requireStore } from '../app/open-store.js'
import { siteApp } from './app.js'
import { acceptRemotes } from './remote/socket.js'
import { siteServer } from './http/listener.js'

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

export interface Served {
  readonly url: string
  /** At the first start alone. */
  readonly hostToken?: string
  /** Ends it: nothing new is begun, and matches under way are finished or given back. */
  close(): Promise<void>
}

/** Serves a workspace as a site. Throws UserError where the address cannot be had, or the workspace not be used. */
export async function serveSite(
  { host, port, url, proxy = false, game = [], ...wishes }: ServeOptions,
  context: Context,
): Promise<Served> {
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
      hostToken: await firstHostToken(services.site.site),
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
    return await renewHostToken(site)
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

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? message`port ${port} is in use: choose another with ${option('port')}, or 0 for any`
          : message`${host}:${port} cannot be served (${error.code ?? error.message}): choose others with ${option('host')} and ${option('port')}`
      fail(new UserError(why))
    })
    server.listen(port, host, () => done(server.address() as AddressInfo))
  })
}

/** Lets requests that are under way end, for a moment. */
function ended(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 500).unref()
  })
}
