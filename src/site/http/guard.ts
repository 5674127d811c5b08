import type { MiddlewareHandler } from 'hono'
import { callerOf } from '../tokens.js'
import type { SiteContext } from '../context.js'
import { Refusal } from './problems.js'
import { type Env, addressIn } from './address.js'
import { Buckets, RATES } from './rates.js'

/** Which callers may use a route at all. The use case decides the rest, such as whose entry they may change. */
export type Access = 'anyone' | 'contestant' | 'host'

/**
 * Finds out where a request comes from and whose token it brings, and refuses an unknown token. `proxy`: as `addressIn` has it. An address
 * that tries many wrong tokens has to wait between two.
 */
export function identify({ site }: SiteContext, proxy: boolean): MiddlewareHandler<Env> {
  const wrong = new Buckets(RATES.wrong)
  return async (c, next) => {
    const address = addressIn(c, proxy)
    c.set('address', address)
    c.set('caller', { role: 'anonymous' })
    const header = c.req.header('authorization')
    if (header !== undefined) {
      const token = /^Bearer +([\w-]{1,200})$/i.exec(header)?.[1]
      const caller = token === undefined ? undefined : await callerOf(site, token)
      if (caller === undefined) {
        wrong.take(address)
        throw new Refusal('unauthorized', 'this token is invalid: it was replaced or revoked, or is mistyped')
      }
      c.set('caller', caller)
    }
    await next()
  }
}

/** Refuses a caller that may not use a route: 401 where a token is lacking, 403 where another one is needed. */
export function admitTo(access: Access): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { role } = c.get('caller')
    if (access !== 'anyone' && role === 'anonymous')
      throw new Refusal('unauthorized', `this needs the token of ${access === 'host' ? 'the host' : 'a contestant'}`)
    if (access === 'host' && role !== 'host') throw new Refusal('forbidden', 'only the host may do this')
    await next()
  }
}

/**
 * Refuses requests that a browser sends for another site, and requests for another host's name: a name that an attacker lets point here.
 * `hosts`: the names that this site answers to; undefined: any.
 */
export function ownSiteAlone(hosts: ReadonlySet<string> | undefined): MiddlewareHandler<Env> {
  return async (c, next) => {
    const host = c.req.header('host')
    if (hosts !== undefined && host !== undefined && !hosts.has(host.replace(/:\d+$/, '').toLowerCase()))
      throw new Refusal('forbidden', 'this site has another name; its host can give it this one as its public address')
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const site = c.req.header('sec-fetch-site') ?? 'none'
      const origin = c.req.header('origin')
      const isForeign = origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)
      if ((site !== 'same-origin' && site !== 'none') || isForeign)
        throw new Refusal('forbidden', 'another site may not write here')
    }
    await next()
  }
}
