import type { MiddlewareHandler } from 'hono'
import { Refusal } from './problems.js'
import type { Env } from './address.js'

/** The page loads only files of the site itself, talks to the site alone, and runs no script in its markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every answer, for browsers. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** Answers that were made with these headers: to look at the headers of an answer makes it a slow one, as it is then built by the platform. */
const made = new WeakSet<Response>()

/** An answer that has these headers already. */
export function securedResponse(
  body: string | Uint8Array<ArrayBuffer> | null,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const response = new Response(body, { status, headers: { ...HEADERS, ...headers } })
  made.add(response)
  return response
}

/** Switches off features of browsers that no page of the site needs. */
export const secured: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  if (made.has(c.res)) return
  for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value)
}

/**
 * Refuses requests that a browser sends for another site, and requests for another host's name: a name that an attacker lets point here.
 * `hosts`: the names that this site answers to; undefined: any.
 */
export function ownSiteAlone(hosts: ReadonlySet<string> | undefined): MiddlewareHandler<Env> {
  return async (c, next) => {
    const host = nameOf(c.req.header('host'))
    if (hosts !== undefined && host !== undefined && !hosts.has(host))
      throw new Refusal('forbidden', 'this site has another name; its host can give it this one as its public address')
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const site = c.req.header('sec-fetch-site')
      const origin = c.req.header('origin')
      const foreign = origin !== undefined && originHost(origin) !== c.req.header('host')
      if ((site !== undefined && site !== 'same-origin' && site !== 'none') || foreign)
        throw new Refusal('forbidden', 'another site may not write here')
    }
    await next()
  }
}

/** A host without its port. */
const nameOf = (host: string | undefined): string | undefined => host?.replace(/:\d+$/, '').toLowerCase()

function originHost(origin: string): string | undefined {
  try {
    return new URL(origin).host
  } catch {
    return undefined
  }
}
