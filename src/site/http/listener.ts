import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { type HttpBindings, createAdaptorServer } from '@hono/node-server'
import type { SiteApp } from '../app.js'
import { networkOf } from './address.js'
import { Places } from './places.js'

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

/**
 * A server of HTTP that slow and idle connections cannot starve. It does not listen yet. `proxy`: all requests come through one, from
 * one address.
 */
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
  server.maxConnections = Math.min(all, descriptors() / 2)
  const places = new Places()
  if (!proxy)
    server.on('connection', (socket) => {
      const free = places.take([networkOf(socket.remoteAddress ?? ''), each])
      if (free === undefined) socket.destroy()
      else socket.once('close', free)
    })
  return server
}

/** Files and connections that this process may have open. The bots' pipes are some of them. */
function descriptors(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1024)
  } catch {
    return 1024
  }
}
