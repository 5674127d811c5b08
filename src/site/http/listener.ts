import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { type HttpBindings, createAdaptorServer } from '@hono/node-server'
import { networkOf } from './address.js'
import type { SiteApp } from '../app.js'

/** What connections may take: so many at once, and so many milliseconds. */
export interface ConnectionLimits {
  /** In all, and of one address. */
  readonly all: number
  readonly each: number
  /** Until a request's headers, and until all of it is there. */
  readonly headers: number
  readonly request: number
  /** Between two requests of a connection. */
  readonly idle: number
  /** Without a byte in either direction, such as of a client that does not read its answer. A move against bots that think is silent for 60 s. */
  readonly silent: number
  /** Between two looks for clients that are late with headers or request. */
  readonly look: number
}

const BOUNDS: ConnectionLimits = {
  all: 8000,
  each: 1000,
  headers: 10_000,
  request: 120_000,
  idle: 10_000,
  silent: 150_000,
  look: 5000,
}

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
  if (!proxy) boundAddresses(server, each)
  return server
}

/** Closes connections that an address opens beyond its share. */
function boundAddresses(server: Server, each: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const from = networkOf(socket.remoteAddress ?? '')
    const own = (open.get(from) ?? 0) + 1
    if (own > each) return void socket.destroy()
    open.set(from, own)
    socket.once('close', () => {
      const left = (open.get(from) ?? 1) - 1
      if (left === 0) open.delete(from)
      else open.set(from, left)
    })
  })
}

/** Files and connections that this process may have open. The bots' pipes are some of them. */
function descriptors(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1024)
  } catch {
    return 1024
  }
}
